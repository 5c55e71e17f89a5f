/* SPDX-License-Identifier: Apache-2.0
 * Entry points of GCC's ABI as GCC declares them (gcc/omp-builtins.def), for programs that call
 * them by hand, because today's compilers no longer do, or not in every case. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef unsigned long long Ull;
typedef void (*Outlined)(void*);

void GOMP_parallel_start(Outlined fn, void* data, unsigned threads);
void GOMP_parallel_end(void);
void GOMP_parallel(Outlined fn, void* data, unsigned threads, unsigned flags);
void GOMP_parallel_loop_static_start(Outlined, void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(Outlined, void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(Outlined, void*, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(Outlined, void*, unsigned, long, long, long);
void GOMP_parallel_loop_static(Outlined, void*, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_dynamic(Outlined, void*, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_guided(Outlined, void*, unsigned, long, long, long, long, unsigned);
void GOMP_parallel_loop_runtime(Outlined, void*, unsigned, long, long, long, unsigned);
void GOMP_parallel_sections_start(Outlined, void*, unsigned, unsigned count);
void GOMP_parallel_sections(Outlined, void*, unsigned, unsigned count, unsigned flags);

bool GOMP_loop_static_start(long, long, long, long, long*, long*);
bool GOMP_loop_dynamic_start(long, long, long, long, long*, long*);
bool GOMP_loop_guided_start(long, long, long, long, long*, long*);
bool GOMP_loop_runtime_start(long, long, long, long*, long*);
bool GOMP_loop_static_next(long*, long*);
bool GOMP_loop_dynamic_next(long*, long*);
bool GOMP_loop_guided_next(long*, long*);
bool GOMP_loop_runtime_next(long*, long*);
bool GOMP_loop_ull_static_start(bool up, Ull, Ull, Ull, Ull, Ull*, Ull*);
bool GOMP_loop_ull_dynamic_start(bool up, Ull, Ull, Ull, Ull, Ull*, Ull*);
bool GOMP_loop_ull_guided_start(bool up, Ull, Ull, Ull, Ull, Ull*, Ull*);
bool GOMP_loop_ull_runtime_start(bool up, Ull, Ull, Ull, Ull*, Ull*);
bool GOMP_loop_ull_static_next(Ull*, Ull*);
bool GOMP_loop_ull_dynamic_next(Ull*, Ull*);
bool GOMP_loop_ull_guided_next(Ull*, Ull*);
bool GOMP_loop_ull_runtime_next(Ull*, Ull*);
bool GOMP_loop_ordered_static_start(long, long, long, long, long*, long*);
bool GOMP_loop_ordered_static_next(long*, long*);
bool GOMP_loop_ull_ordered_static_start(bool up, Ull, Ull, Ull, Ull, Ull*, Ull*);
bool GOMP_loop_ull_ordered_static_next(Ull*, Ull*);
bool GOMP_loop_start(long, long, long, long schedule, long chunk, long*, long*, Ull* reductions,
                     void** memory);
bool GOMP_loop_ull_start(bool up, Ull, Ull, Ull, long schedule, Ull chunk, Ull*, Ull*,
                         Ull* reductions, void** memory);
bool GOMP_loop_ordered_start(long, long, long, long schedule, long chunk, long*, long*, Ull*,
                             void**);
bool GOMP_loop_ull_ordered_start(bool up, Ull, Ull, Ull, long schedule, Ull chunk, Ull*, Ull*, Ull*,
                                 void**);
bool GOMP_loop_doacross_start(unsigned dimensions, long* counts, long schedule, long chunk, long*,
                              long*, Ull*, void**);
bool GOMP_loop_ull_doacross_start(unsigned dimensions, Ull* counts, long schedule, Ull chunk, Ull*,
                                  Ull*, Ull*, void**);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);

unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);

void GOMP_barrier(void);
void GOMP_task(Outlined fn, void* data, void (*copy)(void*, void*), long size, long alignment,
               bool if_clause, unsigned flags, void** depend, int priority, void* detach);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void** depend);

void GOMP_target(int device, Outlined fn, const void* unused, size_t count, void** addresses,
                 size_t* sizes, unsigned char* kinds);
void GOMP_target_data(int device, const void* unused, size_t count, void** addresses, size_t* sizes,
                      unsigned char* kinds);
void GOMP_target_end_data(void);
void GOMP_target_update(int device, const void* unused, size_t count, void** addresses,
                        size_t* sizes, unsigned char* kinds);
void GOMP_teams(unsigned teams, unsigned thread_limit);
