// SPDX-License-Identifier: Apache-2.0
#include "construct/workshare.h"

#include "platform/diagnostics.h"

namespace bobbin {

bool ShareTurn::enter_slowly() {
  for (;;) {
    uint64_t seen = share_->turn.load(acquire);
    if (seen / kLap != lap_) {
      if (WorkShare* extra = find_extra()) share_ = extra;
      continue;
    }
    uint64_t phase = seen & 3;
    if (phase == kOpen) return false;
    if (phase == kFree) {
      if (share_->turn.compare_exchange_strong(seen, turn(kSetUp), acquire, relaxed)) return true;
      continue;
    }
    auto opened = [&] { return share_->turn.load(relaxed) != seen; };
    if (spin_briefly(opened)) continue;
    uint64_t awaited = seen | kAwaited;
    if (seen != awaited && !share_->turn.compare_exchange_strong(seen, awaited, relaxed)) continue;
    expect_others(team_);
    wait_on(self(), {&share_->turn}, [&] { return share_->turn.load(relaxed) == awaited; });
  }
}

// Null: the place in the ring has reached this lap in the meantime.
WorkShare* ShareTurn::find_extra() {
  WorkShares& shares = team_.work_shares;
  SpinGuard guard(shares.extra_lock);
  ExtraWorkShares& extras = shares.extras[share_slot(number_)];
  if (WorkShare* extra = extras.find(lap_)) return extra;
  uint64_t seen = place().turn.load(acquire);
  do {
    if (seen / kLap == lap_) return nullptr;
  } while (!place().turn.compare_exchange_weak(seen, seen | kExtended, acq_rel, acquire));
  WorkShare* extra = extras.add(lap_);
  if (extra == nullptr) fatal("out of memory at a worksharing construct");
  extra->turn.store(turn(kFree), relaxed);
  return extra;
}

void ShareTurn::leave_slowly() {
  WorkShares& shares = team_.work_shares;
  SpinGuard guard(shares.extra_lock);
  ExtraWorkShares& extras = shares.extras[share_slot(number_)];
  if (share_ != &place()) return extras.remove(lap_);
  uint64_t next = extras.empty() ? lap_ + 1 : extras.end();
  share_->turn.store(turn_of(next, kFree), release);
}

}  // namespace bobbin
