/* SPDX-License-Identifier: Apache-2.0
 *
 * Entry points of LLVM's OpenMP runtime, for programs that call them as a compiler would.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int32_t reserved_1, flags, reserved_2, reserved_3;
  const char* source;
} Ident;

enum { kAtomicReduction = 0x10 };

static Ident kPlace = {0, 2, 0, 0, ";kmp_direct;kmp_direct;0;0;;"};

typedef int32_t CriticalName[8];
typedef void (*Microtask)(int32_t*, int32_t*, ...);
typedef struct {
  int64_t lower, upper, step;
} Dimension;
typedef struct {
  int32_t type, variable_type, test, outer;
  uint64_t lower, lower_factor, upper, upper_factor;
  int64_t step;
  uint64_t count;
} NestedLoop;

typedef struct {
  uintptr_t address;
  size_t length;
  uint8_t kind;
} TaskDependence;
typedef struct { /* compilers before LLVM 11 */
  void* original;
  size_t size;
  void (*initialise)(void*);
  void (*finalise)(void*);
  void (*combine)(void*, void*);
  uint32_t flags;
} OldTaskReduction;

int32_t __kmpc_global_thread_num(Ident*);
int32_t __kmpc_bound_thread_num(Ident*);
int32_t __kmpc_bound_num_threads(Ident*);
int32_t __kmpc_in_parallel(Ident*);
void __kmpc_fork_call(Ident*, int32_t, Microtask, ...);
void __kmpc_fork_call_if(Ident*, int32_t, Microtask, int32_t, void*);
void __kmpc_fork_teams(Ident*, int32_t, Microtask, ...);
void __kmpc_push_num_threads(Ident*, int32_t, int32_t);
void __kmpc_push_num_threads_strict(Ident*, int32_t, int32_t, int32_t, const char*);
void __kmpc_push_num_threads_list(Ident*, int32_t, uint32_t, int32_t*);
void __kmpc_pop_num_threads(Ident*, int32_t);
void __kmpc_push_num_teams(Ident*, int32_t, int32_t, int32_t);
void __kmpc_serialized_parallel(Ident*, int32_t);
void __kmpc_end_serialized_parallel(Ident*, int32_t);
void __kmpc_barrier(Ident*, int32_t);
int32_t __kmpc_barrier_master(Ident*, int32_t);
void __kmpc_end_barrier_master(Ident*, int32_t);
int32_t __kmpc_barrier_master_nowait(Ident*, int32_t);
int32_t __kmpc_masked(Ident*, int32_t, int32_t);
void __kmpc_end_masked(Ident*, int32_t);
int32_t __kmpc_single(Ident*, int32_t);
void __kmpc_end_single(Ident*, int32_t);
void __kmpc_copyprivate(Ident*, int32_t, size_t, void*, void (*)(void*, void*), int32_t);
void* __kmpc_copyprivate_light(Ident*, int32_t, void*);
void __kmpc_critical_with_hint(Ident*, int32_t, CriticalName*, uint32_t);
void __kmpc_end_critical(Ident*, int32_t, CriticalName*);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void**);
void GOMP_critical_name_end(void**);
int32_t __kmpc_reduce(Ident*, int32_t, int32_t, size_t, void*, void (*)(void*, void*),
                      CriticalName*);
void __kmpc_end_reduce(Ident*, int32_t, CriticalName*);
int32_t __kmpc_sections_init(Ident*, int32_t);
int32_t __kmpc_next_section(Ident*, int32_t, int32_t);
void __kmpc_end_sections(Ident*, int32_t);
void __kmpc_for_static_init_4(Ident*, int32_t, int32_t, int32_t*, int32_t*, int32_t*, int32_t*,
                              int32_t, int32_t);
void __kmpc_dist_for_static_init_8(Ident*, int32_t, int32_t, int32_t*, int64_t*, int64_t*, int64_t*,
                                   int64_t*, int64_t, int64_t);
void __kmpc_team_static_init_4u(Ident*, int32_t, int32_t*, uint32_t*, uint32_t*, int32_t*, int32_t,
                                int32_t);
void __kmpc_dist_dispatch_init_4(Ident*, int32_t, int32_t, int32_t*, int32_t, int32_t, int32_t,
                                 int32_t);
void __kmpc_dispatch_init_4(Ident*, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
int32_t __kmpc_dispatch_next_4(Ident*, int32_t, int32_t*, int32_t*, int32_t*, int32_t*);
void __kmpc_dispatch_fini_4(Ident*, int32_t);
void __kmpc_dispatch_init_4u(Ident*, int32_t, int32_t, uint32_t, uint32_t, int32_t, int32_t);
int32_t __kmpc_dispatch_next_4u(Ident*, int32_t, int32_t*, uint32_t*, uint32_t*, int32_t*);
void __kmpc_dispatch_init_8u(Ident*, int32_t, int32_t, uint64_t, uint64_t, int64_t, int64_t);
int32_t __kmpc_dispatch_next_8u(Ident*, int32_t, int32_t*, uint64_t*, uint64_t*, int64_t*);
void __kmpc_ordered(Ident*, int32_t);
void __kmpc_end_ordered(Ident*, int32_t);
void __kmpc_doacross_init(Ident*, int32_t, int32_t, const Dimension*);
void __kmpc_doacross_post(Ident*, int32_t, const int64_t*);
void __kmpc_doacross_wait(Ident*, int32_t, const int64_t*);
void __kmpc_doacross_fini(Ident*, int32_t);
uint64_t __kmpc_process_loop_nest_rectang(Ident*, int32_t, NestedLoop*, int32_t);
void __kmpc_calc_original_ivs_rectang(Ident*, uint64_t, const NestedLoop*, uint64_t*, int32_t);
int32_t __kmpc_for_collapsed_init(Ident*, int32_t, NestedLoop*, NestedLoop*, int32_t, int32_t*);
void* __kmpc_omp_task_alloc(Ident*, int32_t, int32_t, size_t, size_t, int32_t (*)(int32_t, void*));
int32_t __kmpc_omp_task(Ident*, int32_t, void*);
int32_t __kmpc_omp_task_with_deps(Ident*, int32_t, void*, int32_t, const TaskDependence*, int32_t,
                                  const TaskDependence*);
void __kmpc_proxy_task_completed(int32_t, void*);
void __kmpc_proxy_task_completed_ooo(void*);
void* __kmpc_task_reduction_init(int32_t, int32_t, const OldTaskReduction*);
void* __kmpc_task_reduction_modifier_init(Ident*, int32_t, int32_t, int32_t,
                                          const OldTaskReduction*);
void __kmpc_task_reduction_modifier_fini(Ident*, int32_t, int32_t);
void* __kmpc_task_reduction_get_th_data(int32_t, void*, void*);
void* __kmpc_threadprivate_cached(Ident*, int32_t, void*, size_t, void***);
void __kmpc_threadprivate_register(Ident*, void*, void* (*)(void*), void* (*)(void*, void*),
                                   void (*)(void*));
void __kmpc_init_lock(Ident*, int32_t, void**);
void __kmpc_destroy_lock(Ident*, int32_t, void**);
void __kmpc_set_lock(Ident*, int32_t, void**);
void __kmpc_unset_lock(Ident*, int32_t, void**);
int32_t __kmpc_test_lock(Ident*, int32_t, void**);
void __kmpc_init_nest_lock_with_hint(Ident*, int32_t, void**, uintptr_t);
void __kmpc_destroy_nest_lock(Ident*, int32_t, void**);
void __kmpc_set_nest_lock(Ident*, int32_t, void**);
void __kmpc_unset_nest_lock(Ident*, int32_t, void**);
int32_t __kmpc_test_nest_lock(Ident*, int32_t, void**);
int __kmpc_get_target_offload(void);

void kmp_create_affinity_mask(void**);
void kmp_destroy_affinity_mask(void**);
int kmp_set_affinity(void**);
int kmp_get_affinity(void**);
int kmp_get_affinity_max_proc(void);
int kmp_set_affinity_mask_proc(int, void**);
int kmp_unset_affinity_mask_proc(int, void**);
int kmp_get_affinity_mask_proc(int, void**);
void* kmp_malloc(size_t);
void* kmp_aligned_malloc(size_t, size_t);
void* kmp_calloc(size_t, size_t);
void* kmp_realloc(void*, size_t);
void kmp_free(void*);
void kmp_set_defaults(const char*);
void kmp_set_warnings_off(void);
