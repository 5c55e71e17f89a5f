// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/wait_address.h"
#include "construct/workshare.h"
#include "env/icv.h"
#include "platform/happens_before.h"
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

// copyprivate: the thread that has executed the region gives its data, the others copy. A barrier
// shows the data to them, a second one keeps the data until they have.
//
// Where the parallel region is cancelled no barrier waits. The others cannot go on without the data
// all the same, for their programs look for a cancellation only later; so they wait for the data
// themselves. It comes, as nothing within the region can be a cancellation point of the one around
// it. How long it stays, see share_copyprivate(); a program that copies by itself is not seen to
// have done so, and may come too late if it is slow.

inline void expect_copyprivate(WorkShare& fresh) { fresh.copyprivate.store(nullptr, relaxed); }

inline void give_copyprivate(WorkShare& share, void* data) {
  happens_before(&share.copyprivate);
  share.copyprivate.store(data, release);
  if (global_icvs().cancellation) [[unlikely]]
    wake_all({&share.copyprivate});
}

inline void* await_copyprivate(Thread& thread, WorkShare& share) {
  Atomic<void*>& data = share.copyprivate;
  barrier_wait(thread);
  wait_while(thread, {&data}, [&] { return data.load(acquire) == nullptr; });
  happens_after(&data);
  return data.load(relaxed);
}

inline void* leave_copyprivate(Thread& thread, WorkShare& share) {
  void* given = await_copyprivate(thread, share);
  leave_share(thread);
  return given;
}

// Null for the thread that executes the region, which must end it with end_copyprivate(); for all
// others what it passed there.
inline void* begin_copyprivate(Thread& thread) {
  bool first = false;
  WorkShare& share = enter_share(thread, [&](WorkShare& fresh) {
    first = true;
    expect_copyprivate(fresh);
  });
  return first ? nullptr : leave_copyprivate(thread, share);
}

inline void end_copyprivate(Thread& thread, void* data) {
  WorkShare& share = current_share(thread);
  give_copyprivate(share, data);
  leave_copyprivate(thread, share);
}

// The same in one step, called by all threads after the region: the one that has executed it gives
// its data, the others null. Returns the data, which must stay until all have copied.
inline void* exchange_copyprivate(Thread& thread, void* data) {
  WorkShare& share = enter_share(thread, expect_copyprivate);
  if (data != nullptr) give_copyprivate(share, data);
  return leave_copyprivate(thread, share);
}

// And with the copying: each thread comes with its own data, and `copy` for those that have not
// executed the region.
using Copyprivate = void (*)(void* to, void* from);
void share_copyprivate(Thread& thread, void* data, Copyprivate copy, bool executed);

}  // namespace bobbin
