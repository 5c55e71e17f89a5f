/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spawn and sync: functions that may run at the same time as their caller.
 *
 *   struct call { int n; long result; };
 *
 *   void fib(void* argument) {
 *     struct call* call = argument;
 *     if (call->n < 2) { call->result = call->n; return; }
 *     struct call a = {call->n - 1, 0}, b = {call->n - 2, 0};
 *     bobbin_scope scope = BOBBIN_SCOPE;
 *     bobbin_spawn(&scope, fib, &a);
 *     fib(&b);
 *     bobbin_sync(&scope);
 *     call->result = a.result + b.result;
 *   }
 *
 *   struct call top = {30, 0};
 *   bobbin_parallel(fib, &top, 0);
 *
 * A spawned function is an OpenMP task, untied and mergeable: any thread of the current team may
 * execute it. If enough tasks already wait for other threads, it is called at once, which costs a
 * comparison more than the call. In a team of one thread, and so outside of parallel regions, it is
 * always called at once. The caller cannot know which of the two happens. No spawned function may
 * wait for a later one, or throw.
 *
 * Build with the include directory and -lbobbin; no option of the compiler is needed. Regions and
 * tasks of OpenMP may be around a scope and in spawned functions. docs/spawn.md tells how they work
 * together.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "inline/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

/*
 * All functions spawned in a scope have ended when bobbin_sync returns. A scope is usually a
 * variable of the function that spawns. It must not end before it is synced. The calling function
 * may spawn in it, and so may functions that are spawned in it.
 */
typedef struct bobbin_scope {
  void* tasks; /* the runtime's; NULL as long as all functions were called at once */
  void* reserved;
} bobbin_scope;

#define BOBBIN_SCOPE {NULL, NULL}

/*
 * Forks a parallel region of `threads` threads (0: as OMP_NUM_THREADS says) in which one thread
 * calls function(data) and the others execute spawned functions. Within a region of several threads
 * it only calls the function, and these threads share the functions that it spawns.
 */
void bobbin_parallel(void (*function)(void*), void* data, unsigned threads);

/* Calls function(data), perhaps by another thread and later; `data` must last until then. */
static inline void bobbin_spawn(bobbin_scope* scope, void (*function)(void*), void* data);

/*
 * The same with a copy of the `size` bytes at `data`, which may be gone when this returns. The
 * function gets the address of the copy, or `data` itself if it is called at once, and must not
 * change the bytes there.
 */
static inline void bobbin_spawn_copy(bobbin_scope* scope, void (*function)(void*), const void* data,
                                     size_t size);

/*
 * Waits until all functions spawned in the scope have ended. Meanwhile the thread executes spawned
 * functions, these or others, so it must not hold a lock that they may set. The scope may be used
 * again.
 */
static inline void bobbin_sync(bobbin_scope* scope);

/* --- Implementation, for the functions above only. It is compiled into programs, so it must not
 * change. A library that needs another one gives it other names. */

void bobbin_spawn_slowly(bobbin_scope* scope, void (*function)(void*), void* data);
void bobbin_spawn_copy_slowly(bobbin_scope* scope, void (*function)(void*), const void* data,
                              size_t size);
void bobbin_sync_slowly(bobbin_scope* scope);

static inline __attribute__((always_inline)) int bobbin_calls_at_once_(void) {
  const struct bobbin_thread_v1* self = bobbin_self_();
  if (__builtin_expect(!self, 0)) return 0;
  return __builtin_expect((uintptr_t)__builtin_frame_address(0) >=
                              __atomic_load_n(&self->in_place_from, __ATOMIC_RELAXED),
                          1) != 0;
}

static inline __attribute__((always_inline)) void bobbin_spawn(bobbin_scope* scope,
                                                               void (*function)(void*),
                                                               void* data) {
  if (bobbin_calls_at_once_())
    function(data);
  else
    bobbin_spawn_slowly(scope, function, data);
}

static inline __attribute__((always_inline)) void bobbin_spawn_copy(bobbin_scope* scope,
                                                                    void (*function)(void*),
                                                                    const void* data, size_t size) {
  if (bobbin_calls_at_once_())
    function((void*)data);
  else
    bobbin_spawn_copy_slowly(scope, function, data, size);
}

static inline __attribute__((always_inline)) void bobbin_sync(bobbin_scope* scope) {
  if (__builtin_expect(!!scope->tasks, 0)) bobbin_sync_slowly(scope);
}

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
