// SPDX-License-Identifier: Apache-2.0
#include "sched/doze.h"

#include <sched.h>

#include "platform/away.h"
#include "sched/pool_state.h"

// How a helper sleeps through the gap between two regions and is awake when the next one comes.
//
// The forking thread writes down when it forked, and the usual gap (wake.cpp). The helper sets a
// timer that wakes it somewhat before the wake-up is due, and then watches for the wake-up for a
// while. Its past wake-ups tell how much earlier it must rise, the lead (Punctuality). Three things
// can happen:
//   - the wake-up comes while it watches, at the cost of a cache line;
//   - the region was forked before it rose: it takes part if there is something left to begin. For
//     a short region it has not been woken, because it would have come too late;
//   - nothing comes: it sleeps until the next wake-up is due. Whenever it rises, it first looks
//     whether there has been a fork since, and when.
namespace bobbin {
namespace {

int64_t span(uint64_t from, uint64_t to) { return static_cast<int64_t>(to - from); }

class Doze {
 public:
  explicit Doze(Worker& worker)
      : worker_(worker), call_(worker.next_wake), punctuality_(worker.punctuality) {
    expect_next(call_.forked_at.load(relaxed));
  }

  bool until_woken() {
    Step step = Step::Again;
    while (step == Step::Again) {
      const uint64_t now = ticks();
      const bool in_the_way = Crowd::crowded(now) || !processor_free_for(worker_);
      step = in_the_way ? Step::GiveUp : next_step(now);
    }
    const bool called = step == Step::Called;
    worker_.counts.ask(Heuristic::Doze, called);
    if (!called) worker_.counts.regret(Heuristic::Doze);
    return called;
  }

 private:
  enum class Step { Called, Again, GiveUp };
  enum class Woken { ByTimer, Before };

  static Watch first_watch() {
    const uint64_t us = ticks_per_us();
    return {static_cast<int64_t>(50 * us), 100 * us};
  }

  void expect_next(uint64_t forked_at) {
    forked_at_ = forked_at;
    gap_ = call_.gap.load(relaxed);
    due_ = forked_at + gap_;
    in_vain_ = 0;
  }

  Step next_step(uint64_t now) {
    const uint64_t affordable = call_.watch.load(relaxed);
    if (affordable == 0) return Step::GiveUp;
    if (!punctuality_.plan(affordable, first_watch(), watch_)) {
      constexpr uint64_t kRest = 32;  // gaps
      worker_.no_doze.set(now, kRest * gap_);
      punctuality_.forget_most();
      return Step::GiveUp;
    }
    const int64_t until_due = span(now, due_);
    const int64_t until_rise = until_due - watch_.lead;
    // The counter has started again since the fork: see still_to_come().
    if (until_rise > static_cast<int64_t>(2 * gap_)) return Step::GiveUp;
    if (until_rise > 0) return sleep(now, static_cast<uint64_t>(until_rise));
    // No time to sleep. But it can watch if it has just risen or the wake-up comes soon.
    const bool soon = slept_ || until_due < static_cast<int64_t>(affordable);
    if (soon && until_due + static_cast<int64_t>(watch_.longest / 2) > 0) {
      return watch(now, Woken::Before);
    }
    if (until_due < -static_cast<int64_t>(gap_)) return Step::GiveUp;
    due_ += gap_;
    return Step::Again;
  }

  Step sleep(uint64_t start, uint64_t time) {
    // On the forking thread's processor it would rise only when that thread no longer needs help.
    if (const int taken = call_.processor.load(relaxed); taken == sched_getcpu()) {
      AwayFrom away(taken);
    }
    if (worker_.parking.park(ticks_to_ns(time))) {
      learn_from_early_wake(start + time);
      return Step::Called;
    }
    slept_ = true;
    const uint64_t now = ticks();
    const uint64_t forked_at = call_.forked_at.load(relaxed);
    return forked_at == forked_at_ ? watch(now, Woken::ByTimer) : rise_late(now, forked_at);
  }

  // The region is so long that the helper has been woken for it. The timer would have been as late
  // as the wake-up.
  void learn_from_early_wake(uint64_t rise) {
    const uint64_t woken_at = worker_.woken_at.load(relaxed);
    const int64_t early = span(woken_at, rise);
    const int64_t late = span(woken_at, ticks());
    const auto near = static_cast<int64_t>(gap_ / 2);
    if (early < near && late < near) punctuality_.learn(watch_.lead + early + late);
  }

  // There has been a fork meanwhile.
  Step rise_late(uint64_t now, uint64_t forked_at) {
    if (span(due_ - gap_ / 2, forked_at) > 0) {
      punctuality_.learn(watch_.lead + span(forked_at, now));
    } else if (in_vain_ > 0) {
      punctuality_.learn(lead_in_vain_ + span(forked_at, rose_at_));
    }
    expect_next(forked_at);
    return has_any_work(worker_) ? Step::Called : Step::Again;
  }

  Step watch(uint64_t now, Woken woken) {
    if (!processor_free_for(worker_)) return Step::GiveUp;
    rose_at_ = now;
    if (spin_for_wake(worker_, now, rose_at_ + watch_.longest)) {
      if (woken == Woken::ByTimer) punctuality_.learn(watch_.lead - span(rose_at_, now));
      worker_.parking.park();
      return Step::Called;
    }
    constexpr unsigned kInVain = 2;
    if (++in_vain_ == kInVain) return Step::GiveUp;
    lead_in_vain_ = watch_.lead;
    due_ += gap_;
    return Step::Again;
  }

  Worker& worker_;
  const Worker::NextWake& call_;
  Punctuality& punctuality_;
  // Of the awaited wake-up: what was known at the fork before it.
  uint64_t forked_at_ = 0;
  uint64_t gap_ = 0;
  uint64_t due_ = 0;
  Watch watch_;
  bool slept_ = false;
  // The number of watches since that fork in which nothing came; below, data of the last one.
  unsigned in_vain_ = 0;
  uint64_t rose_at_ = 0;
  int64_t lead_in_vain_ = 0;
};

}  // namespace

bool spin_for_wake(Worker& worker, uint64_t& now, uint64_t until) {
  bool called = false;
  while (!called && span(now, until) > 0) {
    for (int round = 0; round < 16 && !called; round++) {
      cpu_pause();
      called = worker.parking.has_token();
    }
    uint64_t before = now;
    now = ticks();
    Crowd::observe_gap(now - before, now);
  }
  return called;
}

bool doze(Worker& worker) { return Doze(worker).until_woken(); }

}  // namespace bobbin
