// SPDX-License-Identifier: Apache-2.0
#pragma once

// The target construct (section 13.8). The only device is the host: all data is present where it
// is, and what remains is to run the region as an initial task of its own.
namespace bobbin {

inline constexpr int kDefaultDevice = -1;  // default-device-var
inline constexpr int kHostByClause = -2;   // the if clause is false

// Ends the program if OMP_TARGET_OFFLOAD=mandatory forbids to use the host for that device.
void check_device(int device);

// thread_limit: 0 if there is no such clause.
void run_target(void (*function)(void*), void* data, unsigned thread_limit);

}  // namespace bobbin
