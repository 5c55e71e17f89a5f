// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// The state that the C++ runtime library keeps in TLS about exceptions in progress (Itanium C++
// ABI, exception handling, 2.2.2). Code that continues under another thread pointer must take it
// along.
struct ExceptionState {
  void* caught = nullptr;  // the stack of exceptions being handled
  unsigned uncaught = 0;
};

// Installs `load` as the calling kernel thread's state and stores the old state in `save`. Does
// nothing in programs without C++.
void exchange_exceptions(ExceptionState& save, const ExceptionState& load);

}  // namespace bobbin
