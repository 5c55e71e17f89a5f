// SPDX-License-Identifier: Apache-2.0
// How a team's threads meet in a worksharing region, and how its record comes back.
//
// WorkShare::turn says what a record is for:
//
//   Free(lap)     nobody has come to the region of this lap yet
//   SetUp(lap)    the first thread, which took it by CAS, fills the record in
//   Open(lap)     stored (release) by the first thread when the record is complete; all others
//   enter
//                 by reading it (acquire)
//   Free(lap + 1) stored by the last thread to leave
//
// plus one bit, Awaited: somebody sleeps until it changes. It is set by CAS on exactly the value
// that was seen; whoever moves the turn on does it by an exchange, finds the bit and wakes all. A
// thread sleeps when the first one has not finished (rare), or when it is kWorkShares regions
// without barrier ahead of the last thread of its team.
//
// The record may be used again when all have left: each thread counts itself out in `left`
// (release, after its last access), the last one to do so (acquire) frees what the region had and
// moves the turn on (release), which whoever sets up the next lap reads (acquire).
//
// A team of one has nobody to meet: its thread uses the records without any of this.
#pragma once

#include "construct/wait_address.h"
#include "team/team.h"

namespace bobbin {

inline unsigned share_slot(uint64_t number) { return static_cast<unsigned>(number % kWorkShares); }

// The record of the region of that number, open, for a thread of the team. `set_up(share)` is run
// by the first thread that comes.
class ShareTurn {
 public:
  ShareTurn(Team& team, uint64_t number)
      : team_(team),
        share_(team.work_shares.ring[share_slot(number)]),
        lap_(number / kWorkShares) {}

  WorkShare& share() { return share_; }

  // True: the caller is the first one and must set up the record, then open() it.
  bool enter() {
    uint64_t seen = share_.turn.load(acquire);
    if (seen == turn(kOpen)) return false;
    if (seen == turn(kFree) &&
        share_.turn.compare_exchange_strong(seen, turn(kSetUp), acquire, acquire)) {
      return true;
    }
    return enter_slowly();
  }

  void open() { move_on(turn(kOpen)); }

  // Before the region is published: combined constructs.
  void open_before_fork() { share_.turn.store(turn(kOpen), relaxed); }

  void leave() {
    if (share_.left.fetch_add(1, acq_rel) + 1 != team_.size) return;
    share_.release_memory();
    share_.left.store(0, relaxed);
    move_on(next_lap());
  }

 private:
  static constexpr uint64_t kFree = 0;
  static constexpr uint64_t kSetUp = 1;
  static constexpr uint64_t kOpen = 2;
  static constexpr uint64_t kAwaited = 4;

  uint64_t turn(uint64_t phase) const { return lap_ * 8 + phase; }
  uint64_t next_lap() const { return (lap_ + 1) * 8 + kFree; }

  void move_on(uint64_t turn) {
    if ((share_.turn.exchange(turn, acq_rel) & kAwaited) != 0) [[unlikely]] {
      wake_all({&share_.turn});
    }
  }

  bool enter_slowly();

  Team& team_;
  WorkShare& share_;
  uint64_t lap_;
};

// The calling thread meets its team's next worksharing region.
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
    team.work_shares.used.store(true, relaxed);
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
    ShareTurn(team, member.position.number - 1).leave();
  }
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

// The region that the thread is in: with a combined construct it has not entered it yet.
inline WorkShare& current_share(Thread& thread) {
  Member& member = *thread.member;
  WorkShare* share = member.position.current;
  if (share == nullptr) [[unlikely]] {
    share = &member.team->work_shares.ring[share_slot(member.position.number++)];
    member.position.current = share;
  }
  return *share;
}

}  // namespace bobbin
