// SPDX-License-Identifier: Apache-2.0
#include "platform/diagnostics.h"

#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>

#include "platform/text.h"

namespace bobbin {
namespace {

constinit DiagnosticSink diagnostic_sink = nullptr;
constinit Atomic<bool> silenced{false};

constexpr std::size_t kLongestLine = 1024;

[[gnu::format(printf, 1, 0)]] void emit(const char* format, va_list arguments) {
  const int saved_errno = errno;
  char buffer[kLongestLine] = {};
  TextOut line(buffer, sizeof buffer - 1);  // keeps a byte for the newline
  line.add("bobbin: ");
  line.vformat(format, arguments);
  std::size_t length = line.view().size();
  // A value from the environment may hold anything; it must not break the line in two.
  for (std::size_t i = 0; i < length; ++i) {
    if (static_cast<unsigned char>(buffer[i]) < ' ') buffer[i] = '?';
  }
  if (line.truncated()) std::memcpy(buffer + length - 3, "...", 3);
  buffer[length++] = '\n';
  if (diagnostic_sink != nullptr) {
    diagnostic_sink({buffer, length});
  } else {
    write_stderr({buffer, length});
  }
  errno = saved_errno;
}

}  // namespace

void write_stderr(std::string_view text) {
  const int saved_errno = errno;
  const char* at = text.data();
  std::size_t left = text.size();
  while (left != 0) {
    // The system call itself, because write() is a cancellation point.
    const long n = syscall(SYS_write, STDERR_FILENO, at, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    at += n;
    left -= static_cast<std::size_t>(n);
  }
  errno = saved_errno;
}

void redirect_diagnostics(DiagnosticSink sink) { diagnostic_sink = sink; }

void silence_warnings(bool silent) { silenced.store(silent, relaxed); }

void warn(const char* format, ...) {
  if (silenced.load(relaxed)) return;
  va_list arguments;
  va_start(arguments, format);
  emit(format, arguments);
  va_end(arguments);
}

void warn_once(OnceFlag& said, const char* format, ...) {
  if (silenced.load(relaxed) || said.load(relaxed) || said.exchange(true, relaxed)) return;
  va_list arguments;
  va_start(arguments, format);
  emit(format, arguments);
  va_end(arguments);
}

void fatal(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  emit(format, arguments);
  va_end(arguments);
  // Ends as libgomp does: status 1, and the output of the program so far is flushed.
  std::exit(EXIT_FAILURE);
}

}  // namespace bobbin
