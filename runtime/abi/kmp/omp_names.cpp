// SPDX-License-Identifier: Apache-2.0
// ompc_*: the C bindings in libomp's omp.h for routines whose plain names it gives to Fortran. Also
// the predefined allocators and memory spaces as objects, and names that only Intel's programs
// know.
#include "abi/omp/omp_api.h"

BOBBIN_ENTRY void ompc_set_num_threads(int count) { omp_set_num_threads(count); }
BOBBIN_ENTRY void ompc_set_dynamic(int on) { omp_set_dynamic(on); }
BOBBIN_ENTRY void ompc_set_nested(int on) { omp_set_nested(on); }
BOBBIN_ENTRY void ompc_set_max_active_levels(int levels) { omp_set_max_active_levels(levels); }
BOBBIN_ENTRY void ompc_set_schedule(int kind, int chunk) { omp_set_schedule(kind, chunk); }
BOBBIN_ENTRY int ompc_get_ancestor_thread_num(int level) {
  return omp_get_ancestor_thread_num(level);
}
BOBBIN_ENTRY int ompc_get_team_size(int level) { return omp_get_team_size(level); }

BOBBIN_ENTRY void ompc_set_affinity_format(const char* format) { omp_set_affinity_format(format); }
BOBBIN_ENTRY std::size_t ompc_get_affinity_format(char* buffer, std::size_t size) {
  return omp_get_affinity_format(buffer, size);
}
BOBBIN_ENTRY void ompc_display_affinity(const char* format) { omp_display_affinity(format); }
BOBBIN_ENTRY std::size_t ompc_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return omp_capture_affinity(buffer, size, format);
}

#define BOBBIN_HANDLE(name, value) \
  extern "C" [[gnu::visibility("default")]] const std::uintptr_t name = value

BOBBIN_HANDLE(omp_null_allocator, 0);
BOBBIN_HANDLE(omp_default_mem_alloc, 1);
BOBBIN_HANDLE(omp_large_cap_mem_alloc, 2);
BOBBIN_HANDLE(omp_const_mem_alloc, 3);
BOBBIN_HANDLE(omp_high_bw_mem_alloc, 4);
BOBBIN_HANDLE(omp_low_lat_mem_alloc, 5);
BOBBIN_HANDLE(omp_cgroup_mem_alloc, 6);
BOBBIN_HANDLE(omp_pteam_mem_alloc, 7);
BOBBIN_HANDLE(omp_thread_mem_alloc, 8);
BOBBIN_HANDLE(omp_target_host_mem_alloc, 100);
BOBBIN_HANDLE(omp_target_shared_mem_alloc, 101);
BOBBIN_HANDLE(omp_target_device_mem_alloc, 102);
BOBBIN_HANDLE(kmp_max_mem_alloc, 1024);  // the first one that is not predefined

BOBBIN_HANDLE(omp_null_mem_space, 0);
BOBBIN_HANDLE(omp_default_mem_space, 99);
BOBBIN_HANDLE(omp_large_cap_mem_space, 1);
BOBBIN_HANDLE(omp_const_mem_space, 2);
BOBBIN_HANDLE(omp_high_bw_mem_space, 3);
BOBBIN_HANDLE(omp_low_lat_mem_space, 4);
BOBBIN_HANDLE(omp_target_host_mem_space, 100);
BOBBIN_HANDLE(omp_target_shared_mem_space, 101);
BOBBIN_HANDLE(omp_target_device_mem_space, 102);
BOBBIN_HANDLE(kmp_max_mem_space, 1024);

// Object files refer to these, so that the linker or the loader notices a missing OpenMP library.
extern "C" {
[[gnu::visibility("default")]] int _You_must_link_with_exactly_one_OpenMP_library = 1;
[[gnu::visibility("default")]] int _You_must_link_with_Intel_OpenMP_library = 1;
}

// Initialisers of the Fortran modules. Programs of ifort and ifx that use the modules call them.
BOBBIN_ENTRY void omp_lib_module() asm("omp_lib._");
BOBBIN_ENTRY void omp_lib_module() {}
BOBBIN_ENTRY void omp_lib_kinds_module() asm("omp_lib_kinds._");
BOBBIN_ENTRY void omp_lib_kinds_module() {}
