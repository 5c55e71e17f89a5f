// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sched/roots/stand_in.h"
#include "sched/workers/pool_state.h"

namespace bobbin {

// Where a kernel thread goes on after an exchange of stacks.

void Worker::arrive() {
  if (displacing != nullptr) [[unlikely]]
    hand_over_displaced(*std::exchange(displacing, nullptr), *this);
  if (Fiber* fiber = leaving) {
    leaving = nullptr;
    auto running = static_cast<uint32_t>(FiberState::Running);
    if (!fiber->state.compare_exchange_strong(running, static_cast<uint32_t>(FiberState::Waiting),
                                              acq_rel, acquire)) {
      // The exchange acquires what all notifiers wrote, not only what the first of them wrote.
      fiber->state.exchange(static_cast<uint32_t>(FiberState::Running), acquire);
      enqueue(*fiber);
    }
  }
}

bool Worker::come_back() {
  arrive();
  if (ended == nullptr) return false;
  part_ended(*std::exchange(ended, nullptr));
  return true;
}

namespace {

void loop_of_root(void* message) {
  auto& worker = *static_cast<Worker*>(message);
  if (worker.come_back()) set_thread_pointer(worker.native_tls);
  run_loop(worker);
  // The record has gone to a spare kernel thread.
  void* unused;
  bobbin_switch_context(&unused, worker.native_sp, &worker, worker.native_tls);
}

}  // namespace

bool provide_loop(Worker& root) {
  if (root.loop_sp != nullptr) return true;
  root.loop_stack = take_stack();
  if (root.loop_stack == nullptr) return false;
  root.loop_stack->thread_num = -1;
  root.loop_sp = make_context(root.loop_stack->top(), loop_of_root);
  return true;
}

}  // namespace bobbin
