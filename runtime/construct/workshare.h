// SPDX-License-Identifier: Apache-2.0
// How a team's threads meet in a worksharing region, and how its record is used again.
//
// WorkShare::turn says which lap a record is for, and which phase that lap is in:
//
//   Free(lap)   no thread has come to the region of this lap yet
//   SetUp(lap)  the first thread, which took it by CAS, fills the record in
//   Open(lap)   put there (release) by the first thread when the record is complete; all others
//               enter by reading it (acquire)
//   Free(next)  put there by the last thread to leave
//
// There are two more bits. Awaited: a thread sleeps until the record is open; the thread that opens
// it does so by an exchange, finds the bit and wakes the sleepers. Extended: there are extra
// records for later laps.
//
// The record may be used again when all threads have left. Each thread counts itself out in `left`
// (release, after its last access). The last one to do so (acquire) frees what the region had and
// moves the turn on (release). The thread that sets up the next lap reads the turn (acquire).
//
// A thread that runs ahead (nowait) may come to a region while the record of its ring place is
// still in an earlier lap. It need not wait for the threads behind it, which may be waiting for it.
// Instead the region gets an extra record, under a lock, identified by its lap. The place is marked
// Extended by the same CAS that finds it still busy. The last thread to leave an Extended place
// moves it on, under the lock, to the first lap without an extra record. Invariant: the laps with
// extra records directly follow the place's lap, because a thread gets to a lap only through the
// earlier ones. None of them ends before the place's own lap, because all threads leave the laps in
// order. So a thread uses the place if its lap is there. Otherwise it finds or makes an extra
// record.
//
// The thread of a team of one meets no other thread: it uses the records without any of this.
#pragma once

#include "construct/tool_events.h"
#include "construct/wait_address.h"
#include "team/model/team.h"

namespace bobbin {

inline unsigned share_slot(uint64_t number) { return static_cast<unsigned>(number % kWorkShares); }

// One region's record, as a thread of the team sees it.
class ShareTurn {
 public:
  // For a thread that has not entered the region yet.
  ShareTurn(Team& team, uint64_t number)
      : ShareTurn(team, number, team.work_shares.ring[share_slot(number)]) {}
  // For a thread that has entered it.
  ShareTurn(Team& team, uint64_t number, WorkShare& share)
      : team_(team), share_(&share), number_(number), lap_(number / kWorkShares) {}

  WorkShare& share() { return *share_; }

  // True: the caller is the first one and must set up the record, then open() it.
  bool enter() {
    uint64_t seen = share_->turn.load(acquire);
    if (seen == turn(kOpen)) return false;
    if (seen == turn(kFree) &&
        share_->turn.compare_exchange_strong(seen, turn(kSetUp), acquire, acquire)) {
      return true;
    }
    return enter_slowly();
  }

  void open() {
    uint64_t before = share_->turn.load(relaxed);
    // The place may become Extended at the same time.
    while (!share_->turn.compare_exchange_weak(before, turn(kOpen) | (before & kExtended), acq_rel,
                                               relaxed)) {
    }
    if ((before & kAwaited) != 0) [[unlikely]]
      wake_all({&share_->turn});
  }

  // Opens the region of a combined construct before it is published.
  void open_before_fork() { share_->turn.store(turn(kOpen), relaxed); }

  void leave() {
    if (share_->left.fetch_add(1, acq_rel) + 1 != team_.size) return;
    share_->release_memory();
    share_->left.store(0, relaxed);
    uint64_t seen = turn(kOpen);
    if (share_ != &place() ||
        !share_->turn.compare_exchange_strong(seen, turn_of(lap_ + 1, kFree), release, relaxed)) {
      leave_slowly();
    }
  }

 private:
  static constexpr uint64_t kFree = 0;
  static constexpr uint64_t kSetUp = 1;
  static constexpr uint64_t kOpen = 2;
  static constexpr uint64_t kAwaited = 4;
  static constexpr uint64_t kExtended = 8;
  static constexpr uint64_t kLap = 16;

  static uint64_t turn_of(uint64_t lap, uint64_t phase) { return lap * kLap + phase; }
  uint64_t turn(uint64_t phase) const { return turn_of(lap_, phase); }

  bool enter_slowly();
  void leave_slowly();
  WorkShare* find_extra();
  WorkShare& place() { return team_.work_shares.ring[share_slot(number_)]; }

  Team& team_;
  WorkShare* share_;
  uint64_t number_;
  uint64_t lap_;
};

// The calling thread meets its team's next worksharing region. `set_up(share)` is run by the first
// thread that comes.
template <class SetUp>
WorkShare& enter_share(Thread& thread, SetUp&& set_up) {
  Member& member = *thread.member;
  Team& team = *member.team;
  uint64_t number = member.position.number++;
  if (team.serial()) {
    WorkShare& share = team.work_shares.ring[share_slot(number)];
    set_up(share);
    member.position.current = &share;
    return share;
  }
  ShareTurn turn(team, number);
  if (turn.enter()) {
    if (!team.work_shares.used.load(relaxed)) team.work_shares.used.store(true, relaxed);
    set_up(turn.share());
    turn.open();
  }
  member.position.current = &turn.share();
  return turn.share();
}

inline void leave_share(Thread& thread) {
  Member& member = *thread.member;
  Team& team = *member.team;
  WorkShare* share = member.position.current;
  if (share == nullptr) return;
  member.position.current = nullptr;
  if (team.serial()) {
    share->release_memory();
  } else {
    ShareTurn(team, member.position.number - 1, *share).leave();
  }
}

// The thread has entered a loop or sections. A tool is told, if there is one.
inline void tell_entered(Thread& thread) {
  if (!tool::watched) [[likely]]
    return;
  const LoopPlan& plan = thread.member->position.current->plan;
  tell_work_begin(thread, plan.work, plan.count);
}

// The thread leaves it.
inline void leave_work(Thread& thread) {
  if (tool::watched) [[unlikely]]
    tell_work_end(thread);
  leave_share(thread);
}

// The thread continues without leaving the region: leave_kept_share() does that later.
inline WorkShare* keep_share(Thread& thread, uint64_t& number) {
  WorkSharePosition& position = thread.member->position;
  WorkShare* share = position.current;
  position.current = nullptr;
  number = position.number - 1;
  return share;
}

inline void leave_kept_share(Thread& thread, WorkShare& share, uint64_t number) {
  ShareTurn(*thread.member->team, number, share).leave();
}

// Sets up the team's first worksharing region before the team is forked. Its threads find it when
// they ask for their first share of it.
template <class SetUp>
void prepare_share(Team& team, SetUp&& set_up) {
  ShareTurn turn(team, 0);
  set_up(turn.share());
  team.work_shares.used.store(true, relaxed);
  turn.open_before_fork();
}

// The region that the thread is in. With a combined construct the thread has not entered it yet.
inline WorkShare& current_share(Thread& thread) {
  Member& member = *thread.member;
  WorkShare* share = member.position.current;
  if (share == nullptr) [[unlikely]] {
    share = &member.team->work_shares.ring[share_slot(member.position.number++)];
    member.position.current = share;
    tell_entered(thread);
  }
  return *share;
}

}  // namespace bobbin
