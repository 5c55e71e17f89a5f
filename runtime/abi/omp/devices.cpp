// SPDX-License-Identifier: Apache-2.0
//
// Device routines (OpenMP 5.2, sections 18.7 and 18.8) of a system whose only device is the host:
// device memory is the program's own. Programs of clang with other devices call libomptarget's.
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "abi/omp/omp_api.h"
#include "construct/regions/target.h"
#include "construct/worksharing/rectangle.h"
#include "task/model/icvs.h"

using namespace bobbin;

namespace {

constexpr const char* kHostUid = "OMP_INITIAL_DEVICE";

}  // namespace

void omp_set_default_device(int device) {
  if (device == kNamedDefaultDevice) return;
  const bool possible = device >= kInitialDevice || device == kNoDevice;
  IcvChange()->default_device = possible ? device : host_number();
}

// With OMP_TARGET_OFFLOAD=mandatory there is no default device if the host is the only one. Whether
// libomptarget has other devices is not known before a program asks.
int omp_get_default_device() {
  const int device = current_icvs().default_device;
  const bool by_environment = device == kNoDevice && global_icvs().initial.default_device == device;
  return by_environment && omp_get_num_devices() > 0 ? 0 : device;
}

int omp_get_num_devices() { return ask_libomptarget("omp_get_num_devices", 0); }

int omp_get_initial_device() { return host_number(); }

int omp_is_initial_device() { return 1; }

int omp_get_device_num() { return ask_libomptarget("omp_get_device_num", 0); }

void* omp_target_alloc(std::size_t size, int device) {
  return is_host_device(device) ? std::malloc(size) : nullptr;
}

void omp_target_free(void* memory, int device) {
  if (is_host_device(device)) std::free(memory);
}

int omp_target_is_present(const void*, int device) { return is_host_device(device) ? 1 : 0; }

// An empty range is not accessible anywhere.
int omp_target_is_accessible(const void* pointer, std::size_t size, int device) {
  return pointer != nullptr && size != 0 && is_host_device(device) ? 1 : 0;
}

void* omp_get_mapped_ptr(const void* pointer, int device) {
  return is_host_device(device) ? const_cast<void*>(pointer) : nullptr;
}

// The host's pointers have no association and need none.
int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int) {
  return EINVAL;
}

int omp_target_disassociate_ptr(const void*, int) { return EINVAL; }

int omp_target_memcpy(void* to, const void* from, std::size_t length, std::size_t to_offset,
                      std::size_t from_offset, int to_device, int from_device) {
  if (!is_host_device(to_device) || !is_host_device(from_device)) return EINVAL;
  if (length != 0) {
    std::memcpy(static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset,
                length);
  }
  return 0;
}

int omp_target_memcpy_rect(void* to, const void* from, std::size_t element_size, int dimensions,
                           const std::size_t* volume, const std::size_t* to_offsets,
                           const std::size_t* from_offsets, const std::size_t* to_dimensions,
                           const std::size_t* from_dimensions, int to_device, int from_device) {
  // Null for both pointers asks for the largest number of dimensions.
  if (to == nullptr && from == nullptr) return INT_MAX;
  if (!is_host_device(to_device) || !is_host_device(from_device)) return EINVAL;
  const RectangleCopy copy{to,         from,         element_size,  dimensions,     volume,
                           to_offsets, from_offsets, to_dimensions, from_dimensions};
  return copy_rectangle(copy) ? 0 : EINVAL;
}

void* omp_target_memset(void* pointer, int value, std::size_t count, int device) {
  if (is_host_device(device) && count != 0) std::memset(pointer, value, count);
  return pointer;
}

int omp_get_device_from_uid(const char* uid) {
  return uid != nullptr && std::strcmp(uid, kHostUid) == 0 ? host_number() : kNoDevice;
}

const char* omp_get_uid_from_device(int device) {
  return is_host_device(device) ? kHostUid : nullptr;
}

// The host's teams and leagues have one dimension, of any extent.

int omp_get_supported_active_team_dims(int, int) { return 1; }

int omp_get_supported_active_league_dims(int, int) { return 1; }

int omp_get_supported_threads_dim(int, int dimension) { return dimension == 0 ? INT_MAX : 1; }

int omp_get_supported_teams_dim(int, int dimension) { return dimension == 0 ? INT_MAX : 1; }

// The distances from the host; -1: there is no such device.
void omp_get_device_distances(int count, const int* devices, int* distances) {
  for (int i = 0; i < count; i++) distances[i] = is_host_device(devices[i]) ? 0 : -1;
}
