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
    wait_on(self(), {&share_->turn}, [&] { return share_->turn.load(relaxed) == awaited; });
  }
}

// Null: the place in the ring has come to this lap in the meantime.
WorkShare* ShareTurn::find_extra() {
  WorkShares& shares = team_.work_shares;
  SpinGuard guard(shares.extra_lock);
  for (ExtraWorkShare* extra = shares.extras; extra != nullptr; extra = extra->next) {
    if (extra->number == number_) return &extra->share;
  }
  uint64_t seen = place().turn.load(acquire);
  do {
    if (seen / kLap == lap_) return nullptr;
  } while (!place().turn.compare_exchange_weak(seen, seen | kExtended, acq_rel, acquire));
  auto* extra = make<ExtraWorkShare>();
  if (extra == nullptr) fatal("out of memory at a worksharing construct");
  extra->number = number_;
  extra->share.turn.store(turn(kFree), relaxed);
  extra->next = shares.extras;
  shares.extras = extra;
  return &extra->share;
}

void ShareTurn::leave_slowly() {
  WorkShares& shares = team_.work_shares;
  SpinGuard guard(shares.extra_lock);
  if (share_ != &place()) {
    ExtraWorkShare** link = &shares.extras;
    while (&(*link)->share != share_) link = &(*link)->next;
    ExtraWorkShare* extra = *link;
    *link = extra->next;
    destroy(extra);
    return;
  }
  uint64_t next = lap_ + 1;
  auto has_extra = [&](uint64_t lap) {
    for (ExtraWorkShare* extra = shares.extras; extra != nullptr; extra = extra->next) {
      if (extra->number == lap * kWorkShares + share_slot(number_)) return true;
    }
    return false;
  };
  while (has_extra(next)) next++;
  share_->turn.store(turn_of(next, kFree), release);
}

}  // namespace bobbin
