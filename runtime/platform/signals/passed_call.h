// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// What the thread has passed to the C library's syscall(). After a failed call neither the code
// there nor the registers tell the number, and on AArch64 nor the first argument.
struct PassedCall {
  int number = -1;
  uint64_t first_argument = 0;
};

[[gnu::tls_model("initial-exec")]] inline constinit thread_local PassedCall passed_call;

// While it exists, the thread is in such a call. A signal handler may pass another one meanwhile.
class PassingCall {
 public:
  PassingCall(long number, long first_argument) : outer_(passed_call) {
    passed_call = {static_cast<int>(number), static_cast<uint64_t>(first_argument)};
  }
  ~PassingCall() { passed_call = outer_; }
  PassingCall(const PassingCall&) = delete;
  PassingCall& operator=(const PassingCall&) = delete;

 private:
  PassedCall outer_;
};

// The C library's syscall(), written once at start-up. 0: not known.
inline constinit uintptr_t passing_function = 0;

}  // namespace bobbin
