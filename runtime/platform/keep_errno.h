// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>

namespace bobbin {

// Keeps errno, which belongs to the program, around calls that may fail while a thread of the
// program waits, yields or makes a task. Not around a context switch.
class KeepErrno {
 public:
  KeepErrno() : saved_(errno) {}
  ~KeepErrno() { errno = saved_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

 private:
  int saved_;
};

}  // namespace bobbin
