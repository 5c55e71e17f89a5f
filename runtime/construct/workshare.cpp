// SPDX-License-Identifier: Apache-2.0
#include "construct/workshare.h"

#include "platform/diagnostics.h"
#include "platform/memory.h"

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

// Null: the place in the ring has come to this lap in the meantime.
WorkShare* ShareTurn::find_extra() {
  WorkShares& shares = team_.work_shares;
  SpinGuard guard(shares.extra_lock);
  ExtraWorkShares& extras = shares.extras[share_slot(number_)];
  // Who comes first comes behind the last, who comes late finds its own near the first.
  if (extras.last != nullptr && extras.last->number >= number_) {
    for (ExtraWorkShare* extra = extras.first; extra != nullptr; extra = extra->next) {
      if (extra->number == number_) return &extra->share;
    }
  }
  uint64_t seen = place().turn.load(acquire);
  do {
    if (seen / kLap == lap_) return nullptr;
  } while (!place().turn.compare_exchange_weak(seen, seen | kExtended, acq_rel, acquire));
  auto* extra = make<ExtraWorkShare>();
  if (extra == nullptr) fatal("out of memory at a worksharing construct");
  extra->number = number_;
  extra->share.turn.store(turn(kFree), relaxed);
  extra->next = nullptr;
  (extras.last != nullptr ? extras.last->next : extras.first) = extra;
  extras.last = extra;
  return &extra->share;
}

void ShareTurn::leave_slowly() {
  WorkShares& shares = team_.work_shares;
  SpinGuard guard(shares.extra_lock);
  ExtraWorkShares& extras = shares.extras[share_slot(number_)];
  if (share_ != &place()) {
    ExtraWorkShare* before = nullptr;
    ExtraWorkShare* extra = extras.first;
    for (; &extra->share != share_; extra = extra->next) before = extra;
    (before != nullptr ? before->next : extras.first) = extra->next;
    if (extras.last == extra) extras.last = before;
    destroy(extra);
    return;
  }
  uint64_t next = (extras.last != nullptr ? extras.last->number / kWorkShares : lap_) + 1;
  share_->turn.store(turn_of(next, kFree), release);
}

}  // namespace bobbin
