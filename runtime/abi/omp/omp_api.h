// SPDX-License-Identifier: Apache-2.0
//
// The omp_* routines of <omp.h>. Their types are spelt by representation: enumerations are int,
// except the handles, which are uintptr_t. (The compiler's own <omp.h> differs between versions and
// declares only what that version knows.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/export.h"
#include "env/allocator_traits.h"

// omp_lock_t and omp_nest_lock_t of GCC; other compilers' are at least as large.
struct omp_lock_t {
  std::uint32_t word;
};
struct omp_nest_lock_t {
  std::uint64_t words[2];
};

// --- Teams, threads and their ICVs.
BOBBIN_ENTRY void omp_set_num_threads(int count);
BOBBIN_ENTRY int omp_get_num_threads();
BOBBIN_ENTRY int omp_get_max_threads();
BOBBIN_ENTRY int omp_get_thread_num();
BOBBIN_ENTRY int omp_get_num_procs();
BOBBIN_ENTRY int omp_in_parallel();
BOBBIN_ENTRY void omp_set_dynamic(int on);
BOBBIN_ENTRY int omp_get_dynamic();
BOBBIN_ENTRY void omp_set_nested(int on);
BOBBIN_ENTRY int omp_get_nested();
BOBBIN_ENTRY void omp_set_schedule(int kind, int chunk);
BOBBIN_ENTRY void omp_get_schedule(int* kind, int* chunk);
BOBBIN_ENTRY int omp_get_thread_limit();
BOBBIN_ENTRY void omp_set_max_active_levels(int levels);
BOBBIN_ENTRY int omp_get_max_active_levels();
BOBBIN_ENTRY int omp_get_supported_active_levels();
BOBBIN_ENTRY int omp_get_level();
BOBBIN_ENTRY int omp_get_active_level();
BOBBIN_ENTRY int omp_get_ancestor_thread_num(int level);
BOBBIN_ENTRY int omp_get_team_size(int level);
BOBBIN_ENTRY int omp_get_cancellation();
BOBBIN_ENTRY int omp_get_num_teams();
BOBBIN_ENTRY int omp_get_team_num();
// OpenMP 6.1, for teams and leagues of several dimensions.
BOBBIN_ENTRY int omp_get_num_threads_dim(int dimension);
BOBBIN_ENTRY int omp_get_thread_num_dim(int dimension);
BOBBIN_ENTRY int omp_get_thread_limit_dim(int dimension);
BOBBIN_ENTRY int omp_get_num_teams_dim(int dimension);
BOBBIN_ENTRY int omp_get_team_num_dim(int dimension);
BOBBIN_ENTRY void omp_set_num_teams(int count);
BOBBIN_ENTRY int omp_get_max_teams();
BOBBIN_ENTRY void omp_set_teams_thread_limit(int limit);
BOBBIN_ENTRY int omp_get_teams_thread_limit();

// --- Tasks.
BOBBIN_ENTRY int omp_in_final();
BOBBIN_ENTRY int omp_in_explicit_task();
BOBBIN_ENTRY int omp_is_free_agent();
BOBBIN_ENTRY int omp_ancestor_is_free_agent(int level);
BOBBIN_ENTRY int omp_get_max_task_priority();
BOBBIN_ENTRY void omp_fulfill_event(std::uintptr_t event);

// --- Places and affinity.
BOBBIN_ENTRY int omp_get_proc_bind();
BOBBIN_ENTRY int omp_get_num_places();
BOBBIN_ENTRY int omp_get_place_num_procs(int place);
BOBBIN_ENTRY void omp_get_place_proc_ids(int place, int* ids);
BOBBIN_ENTRY int omp_get_place_num();
BOBBIN_ENTRY int omp_get_partition_num_places();
BOBBIN_ENTRY void omp_get_partition_place_nums(int* places);
BOBBIN_ENTRY void omp_set_affinity_format(const char* format);
BOBBIN_ENTRY std::size_t omp_get_affinity_format(char* buffer, std::size_t size);
BOBBIN_ENTRY void omp_display_affinity(const char* format);
BOBBIN_ENTRY std::size_t omp_capture_affinity(char* buffer, std::size_t size, const char* format);

// --- Locks.
BOBBIN_ENTRY void omp_init_lock(omp_lock_t* lock);
BOBBIN_ENTRY void omp_init_lock_with_hint(omp_lock_t* lock, int hint);
BOBBIN_ENTRY void omp_destroy_lock(omp_lock_t* lock);
BOBBIN_ENTRY void omp_set_lock(omp_lock_t* lock);
BOBBIN_ENTRY void omp_unset_lock(omp_lock_t* lock);
BOBBIN_ENTRY int omp_test_lock(omp_lock_t* lock);
BOBBIN_ENTRY void omp_init_nest_lock(omp_nest_lock_t* lock);
BOBBIN_ENTRY void omp_init_nest_lock_with_hint(omp_nest_lock_t* lock, int hint);
BOBBIN_ENTRY void omp_destroy_nest_lock(omp_nest_lock_t* lock);
BOBBIN_ENTRY void omp_set_nest_lock(omp_nest_lock_t* lock);
BOBBIN_ENTRY void omp_unset_nest_lock(omp_nest_lock_t* lock);
BOBBIN_ENTRY int omp_test_nest_lock(omp_nest_lock_t* lock);

// --- Time, the environment, resources.
BOBBIN_ENTRY double omp_get_wtime();
BOBBIN_ENTRY double omp_get_wtick();
BOBBIN_ENTRY void omp_display_env(int verbose);
BOBBIN_ENTRY int omp_pause_resource(int kind, int device);
BOBBIN_ENTRY int omp_pause_resource_all(int kind);
BOBBIN_ENTRY int omp_control_tool(int command, int modifier, void* argument);

// --- Memory.
BOBBIN_ENTRY std::uintptr_t omp_init_allocator(std::uintptr_t space, int count,
                                               const bobbin::AllocTraitItem* traits);
BOBBIN_ENTRY void omp_destroy_allocator(std::uintptr_t allocator);
BOBBIN_ENTRY void omp_set_default_allocator(std::uintptr_t allocator);
BOBBIN_ENTRY std::uintptr_t omp_get_default_allocator();
BOBBIN_ENTRY void* omp_alloc(std::size_t size, std::uintptr_t allocator);
BOBBIN_ENTRY void* omp_aligned_alloc(std::size_t alignment, std::size_t size,
                                     std::uintptr_t allocator);
BOBBIN_ENTRY void* omp_calloc(std::size_t count, std::size_t size, std::uintptr_t allocator);
BOBBIN_ENTRY void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t size,
                                      std::uintptr_t allocator);
BOBBIN_ENTRY void* omp_realloc(void* memory, std::size_t size, std::uintptr_t allocator,
                               std::uintptr_t free_allocator);
BOBBIN_ENTRY void omp_free(void* memory, std::uintptr_t allocator);

// --- Devices. The host is the only one.
BOBBIN_ENTRY void omp_set_default_device(int device);
BOBBIN_ENTRY int omp_get_default_device();
BOBBIN_ENTRY int omp_get_num_devices();
BOBBIN_ENTRY int omp_get_initial_device();
BOBBIN_ENTRY int omp_is_initial_device();
BOBBIN_ENTRY int omp_get_device_num();
BOBBIN_ENTRY void* omp_target_alloc(std::size_t size, int device);
BOBBIN_ENTRY void omp_target_free(void* memory, int device);
BOBBIN_ENTRY int omp_target_is_present(const void* pointer, int device);
BOBBIN_ENTRY int omp_target_is_accessible(const void* pointer, std::size_t size, int device);
BOBBIN_ENTRY void* omp_get_mapped_ptr(const void* pointer, int device);
BOBBIN_ENTRY int omp_target_associate_ptr(const void* host, const void* pointer, std::size_t size,
                                          std::size_t offset, int device);
BOBBIN_ENTRY int omp_target_disassociate_ptr(const void* pointer, int device);
BOBBIN_ENTRY int omp_target_memcpy(void* to, const void* from, std::size_t length,
                                   std::size_t to_offset, std::size_t from_offset, int to_device,
                                   int from_device);
BOBBIN_ENTRY int omp_target_memcpy_async(void* to, const void* from, std::size_t length,
                                         std::size_t to_offset, std::size_t from_offset,
                                         int to_device, int from_device, int depobj_count,
                                         void* depobjs);
BOBBIN_ENTRY int omp_target_memcpy_rect(void* to, const void* from, std::size_t element_size,
                                        int dimensions, const std::size_t* volume,
                                        const std::size_t* to_offsets,
                                        const std::size_t* from_offsets,
                                        const std::size_t* to_dimensions,
                                        const std::size_t* from_dimensions, int to_device,
                                        int from_device);
BOBBIN_ENTRY int omp_target_memcpy_rect_async(void* to, const void* from, std::size_t element_size,
                                              int dimensions, const std::size_t* volume,
                                              const std::size_t* to_offsets,
                                              const std::size_t* from_offsets,
                                              const std::size_t* to_dimensions,
                                              const std::size_t* from_dimensions, int to_device,
                                              int from_device, int depobj_count, void* depobjs);
BOBBIN_ENTRY void* omp_target_memset(void* pointer, int value, std::size_t count, int device);
BOBBIN_ENTRY void* omp_target_memset_async(void* pointer, int value, std::size_t count, int device,
                                           int depobj_count, void* depobjs);
BOBBIN_ENTRY int omp_get_device_from_uid(const char* uid);
// OpenMP 6.1.
BOBBIN_ENTRY int omp_get_supported_active_team_dims(int device, int dimensions);
BOBBIN_ENTRY int omp_get_supported_active_league_dims(int device, int dimensions);
BOBBIN_ENTRY int omp_get_supported_threads_dim(int device, int dimension);
BOBBIN_ENTRY int omp_get_supported_teams_dim(int device, int dimension);
BOBBIN_ENTRY void omp_get_device_distances(int count, const int* devices, int* distances);
BOBBIN_ENTRY const char* omp_get_uid_from_device(int device);

// --- Interoperability objects; omp_interop_t is uintptr_t, omp_intptr_t is intptr_t.
BOBBIN_ENTRY int omp_get_num_interop_properties(std::uintptr_t interop);
BOBBIN_ENTRY std::intptr_t omp_get_interop_int(std::uintptr_t interop, int property, int* result);
BOBBIN_ENTRY void* omp_get_interop_ptr(std::uintptr_t interop, int property, int* result);
BOBBIN_ENTRY const char* omp_get_interop_str(std::uintptr_t interop, int property, int* result);
BOBBIN_ENTRY const char* omp_get_interop_name(std::uintptr_t interop, int property);
BOBBIN_ENTRY const char* omp_get_interop_type_desc(std::uintptr_t interop, int property);
BOBBIN_ENTRY const char* omp_get_interop_rc_desc(std::uintptr_t interop, int result);
