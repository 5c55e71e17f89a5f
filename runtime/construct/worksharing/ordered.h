// SPDX-License-Identifier: Apache-2.0
// ordered regions of a loop, one after another in the order of the iterations (section 15.10.2).
//
// WorkShare::ordered is the number of iterations, from the first one on, whose ordered regions have
// been left or will never be entered. A thread with the chunk [first, last) may enter when the
// counter has reached `first`. Until it moves the counter to `last`, no other thread moves it. The
// thread does so as early as it can tell that no more ordered region of the chunk follows: after as
// many ordered regions as the chunk has iterations, or else when it asks for the next chunk.
//
// Only the thread whose chunk begins at the new value is woken, because each thread waits under the
// value that it waits for. The counter is stored with release and read with acquire, so an ordered
// region sees what the earlier ones wrote.
//
// All schedules of an ordered loop hand out chunks in ascending order to each thread (section
// 11.5.3: ordered implies monotonic). Every chunk that a thread waits for has been handed out,
// except that a static schedule may have given it to a thread that has not arrived yet.
#pragma once

#include "construct/tool_events.h"
#include "construct/wait_address.h"
#include "platform/watchers/happens_before.h"
#include "team/model/team.h"

namespace bobbin {

inline bool has_turn(const WorkShare& share, const WorkSharePosition& position) {
  return share.ordered.load(acquire) >= position.first;
}

void wait_for_turn(Thread& thread, WorkShare& share, uint64_t first);

inline void pass_turn_on(WorkShare& share, WorkSharePosition& position) {
  uint64_t last = position.last;
  position.first = position.last;
  happens_before(&share.ordered);
  share.ordered.store(last, release);
  wake_one({.address = &share.ordered, .part = last});
}

inline void enter_ordered(Thread& thread) {
  WorkSharePosition& position = thread.member->position;
  WorkShare* share = position.current;
  if (share == nullptr || !share->plan.ordered || position.first == position.last) return;
  if (!has_turn(*share, position)) wait_for_turn(thread, *share, position.first);
  happens_after(&share->ordered);
}

inline void leave_ordered(Thread& thread) {
  WorkSharePosition& position = thread.member->position;
  WorkShare* share = position.current;
  if (share == nullptr || !share->plan.ordered || position.first == position.last) return;
  if (++position.ordered_parts == position.last - position.first) pass_turn_on(*share, position);
}

// The same two, and a tool is told. `code`: where the program's call returns to.
inline void enter_ordered_for(Thread& thread, const void* code) {
  const void* mutex = thread.member->position.current;
  if (tool::watched) [[unlikely]]
    tell_acquire(ompt_mutex_ordered, mutex, code);
  enter_ordered(thread);
  if (tool::watched) [[unlikely]]
    tell_acquired(ompt_mutex_ordered, mutex, code);
}

inline void leave_ordered_for(Thread& thread, const void* code) {
  const void* mutex = thread.member->position.current;
  leave_ordered(thread);
  if (tool::watched) [[unlikely]]
    tell_released(ompt_mutex_ordered, mutex, code);
}

// The thread asks for its next chunk: its remaining turn is passed on.
inline void end_ordered_chunk(Thread& thread, WorkShare& share) {
  WorkSharePosition& position = thread.member->position;
  if (position.first == position.last) return;
  if (!has_turn(share, position)) wait_for_turn(thread, share, position.first);
  happens_after(&share.ordered);
  pass_turn_on(share, position);
}

}  // namespace bobbin
