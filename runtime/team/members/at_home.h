// SPDX-License-Identifier: Apache-2.0
// What the kernel thread of a kept thread does for it on its stack (sched/kernel_threads/kept.h).
// The caller owns the thread, which has no part in a region, or rests in one.
#pragma once

#include <climits>

#include "platform/locks/futex.h"
#include "sched/kernel_threads/kept.h"
#include "team/model/begin_as_fiber.h"

namespace bobbin {

// Begins a part: begin_claimed(), rise_adopted() (team/members/member.h).
template <LeavingFor (*kPart)(void*)>
void begin_at_home(Thread& thread) {
  thread.sp = make_context(thread.stack->top(), begin_as_fiber<kPart>);
  send_to_its_home(thread);
}

// The thread does kWork. Thread::launch counts what has been done.
template <void (*kWork)(Thread&)>
LeavingFor do_when_asked(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  kWork(thread);
  Worker& here = *thread.worker;
  thread.launch.store(thread.launch.load(relaxed) + 1, release);
  futex_wake(thread.launch, INT_MAX);
  return {here.loop_sp, &here};
}

// Returns when the thread has done kWork.
template <void (*kWork)(Thread&)>
void do_at_home(Thread& thread) {
  const uint32_t before = thread.launch.load(relaxed);
  begin_at_home<do_when_asked<kWork>>(thread);
  while (thread.launch.load(acquire) == before) futex_wait(thread.launch, before);
}

}  // namespace bobbin
