// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// What the C++ runtime library keeps in TLS of the exceptions under way (Itanium C++ ABI, exception
// handling, 2.2.2): code that goes on under another thread pointer must bring it along.
struct ExceptionState {
  void* caught = nullptr;  // the stack of those being handled
  unsigned uncaught = 0;
};

// Makes `load` the calling kernel thread's and keeps what it had in `save`. Does nothing in
// programs without C++.
void exchange_exceptions(ExceptionState& save, const ExceptionState& load);

}  // namespace bobbin
