// SPDX-License-Identifier: Apache-2.0
#pragma once

// The target construct (section 13.8). The only device is the host. All data is present, so what
// remains is to run the region as an initial task of its own. If the program has libomptarget, that
// library knows other devices.
namespace bobbin {

inline constexpr int kDefaultDevice = -1;  // default-device-var, in a construct
inline constexpr int kInitialDevice = -1;  // omp_initial_device, everywhere else
inline constexpr int kHostByClause = -2;   // the if clause is false
// The default device by name, omp_default_device of OpenMP 6.1: GCC 16 has it in omp.h; GCC 15
// passes it to routines for a dispatch construct without a device clause.
inline constexpr int kNamedDefaultDevice = -5;

// The result of libomptarget's routine `name`; `otherwise` if there is none.
int ask_libomptarget(const char* name, int otherwise);

// The host's device number comes after those of the other devices.
int host_number();

// Does a routine's argument name the host, directly or as the default device?
bool is_host_device(int device);

// Ends the program if OMP_TARGET_OFFLOAD=mandatory forbids using the host for that device. With
// omp_invalid_device (kNoDevice) it always ends the program.
void check_device(int device);

// thread_limit: 0 if there is no such clause.
void run_target(void (*function)(void*), void* data, unsigned thread_limit);

}  // namespace bobbin
