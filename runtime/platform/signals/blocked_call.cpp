// SPDX-License-Identifier: Apache-2.0
#include "platform/signals/blocked_call.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cstring>
#include <string_view>

#include "platform/raw_syscall.h"
#include "platform/text.h"

namespace bobbin {
namespace {

// A file of the kernel thread's in /proc.
class TaskFile {
 public:
  TaskFile(pid_t kernel_thread, std::string_view name) {
    Text<64> path;
    path.add("/proc/self/task/");
    path.number(kernel_thread);
    path.add(name);
    fd_ = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path.c_str()),
                      O_RDONLY | O_CLOEXEC);
  }
  ~TaskFile() {
    if (fd_ >= 0) raw_syscall(SYS_close, fd_, 0, 0);
  }
  TaskFile(const TaskFile&) = delete;
  TaskFile& operator=(const TaskFile&) = delete;

  // Empty: at the end, or an error.
  std::string_view read(char* buffer, size_t size) const {
    if (fd_ < 0) return {};
    const long length =
        raw_syscall(SYS_read, fd_, reinterpret_cast<long>(buffer), static_cast<long>(size));
    return {buffer, length > 0 ? static_cast<size_t>(length) : 0};
  }

 private:
  long fd_;
};

// The next word, up to a space or the end of the line.
std::string_view take_word(std::string_view& text) {
  const size_t length = text.find_first_of(" \n");
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  return word;
}

bool take_number(std::string_view& text, uint64_t& value) {
  std::string_view word = take_word(text);
  const bool hexadecimal = word.starts_with("0x");
  if (hexadecimal) word.remove_prefix(2);
  value = 0;
  for (const char c : word) {
    const bool digit = is_digit(c);
    if (!digit && (!hexadecimal || c < 'a' || c > 'f')) return false;
    value = value * (hexadecimal ? 16 : 10) + static_cast<uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
  return !word.empty();
}

// The file has the number, the arguments, the stack pointer and the address after the call; or
// "running"; or -1 for a thread that is blocked elsewhere, for example by a page fault.
bool read_call(pid_t kernel_thread, BlockedCall& call) {
  char buffer[256];
  std::string_view text = TaskFile(kernel_thread, "/syscall").read(buffer, sizeof buffer);
  uint64_t number;
  if (!take_number(text, number)) return false;
  call.number = static_cast<int>(number);
  for (uint64_t& argument : call.arguments) {
    if (!take_number(text, argument)) return false;
  }
  return take_number(text, call.sp) && take_number(text, call.pc);
}

bool same_call(const BlockedCall& one, const BlockedCall& other) {
  return one.number == other.number && one.sp == other.sp && one.pc == other.pc &&
         memcmp(one.arguments, other.arguments, sizeof one.arguments) == 0;
}

// The value after `key` in the thread's status. The file has lines of any length, so it is read in
// pieces.
bool read_status(pid_t kernel_thread, std::string_view key, uint64_t& value) {
  const TaskFile file(kernel_thread, "/status");
  char buffer[256];
  size_t matched = 0;
  bool found = false;
  for (;;) {
    const std::string_view piece = file.read(buffer, sizeof buffer);
    if (piece.empty()) return found;
    for (const char c : piece) {
      if (matched < key.size()) {
        matched = c == key[matched] ? matched + 1 : (c == key[0] ? 1 : 0);
        value = 0;
      } else if (is_digit(c)) {
        value = value * 10 + static_cast<uint64_t>(c - '0');
        found = true;
      } else {
        return found;
      }
    }
  }
}

}  // namespace

// The call is read once more after the number of waits. So that number belongs to no later call.
bool read_blocked_call(pid_t kernel_thread, BlockedCall& call) {
  BlockedCall before;
  return read_call(kernel_thread, before) &&
         read_status(kernel_thread, "\nvoluntary_ctxt_switches:\t", call.waits) &&
         read_call(kernel_thread, call) && same_call(before, call);
}

uint64_t waits_of_caller() {
  struct rusage usage = {};
  raw_syscall(SYS_getrusage, RUSAGE_THREAD, reinterpret_cast<long>(&usage), 0);
  return static_cast<uint64_t>(usage.ru_nvcsw);
}

}  // namespace bobbin
