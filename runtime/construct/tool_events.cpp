// SPDX-License-Identifier: Apache-2.0
#include "construct/tool_events.h"

#include "team/members/tool_events.h"

namespace bobbin {
namespace {

using tool::callbacks;
using tool::tell;

ompt_wait_id_t wait_id(const void* lock) { return reinterpret_cast<ompt_wait_id_t>(lock); }

ompt_state_t state_of_wait(ompt_mutex_t kind) {
  switch (kind) {
    case ompt_mutex_critical:
      return ompt_state_wait_critical;
    case ompt_mutex_atomic:
      return ompt_state_wait_atomic;
    case ompt_mutex_ordered:
      return ompt_state_wait_ordered;
    default:
      return ompt_state_wait_lock;
  }
}

constexpr unsigned kNoHint = 0;
constexpr unsigned kImplementation = 0;  // there is one: locks adapt

}  // namespace

void tell_work(Thread& thread, ompt_work_t type, ompt_scope_endpoint_t endpoint, uint64_t count) {
  tool::TaskState& task = *thread.tool.task;
  tell(callbacks.work, type, endpoint, &task.region->data, &task.data, count, thread.tool.code);
}

void tell_work_begin(Thread& thread, ompt_work_t type, uint64_t count) {
  tell_work_end(thread);
  thread.tool.work = type;
  thread.tool.work_count = count;
  tell_work(thread, type, ompt_scope_begin, count);
}

void tell_work_end(Thread& thread) {
  if (thread.tool.work == tool::kNoWork) return;
  tell_work(thread, thread.tool.work, ompt_scope_end, thread.tool.work_count);
  thread.tool.work = tool::kNoWork;
}

void tell_iterations(Thread& thread, ompt_dispatch_t kind, uint64_t start, uint64_t iterations) {
  tool::TaskState& task = *thread.tool.task;
  ompt_dispatch_chunk_t chunk{start, iterations};
  ompt_data_t instance;
  instance.ptr = &chunk;
  tell(callbacks.dispatch, &task.region->data, &task.data, kind, instance);
}

void tell_section(Thread& thread) {
  tool::TaskState& task = *thread.tool.task;
  ompt_data_t instance;
  instance.ptr = const_cast<void*>(thread.tool.code);
  tell(callbacks.dispatch, &task.region->data, &task.data, ompt_dispatch_section, instance);
}

void tell_single_begin(Thread& thread, bool executes) {
  if (executes) {
    tell_work(thread, ompt_work_single_executor, ompt_scope_begin, 1);
    return;
  }
  tell_work(thread, ompt_work_single_other, ompt_scope_begin, 1);
  tell_work(thread, ompt_work_single_other, ompt_scope_end, 1);
}

void tell_doacross(Thread& thread, ompt_dependence_type_t type, const uint64_t* vector,
                   unsigned dimensions) {
  auto* told =
      static_cast<ompt_dependence_t*>(__builtin_alloca(dimensions * sizeof(ompt_dependence_t)));
  for (unsigned i = 0; i < dimensions; i++) {
    told[i].variable.value = vector[i];
    told[i].dependence_type = type;
  }
  tell(callbacks.dependences, &thread.tool.task->data, static_cast<const ompt_dependence_t*>(told),
       static_cast<int>(dimensions));
}

void tell_masked(Thread& thread, ompt_scope_endpoint_t endpoint) {
  tool::TaskState& task = *thread.tool.task;
  tell(callbacks.masked, endpoint, &task.region->data, &task.data, thread.tool.code);
}

void tell_flush(Thread& thread) { tell(callbacks.flush, &thread.tool.data, thread.tool.code); }

void tell_reduction(Thread& thread, ompt_scope_endpoint_t endpoint) {
  tool::TaskState& task = *thread.tool.task;
  thread.tool.state =
      endpoint == ompt_scope_begin ? ompt_state_work_reduction : working_in(*thread.member->team);
  tell(callbacks.reduction, ompt_sync_region_reduction, endpoint, &task.region->data, &task.data,
       thread.tool.code);
}

void tell_cancel(Thread& thread, int which) {
  tell(callbacks.cancel, &thread.tool.task->data, which, thread.tool.code);
}

// A program may use a lock before everything else of OpenMP.
void tell_lock_init(ompt_mutex_t kind, const void* lock, unsigned hint, const void* code) {
  self();
  tell(callbacks.lock_init, kind, hint, kImplementation, wait_id(lock), code);
}

void tell_lock_destroy(ompt_mutex_t kind, const void* lock, const void* code) {
  tell(callbacks.lock_destroy, kind, wait_id(lock), code);
}

void tell_acquire(ompt_mutex_t kind, const void* lock, const void* code) {
  tool::ThreadState& state = self().tool;
  tell(callbacks.mutex_acquire, kind, kNoHint, kImplementation, wait_id(lock), code);
  if (kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock) return;
  state.state = state_of_wait(kind);
  state.wait_id = wait_id(lock);
}

void tell_acquired(ompt_mutex_t kind, const void* lock, const void* code) {
  Thread& thread = self();
  thread.tool.state = working_in(*thread.member->team);
  thread.tool.wait_id = 0;
  tell(callbacks.mutex_acquired, kind, wait_id(lock), code);
}

void tell_released(ompt_mutex_t kind, const void* lock, const void* code) {
  tell(callbacks.mutex_released, kind, wait_id(lock), code);
}

void tell_nested(ompt_scope_endpoint_t endpoint, const void* lock, const void* code) {
  Thread& thread = self();
  thread.tool.state = working_in(*thread.member->team);
  thread.tool.wait_id = 0;
  tell(callbacks.nest_lock, endpoint, wait_id(lock), code);
}

}  // namespace bobbin
