// SPDX-License-Identifier: Apache-2.0
//
// Fortran's names of the routines on time, resources, devices and memory.
#include "abi/omp/fortran.h"
#include "abi/omp/omp_api.h"

using bobbin::nearest_int;

// --- Time, the environment, resources.

BOBBIN_ENTRY double omp_get_wtime_() { return omp_get_wtime(); }
BOBBIN_ENTRY double omp_get_wtick_() { return omp_get_wtick(); }
BOBBIN_ENTRY void omp_display_env_(const std::int32_t* verbose) { omp_display_env(*verbose); }
BOBBIN_ENTRY void omp_display_env_8_(const std::int64_t* verbose) {
  omp_display_env(*verbose != 0);
}
BOBBIN_ENTRY std::int32_t omp_pause_resource_(const std::int32_t* kind,
                                              const std::int32_t* device) {
  return omp_pause_resource(*kind, *device);
}
BOBBIN_ENTRY std::int32_t omp_pause_resource_all_(const std::int32_t* kind) {
  return omp_pause_resource_all(*kind);
}
BOBBIN_ENTRY std::int32_t omp_control_tool_(const std::int32_t* command,
                                            const std::int32_t* modifier, void* argument) {
  return omp_control_tool(*command, *modifier, argument);
}
BOBBIN_ENTRY std::int32_t omp_control_tool_8_(const std::int64_t* command,
                                              const std::int64_t* modifier, void* argument) {
  return omp_control_tool(nearest_int(*command), nearest_int(*modifier), argument);
}

// --- Devices.

BOBBIN_ENTRY void omp_set_default_device_(const std::int32_t* device) {
  omp_set_default_device(*device);
}
BOBBIN_ENTRY void omp_set_default_device_8_(const std::int64_t* device) {
  omp_set_default_device(nearest_int(*device));
}
BOBBIN_ENTRY std::int32_t omp_get_default_device_() { return omp_get_default_device(); }
BOBBIN_ENTRY std::int32_t omp_get_num_devices_() { return omp_get_num_devices(); }
BOBBIN_ENTRY std::int32_t omp_get_initial_device_() { return omp_get_initial_device(); }
BOBBIN_ENTRY std::int32_t omp_is_initial_device_() { return omp_is_initial_device(); }
BOBBIN_ENTRY std::int32_t omp_get_device_num_() { return omp_get_device_num(); }

// --- Memory. The other routines have bind(c) interfaces.

BOBBIN_ENTRY std::uintptr_t omp_init_allocator_(const std::uintptr_t* space,
                                                const std::int32_t* count,
                                                const bobbin::AllocTraitItem* traits) {
  return omp_init_allocator(*space, *count, traits);
}
BOBBIN_ENTRY std::uintptr_t omp_init_allocator_8_(const std::uintptr_t* space,
                                                  const std::int64_t* count,
                                                  const bobbin::AllocTraitItem* traits) {
  return omp_init_allocator(*space, nearest_int(*count), traits);
}
BOBBIN_ENTRY void omp_destroy_allocator_(const std::uintptr_t* allocator) {
  omp_destroy_allocator(*allocator);
}
BOBBIN_ENTRY void omp_set_default_allocator_(const std::uintptr_t* allocator) {
  omp_set_default_allocator(*allocator);
}
BOBBIN_ENTRY std::uintptr_t omp_get_default_allocator_() { return omp_get_default_allocator(); }
