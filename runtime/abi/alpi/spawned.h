// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "abi/alpi/alpi.h"
#include "platform/atomic.h"
#include "team/model/thread.h"

namespace bobbin::alpi {

// A task that alpi_task_spawn has made. It belongs to no region, and nobody waits for it, so it has
// a kernel thread of its own, whose initial task it is. So libraries that poll in such a task do so
// also while all OpenMP threads compute.
struct Spawned {
  void (*body)(void*);
  void* argument;
  void (*completion)(void*);
  void* completion_argument;
  const Task* task = nullptr;  // the initial task of its kernel thread
  // Events that are not fulfilled. Any thread decrements it, and then wakes the thread of the task,
  // which waits in wait_for_events().
  Atomic<uint32_t> events{0};
  bool suspended = false;
  alpi_suspend_mode_t mode = ALPI_SUSPEND_NONE;
  uint64_t mode_argument = 0;
};

// The one that the thread executes, if it is not in a region within it; or nullptr.
Spawned* current_spawned(const Thread& thread);

void fulfill_events(Spawned& spawned, uint32_t count);

// A task's handle is the address of its descriptor, or that of a Spawned plus one.
inline alpi_task* handle_of(const Spawned& spawned) {
  return reinterpret_cast<alpi_task*>(reinterpret_cast<uintptr_t>(&spawned) | 1);
}
inline Spawned* as_spawned(alpi_task* handle) {
  const auto word = reinterpret_cast<uintptr_t>(handle);
  return (word & 1) != 0 ? reinterpret_cast<Spawned*>(word - 1) : nullptr;
}

}  // namespace bobbin::alpi
