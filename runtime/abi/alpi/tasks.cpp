// SPDX-License-Identifier: Apache-2.0
#include "abi/alpi/spawned.h"
#include "platform/clocks/clock.h"
#include "task/modes/blocking/handle_block.h"
#include "task/modes/blocking/timed_block.h"
#include "task/wait/detach.h"
#include "team/model/team.h"

// What a task asks for itself, and what others do to it by its handle.

using namespace bobbin;
using namespace bobbin::alpi;

namespace {

// The least that can count all events of a task.
constexpr uint64_t kMostEvents = 1u << 30;

Task* as_task(alpi_task* handle) { return reinterpret_cast<Task*>(handle); }

alpi_task* handle_of(const Thread& thread) {
  const Spawned* spawned = current_spawned(thread);
  if (spawned != nullptr) return handle_of(*spawned);
  return reinterpret_cast<alpi_task*>(thread.task);
}

// Is it the handle of the calling task?
alpi_error_t check_own(alpi_task* handle) {
  if (tls_thread == nullptr) return ALPI_ERR_OUTSIDE_TASK;
  return handle == handle_of(*tls_thread) ? ALPI_SUCCESS : ALPI_ERR_PARAMETER;
}

// Events and suspension are for the tasks whose end the runtime decides.
bool is_deferred(const Thread& thread) { return thread.task->kind == TaskKind::Deferred; }

alpi_error_t add(Thread& thread, uint32_t count) {
  if (Spawned* spawned = current_spawned(thread)) {
    spawned->events.fetch_add(count, relaxed);
    return ALPI_SUCCESS;
  }
  if (!is_deferred(thread)) return ALPI_ERR_OUTSIDE_TASK;
  switch (add_events(thread, count)) {
    case EventsAdded::Yes:
      return ALPI_SUCCESS;
    case EventsAdded::NoMemory:
      return ALPI_ERR_OUT_OF_MEMORY;
    case EventsAdded::HasDetachClause:
      break;
  }
  return ALPI_ERR_PARAMETER;
}

bool something_else_could_run(const Thread& thread) {
  const Team& team = *thread.member->team;
  return !team.serial() || team.tasks_may_block;
}

}  // namespace

BOBBIN_NATIVE_ENTRY int alpi_task_self(alpi_task** handle) {
  if (handle == nullptr) return ALPI_ERR_PARAMETER;
  *handle = tls_thread != nullptr ? handle_of(*tls_thread) : nullptr;
  return ALPI_SUCCESS;
}

// The handle is not compared with the calling task's, because that changes if the task is moved to
// the heap. It serves as a name here.
BOBBIN_NATIVE_ENTRY int alpi_task_block(alpi_task* handle) {
  if (tls_thread == nullptr) return ALPI_ERR_OUTSIDE_TASK;
  if (handle == nullptr) return ALPI_ERR_PARAMETER;
  block_by(handle, *tls_thread);
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_task_unblock(alpi_task* handle) {
  if (handle == nullptr) return ALPI_ERR_PARAMETER;
  return unblock_by(handle) ? ALPI_SUCCESS : ALPI_ERR_OUT_OF_MEMORY;
}

BOBBIN_NATIVE_ENTRY int alpi_task_waitfor_ns(uint64_t ns, uint64_t* waited) {
  if (tls_thread == nullptr) return ALPI_ERR_OUTSIDE_TASK;
  Thread& thread = *tls_thread;
  const uint64_t begin = now_ns();
  if (something_else_could_run(thread)) {
    block_for(thread, ns);
  } else {
    sleep_for(ns);
  }
  if (waited != nullptr) *waited = now_ns() - begin;
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_task_events_increase(alpi_task* handle, uint64_t count) {
  const alpi_error_t error = check_own(handle);
  if (error != ALPI_SUCCESS || count == 0) return error;
  return count <= kMostEvents ? add(*tls_thread, static_cast<uint32_t>(count)) : ALPI_ERR_PARAMETER;
}

BOBBIN_NATIVE_ENTRY int alpi_task_events_test(alpi_task* handle, uint64_t* has) {
  if (has == nullptr) return ALPI_ERR_PARAMETER;
  const alpi_error_t error = check_own(handle);
  if (error != ALPI_SUCCESS) return error;
  const Spawned* spawned = as_spawned(handle);
  *has = spawned != nullptr ? spawned->events.load(acquire) != 0 : has_events(*as_task(handle));
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_task_events_decrease(alpi_task* handle, uint64_t count) {
  if (handle == nullptr || count > kMostEvents) return ALPI_ERR_PARAMETER;
  if (count == 0) return ALPI_SUCCESS;
  if (Spawned* spawned = as_spawned(handle)) {
    fulfill_events(*spawned, static_cast<uint32_t>(count));
    return ALPI_SUCCESS;
  }
  const bool had = fulfill_events(*as_task(handle), static_cast<uint32_t>(count));
  return had ? ALPI_SUCCESS : ALPI_ERR_PARAMETER;
}

// Suspended tasks execute their body once more. The body of an OpenMP task cannot be, because it
// has destroyed its private variables.
BOBBIN_NATIVE_ENTRY int alpi_task_suspend_mode_set(alpi_task* handle, alpi_suspend_mode_t mode,
                                                   uint64_t argument) {
  const alpi_error_t error = check_own(handle);
  if (error != ALPI_SUCCESS) return error;
  Spawned* spawned = as_spawned(handle);
  if (spawned == nullptr) return ALPI_ERR_OUTSIDE_TASK;
  if (mode > ALPI_SUSPEND_EVENT_SUBMIT) return ALPI_ERR_PARAMETER;
  spawned->mode = mode;
  spawned->mode_argument = argument;
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_task_suspend(alpi_task* handle) {
  const alpi_error_t error = check_own(handle);
  if (error != ALPI_SUCCESS) return error;
  Spawned* spawned = as_spawned(handle);
  if (spawned == nullptr) return ALPI_ERR_OUTSIDE_TASK;
  spawned->suspended = true;
  return ALPI_SUCCESS;
}
