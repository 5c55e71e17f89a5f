// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "platform/signals/signal_set.h"

namespace bobbin {

// The program's signal handlers that a thread is in. A handler may be left by a jump, so that
// nothing is executed at its end. Therefore a handler is active if its frame is: the stack pointer
// is on the frame's stack, below the frame.
//
// Used by the thread itself and by handlers that interrupt it. They leave `count_` as they found
// it, or lower it to drop frames that were left.
class HandlerFrames {
 public:
  // `lowest`: the lowest address of the frame's stack; nullptr: unknown. `before`: the thread's
  // mask without this handler.
  void enter(const char* frame, const char* lowest, SignalSet before) {
    unsigned count = count_;
    while (count != 0 && !frames_[count - 1].holds(frame)) count--;
    if (count == kMost) return;  // the outer ones tell that the thread is in a handler
    frames_[count] = {frame, lowest, before};
    std::atomic_signal_fence(std::memory_order_release);
    count_ = count + 1;
  }

  // Also drops inner ones, which were left by a jump.
  void leave(const char* frame) {
    for (unsigned i = count_; i-- != 0;) {
      if (frames_[i].at == frame) count_ = i;
    }
  }

  bool empty() const { return count_ == 0; }

  // Is one active where the stack pointer is `sp`?
  bool active_at(const char* sp) const { return count_ != 0 && kept_at(sp) != 0; }

  // The mask without any handler, if `now` is the present one. For other threads it is an estimate.
  SignalSet outside(SignalSet now) const { return count_ != 0 ? frames_[0].before : now; }

  // A jump loads `sp`; nullptr: it is not known, and is taken to leave all. Returns the mask that
  // the thread had before the outermost handler that is left, or `mask` if none is.
  SignalSet jump_to(const char* sp, SignalSet mask) {
    const unsigned kept = sp != nullptr ? kept_at(sp) : 0;
    if (kept < count_) mask = frames_[kept].before;
    count_ = kept;
    return mask;
  }

 private:
  static constexpr unsigned kMost = 8;

  struct Frame {
    const char* at;
    const char* lowest;
    SignalSet before;
    bool holds(const char* sp) const { return lowest <= sp && sp < at; }
  };

  unsigned kept_at(const char* sp) const {
    unsigned count = count_;
    while (count != 0 && !frames_[count - 1].holds(sp)) count--;
    return count;
  }

  unsigned count_ = 0;
  Frame frames_[kMost] = {};
};

}  // namespace bobbin
