// SPDX-License-Identifier: Apache-2.0
// What GOMP_task does with its arguments. The quick decision is inlined into the entry point, which
// has no frame before it. All that follows is out of line.
#pragma once

#include "abi/gomp/task_flags.h"
#include "task/create/decision.h"
#include "task/create/in_place.h"

namespace bobbin::gomp {

// The last arguments. On x86-64 they are passed in memory, whether one by one or together.
struct RestOfCall {
  alignas(8) unsigned flags;
  alignas(8) void** depend;
  alignas(8) int priority;
  alignas(8) void* event_handle;
};

void create_described_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                           long size, long alignment, bool if_clause, RestOfCall rest);

// The if clause is false, or the task or the current one is final.
void create_undeferred_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                            long size, long alignment, bool if_clause, RestOfCall rest);

// No clause matters, and the task is not surely to be executed in place.
template <bool kTied>
void create_deferred_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                          long size, long alignment, bool if_clause, RestOfCall rest);

void create_untied_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long size,
                        long alignment, bool if_clause, RestOfCall rest);

template <bool kTied>
void take_fast_path(void (*function)(void*), void* data, Thread& thread);

template <bool kTied>
void take_fast_path_with_copy(void (*function)(void*), void* data, void (*copy)(void*, void*),
                              Thread& thread);

// The case that must be fast.
template <bool kTied>
[[gnu::always_inline]] inline void create_plain_task(void (*function)(void*), void* data,
                                                     void (*copy)(void*, void*), long size,
                                                     long alignment, RestOfCall& rest) {
  Thread* thread = tls_thread;
  if (thread == nullptr || !permitted_in_place(*thread)) [[unlikely]] {
    create_deferred_task<kTied>(function, data, copy, size, alignment, true, rest);
  } else if (copy == nullptr) {
    take_fast_path<kTied>(function, data, *thread);
  } else if (is_small_copy(size, alignment)) {
    take_fast_path_with_copy<kTied>(function, data, copy, *thread);
  } else {
    run_copy_in_place(function, data, copy, static_cast<size_t>(size),
                      static_cast<size_t>(alignment), *thread, false, kTied);
  }
}

[[gnu::always_inline]] inline void create(void (*function)(void*), void* data,
                                          void (*copy)(void*, void*), long size, long alignment,
                                          bool if_clause, RestOfCall& rest) {
  if ((rest.flags & ~kMergeable) == 0 && if_clause) [[likely]] {
    create_plain_task<true>(function, data, copy, size, alignment, rest);
  } else if ((rest.flags & ~(kUntied | kMergeable)) == 0 && if_clause) {
    create_untied_task(function, data, copy, size, alignment, if_clause, rest);
  } else if ((rest.flags & ~(kUntied | kMergeable | kFinal)) == 0) {
    create_undeferred_task(function, data, copy, size, alignment, if_clause, rest);
  } else {
    create_described_task(function, data, copy, size, alignment, if_clause, rest);
  }
}

}  // namespace bobbin::gomp
