// SPDX-License-Identifier: Apache-2.0
#include "insight/record/modules.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>

namespace bobbin::insight {
namespace {

// Held while the maps are read. A thread that finds it held goes on without the module: the next
// site of the same file notes it.
Atomic<bool> busy{false};

bool known(const FixedPart& part, uint64_t address) {
  const uint32_t count = part.header.modules.load(acquire);
  for (uint32_t i = 0; i < count; i++) {
    const Module& module = part.module_table[i];
    if (address >= module.begin && address < module.end) return true;
  }
  return false;
}

// Gives the lines of a file one by one, by a buffer of its own: the C library's would allocate.
class Lines {
 public:
  explicit Lines(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC)) {}
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() {
    if (file_ >= 0) close(file_);
  }

  // nullptr: the end. Longer lines come in pieces.
  const char* next() {
    for (;;) {
      char* end = static_cast<char*>(memchr(buffer_ + begin_, '\n', end_ - begin_));
      if (end != nullptr) {
        *end = '\0';
        const char* line = buffer_ + begin_;
        begin_ = static_cast<size_t>(end - buffer_) + 1;
        return line;
      }
      if (!fill()) return nullptr;
    }
  }

 private:
  bool fill() {
    memmove(buffer_, buffer_ + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const ssize_t got = file_ >= 0 ? read(file_, buffer_ + end_, sizeof buffer_ - 1 - end_) : 0;
    if (got <= 0) return false;
    end_ += static_cast<size_t>(got);
    return true;
  }

  int file_;
  size_t begin_ = 0;
  size_t end_ = 0;
  char buffer_[2 * PATH_MAX];
};

// The first mapping of a file, in order of addresses, is that of its begin.
bool find_module(uint64_t address, Module& module) {
  Lines lines("/proc/self/maps");
  uint64_t base = 0;
  char file[sizeof Module::path] = {};
  while (const char* line = lines.next()) {
    unsigned long begin;
    unsigned long end;
    unsigned long offset;
    int path = 0;
    if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &begin, &end, &offset, &path) < 3) continue;
    if (line[path] != '/') continue;
    if (strncmp(file, line + path, sizeof file - 1) != 0 || offset == 0) {
      snprintf(file, sizeof file, "%s", line + path);
      base = begin - offset;
    }
    if (address < begin || address >= end) continue;
    module.base = base;
    module.begin = begin;
    module.end = end;
    memcpy(module.path, file, sizeof file);
    return true;
  }
  return false;
}

}  // namespace

void note_module(FixedPart& part, uint64_t address) {
  if (known(part, address) || busy.exchange(true, acquire)) return;
  const uint32_t count = part.header.modules.load(relaxed);
  if (count < kModules && !known(part, address) && find_module(address, part.module_table[count])) {
    part.header.modules.store(count + 1, release);
  }
  busy.store(false, release);
}

void forget_lock_of_modules() { busy.store(false, relaxed); }

}  // namespace bobbin::insight
