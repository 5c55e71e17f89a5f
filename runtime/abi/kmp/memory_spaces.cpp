// SPDX-License-Identifier: Apache-2.0
// Memory spaces of several devices (OpenMP 6.0, chapter 27), in versions of libomp later than 19.
// This runtime knows only the host's memory, and each space on it is one resource. If another
// device is involved, the answer is that there is no such space.
#include <algorithm>
#include <span>

#include "abi/omp/omp_api.h"
#include "construct/regions/target.h"
#include "env/icv.h"

namespace {

using Space = std::uintptr_t;
using Allocator = std::uintptr_t;

// The numbers in the headers that declare these routines.
constexpr Space kNullSpace = 0;
constexpr Space kDefaultSpace = 99;
constexpr Space kOtherSpaces = 4;  // this many, numbered from 1

bool is_predefined(Space space) {
  return space == kDefaultSpace || (space > kNullSpace && space <= kOtherSpaces);
}

bool are_host(int count, const int* devices) {
  return count >= 0 && (count == 0 || devices != nullptr) &&
         std::ranges::all_of(std::span(devices, static_cast<std::size_t>(count)),
                             bobbin::is_host_device);
}

Space on_host(bool only, Space space) { return only && is_predefined(space) ? space : kNullSpace; }

// The allocator of the space with the default traits. The predefined allocators are in the order of
// their spaces.
Allocator allocator_of(Space space) {
  if (space == kNullSpace) return bobbin::kNullAllocator;
  return space == kDefaultSpace ? bobbin::kDefaultMemAlloc : bobbin::kDefaultMemAlloc + space;
}

}  // namespace

// Fortran's names take all arguments by reference.

BOBBIN_ENTRY Space omp_get_devices_memspace(int count, const int* devices, Space space) {
  return on_host(count > 0 && are_host(count, devices), space);
}
BOBBIN_ENTRY Space omp_get_devices_memspace_(const int* count, const int* devices,
                                             const Space* space) {
  return omp_get_devices_memspace(*count, devices, *space);
}

BOBBIN_ENTRY Space omp_get_device_memspace(int device, Space space) {
  return on_host(bobbin::is_host_device(device), space);
}
BOBBIN_ENTRY Space omp_get_device_memspace_(const int* device, const Space* space) {
  return omp_get_device_memspace(*device, *space);
}

BOBBIN_ENTRY Space omp_get_devices_and_host_memspace(int count, const int* devices, Space space) {
  return on_host(are_host(count, devices), space);
}
BOBBIN_ENTRY Space omp_get_devices_and_host_memspace_(const int* count, const int* devices,
                                                      const Space* space) {
  return omp_get_devices_and_host_memspace(*count, devices, *space);
}

BOBBIN_ENTRY Space omp_get_device_and_host_memspace(int device, Space space) {
  return on_host(bobbin::is_host_device(device), space);
}
BOBBIN_ENTRY Space omp_get_device_and_host_memspace_(const int* device, const Space* space) {
  return omp_get_device_and_host_memspace(*device, *space);
}

BOBBIN_ENTRY Space omp_get_devices_all_memspace(Space space) {
  return on_host(omp_get_num_devices() == 0, space);
}
BOBBIN_ENTRY Space omp_get_devices_all_memspace_(const Space* space) {
  return omp_get_devices_all_memspace(*space);
}

BOBBIN_ENTRY Allocator omp_get_devices_allocator(int count, const int* devices, Space space) {
  return allocator_of(omp_get_devices_memspace(count, devices, space));
}
BOBBIN_ENTRY Allocator omp_get_devices_allocator_(const int* count, const int* devices,
                                                  const Space* space) {
  return omp_get_devices_allocator(*count, devices, *space);
}

BOBBIN_ENTRY Allocator omp_get_device_allocator(int device, Space space) {
  return allocator_of(omp_get_device_memspace(device, space));
}
BOBBIN_ENTRY Allocator omp_get_device_allocator_(const int* device, const Space* space) {
  return omp_get_device_allocator(*device, *space);
}

BOBBIN_ENTRY Allocator omp_get_devices_and_host_allocator(int count, const int* devices,
                                                          Space space) {
  return allocator_of(omp_get_devices_and_host_memspace(count, devices, space));
}
BOBBIN_ENTRY Allocator omp_get_devices_and_host_allocator_(const int* count, const int* devices,
                                                           const Space* space) {
  return omp_get_devices_and_host_allocator(*count, devices, *space);
}

BOBBIN_ENTRY Allocator omp_get_device_and_host_allocator(int device, Space space) {
  return allocator_of(omp_get_device_and_host_memspace(device, space));
}
BOBBIN_ENTRY Allocator omp_get_device_and_host_allocator_(const int* device, const Space* space) {
  return omp_get_device_and_host_allocator(*device, *space);
}

BOBBIN_ENTRY Allocator omp_get_devices_all_allocator(Space space) {
  return allocator_of(omp_get_devices_all_memspace(space));
}
BOBBIN_ENTRY Allocator omp_get_devices_all_allocator_(const Space* space) {
  return omp_get_devices_all_allocator(*space);
}

BOBBIN_ENTRY int omp_get_memspace_num_resources(Space space) {
  return is_predefined(space) ? 1 : 0;
}
BOBBIN_ENTRY int omp_get_memspace_num_resources_(const Space* space) {
  return omp_get_memspace_num_resources(*space);
}

// `resources`: numbers from 0 on.
BOBBIN_ENTRY Space omp_get_submemspace(Space space, int count, const int* resources) {
  return on_host(count == 1 && resources != nullptr && *resources == 0, space);
}
BOBBIN_ENTRY Space omp_get_submemspace_(const Space* space, const int* count,
                                        const int* resources) {
  return omp_get_submemspace(*space, *count, resources);
}
