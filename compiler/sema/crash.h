// SPDX-License-Identifier: Apache-2.0
// What ends the translator without a diagnostic: statements nested so deeply that the stack ends,
// and mistakes at which Clang crashes.
#pragma once

#include <functional>

namespace bobbin::translate {

// Calls the function in a thread whose stack suffices for some hundred thousand expressions in each
// other. If it ends all the same, the program ends with a message.
void run_on_large_stack(const std::function<void()>& function);

// Calls the function. False: it has crashed, and what it was doing is left as it was.
bool survives(const std::function<void()>& function);

}  // namespace bobbin::translate
