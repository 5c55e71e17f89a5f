// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/tool_events.h"
#include "construct/wait_address.h"
#include "construct/workshare.h"
#include "env/icv.h"
#include "platform/watchers/happens_before.h"
#include "team/members/barrier.h"

// The single construct (section 11.1).
namespace bobbin {

// True for the one thread that executes the region: the first one to come.
//
// Each thread counts the single regions that it meets. The team counts those that have been taken.
// A thread that finds the two counts equal competes for the region by incrementing the team's. A
// thread that finds the team's count ahead is late. The count publishes nothing: the region's
// barrier publishes what the region writes.
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

// The same, and a tool is told.
inline bool begin_single(Thread& thread) {
  const bool executes = enter_single(thread);
  if (tool::watched) [[unlikely]]
    tell_single_begin(thread, executes);
  return executes;
}
// For the thread that has executed the region.
inline void end_single() {
  if (tool::watched) [[unlikely]]
    tell_work(self(), ompt_work_single_executor, ompt_scope_end, 1);
}

// copyprivate: the thread that has executed the region gives its data, and the others copy it. One
// barrier shows them the data. A second one keeps the data until they have copied.
//
// In a cancelled parallel region no barrier waits. Still, the others cannot go on without the data,
// because their programs check for a cancellation only later. So they wait for the data themselves.
// It always comes, because nothing within the single region can be a cancellation point of the
// region around it. For how long the data stays, see share_copyprivate(). The runtime cannot see
// when a program that copies by itself has done so; if it is slow, it may copy too late.

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

// Returns null to the thread that executes the region; it must end the region with
// end_copyprivate(). Returns to all others what that thread passed there.
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

// The same in one step, called by all threads after the region. The thread that has executed the
// region passes its data, the others null. Returns the data, which must stay until all have copied.
inline void* exchange_copyprivate(Thread& thread, void* data) {
  WorkShare& share = enter_share(thread, expect_copyprivate);
  if (data != nullptr) give_copyprivate(share, data);
  return leave_copyprivate(thread, share);
}

// The same, including the copying: each thread passes its own data, and `copy` is called in the
// threads that have not executed the region.
using Copyprivate = void (*)(void* to, void* from);
void share_copyprivate(Thread& thread, void* data, Copyprivate copy, bool executed);

}  // namespace bobbin
