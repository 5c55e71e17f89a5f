// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Does a call of this library return to this address of the program? A call that is the last one of
// a function is a jump, and what it returns to belongs to a call of that function. False also where
// it cannot be told, as for a call by a register.
bool calls_own_code(const void* return_address);

}  // namespace bobbin
