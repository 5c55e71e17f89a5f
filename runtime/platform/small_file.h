// SPDX-License-Identifier: Apache-2.0
//
// Reads the small text files of /proc and /sys by system calls, without stdio and without malloc.
#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "platform/text.h"

namespace bobbin {

class FileDescriptor {
 public:
  explicit FileDescriptor(const char* path) : fd_(open(path, O_RDONLY | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  bool valid() const { return fd_ >= 0; }
  int number() const { return fd_; }
  // Bytes read, 0 at the end and after an error.
  std::size_t read_some(char* buffer, std::size_t size) {
    for (;;) {
      const ssize_t n = read(fd_, buffer, size);
      if (n < 0 && errno == EINTR) continue;
      return n > 0 ? static_cast<std::size_t>(n) : 0;
    }
  }

 private:
  int fd_;
};

// The beginning of a file, as much as fits in the buffer; empty when it cannot be read.
inline std::string_view read_small_file(const char* path, char* buffer, std::size_t size) {
  FileDescriptor file(path);
  std::size_t length = 0;
  while (file.valid() && length < size) {
    const std::size_t n = file.read_some(buffer + length, size - length);
    if (n == 0) break;
    length += n;
  }
  return {buffer, length};
}

// A file that holds one number, possibly negative.
inline bool read_number_file(const char* path, std::int64_t& value) {
  char buffer[64];
  Scanner scan(read_small_file(path, buffer, sizeof buffer));
  return scan.integer(value);
}

// Visits the lines of a file of any length, without their newline. A line longer than the buffer is
// cut (its rest is skipped). The visitor returns false to stop.
template <class Visit>
void each_line(const char* path, Visit visit) {
  FileDescriptor file(path);
  if (!file.valid()) return;
  char buffer[4096];
  std::size_t held = 0;
  bool skipping = false;
  for (;;) {
    const std::size_t n = file.read_some(buffer + held, sizeof buffer - held);
    const bool at_end = n == 0;
    held += n;
    std::size_t from = 0;
    for (std::size_t i = 0; i < held; ++i) {
      if (buffer[i] != '\n') continue;
      const std::string_view line{buffer + from, i - from};
      from = i + 1;
      if (skipping) {
        skipping = false;
      } else if (!visit(line)) {
        return;
      }
    }
    if (at_end) {
      if (from < held && !skipping) visit(std::string_view{buffer + from, held - from});
      return;
    }
    if (from == 0 && held == sizeof buffer) {
      if (!skipping && !visit(std::string_view{buffer, held})) return;
      skipping = true;
      held = 0;
    } else {
      held -= from;
      std::memmove(buffer, buffer + from, held);
    }
  }
}

}  // namespace bobbin
