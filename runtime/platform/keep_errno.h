// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>

namespace bobbin {

// Around calls that may fail where a thread of the program waits, yields or makes a task: errno is
// the program's. Not around a switch of contexts.
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
