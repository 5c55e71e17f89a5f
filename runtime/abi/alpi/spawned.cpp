// SPDX-License-Identifier: Apache-2.0
#include "abi/alpi/spawned.h"

#include <sched.h>

#include "platform/locks/futex.h"
#include "platform/memory.h"
#include "platform/signals/detached_thread.h"
#include "sched/workers/pool.h"
#include "task/modes/blocking/handle_block.h"
#include "task/modes/blocking/timed_block.h"
#include "team/regions/roots.h"

using namespace bobbin;
using namespace bobbin::alpi;

namespace {

constinit thread_local Spawned* executed = nullptr;

void wait_for_events(Spawned& spawned) {
  while (const uint32_t left = spawned.events.load(acquire)) futex_wait(spawned.events, left);
}

// Returns when the body shall be executed once more.
void stay_suspended(Spawned& spawned, Thread& thread) {
  switch (spawned.mode) {
    case ALPI_SUSPEND_NONE:
      block_by(handle_of(spawned), thread);
      break;
    case ALPI_SUSPEND_SUBMIT:
      if (spawned.mode_argument != 0) sched_yield();
      break;
    case ALPI_SUSPEND_TIMEOUT_SUBMIT:
      sleep_for(spawned.mode_argument);
      break;
    case ALPI_SUSPEND_EVENT_SUBMIT:
      wait_for_events(spawned);
      break;
  }
}

void* execute(void* argument) {
  auto& spawned = *static_cast<Spawned*>(argument);
  Thread& thread = self();
  spawned.task = thread.task;
  executed = &spawned;
  for (;;) {
    spawned.body(spawned.argument);
    if (!spawned.suspended) break;
    spawned.suspended = false;
    stay_suspended(spawned, thread);
  }
  wait_for_events(spawned);
  executed = nullptr;
  if (spawned.completion != nullptr) spawned.completion(spawned.completion_argument);
  destroy(&spawned);
  return nullptr;
}

}  // namespace

namespace bobbin::alpi {

Spawned* current_spawned(const Thread& thread) {
  return executed != nullptr && executed->task == thread.task ? executed : nullptr;
}

// The task may end, and its memory be in use again, as soon as the count is zero. A wake-up that
// comes after that is in vain.
void fulfill_events(Spawned& spawned, uint32_t count) {
  spawned.events.fetch_sub(count, acq_rel);
  futex_wake(spawned.events, 1);
}

}  // namespace bobbin::alpi

// `label` and `attributes` have nothing that the runtime uses.
BOBBIN_NATIVE_ENTRY int alpi_task_spawn(void (*body)(void*), void* argument,
                                        void (*completion)(void*), void* completion_argument,
                                        const char* /*label*/, const alpi_attr* /*attributes*/) {
  if (body == nullptr) return ALPI_ERR_PARAMETER;
  auto* spawned = make<Spawned>(body, argument, completion, completion_argument);
  if (spawned == nullptr) return ALPI_ERR_OUT_OF_MEMORY;
  const size_t stack = settled_icvs().stack_size + native_stack_size();
  if (start_detached(execute, spawned, stack)) return ALPI_SUCCESS;
  destroy(spawned);
  return ALPI_ERR_OUT_OF_MEMORY;
}

// Attributes have no fields yet, but a place to be in.
BOBBIN_NATIVE_ENTRY int alpi_attr_create(alpi_attr** attributes) {
  if (attributes == nullptr) return ALPI_ERR_PARAMETER;
  *attributes = reinterpret_cast<alpi_attr*>(make<uint64_t>());
  return *attributes != nullptr ? ALPI_SUCCESS : ALPI_ERR_OUT_OF_MEMORY;
}

BOBBIN_NATIVE_ENTRY int alpi_attr_destroy(alpi_attr* attributes) {
  if (attributes == nullptr) return ALPI_ERR_PARAMETER;
  free(attributes);
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_attr_init(alpi_attr* attributes) {
  return attributes != nullptr ? ALPI_SUCCESS : ALPI_ERR_PARAMETER;
}

BOBBIN_NATIVE_ENTRY int alpi_attr_size(uint64_t* size) {
  if (size == nullptr) return ALPI_ERR_PARAMETER;
  *size = sizeof(uint64_t);
  return ALPI_SUCCESS;
}
