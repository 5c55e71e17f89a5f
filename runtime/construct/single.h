// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/workshare.h"
#include "team/barrier.h"

// The single construct (section 11.1).
namespace bobbin {

// True for the one thread that executes the region: the first one to come.
//
// Each thread counts the single regions it meets, and the team counts those that have been taken. A
// thread that finds the two equal competes for the region by incrementing the team's; one that
// finds the team's ahead is late. Nothing is published by it: what the region writes, its barrier
// does.
inline bool enter_single(Thread& thread) {
  Member& member = *thread.member;
  Team& team = *member.team;
  if (team.serial()) return true;
  uint32_t mine = member.position.singles++;
  WorkShares& shares = team.work_shares;
  if (shares.singles.load(relaxed) != mine) return false;
  if (mine == 0) shares.used.store(true, relaxed);
  return shares.singles.compare_exchange_strong(mine, mine + 1, relaxed);
}

// With copyprivate: null for the thread that executes the region, which must end it with
// end_copyprivate(); for all others what it passed there.
inline void* begin_copyprivate(Thread& thread) {
  bool first = false;
  WorkShare& share = enter_share(thread, [&](WorkShare& fresh) {
    first = true;
    fresh.copyprivate = nullptr;
  });
  if (first) return nullptr;
  barrier_wait(thread);
  void* data = share.copyprivate;
  leave_share(thread);
  return data;
}

inline void end_copyprivate(Thread& thread, void* data) {
  current_share(thread).copyprivate = data;
  barrier_wait(thread);
  leave_share(thread);
}

// The same in one step, called by all threads after the region: the one that has executed it gives
// its data, the others null. Returns the data, which must stay until all have copied.
inline void* exchange_copyprivate(Thread& thread, void* data) {
  WorkShare& share = enter_share(thread, [](WorkShare&) {});
  if (data != nullptr) share.copyprivate = data;
  barrier_wait(thread);
  void* given = share.copyprivate;
  leave_share(thread);
  return given;
}

}  // namespace bobbin
