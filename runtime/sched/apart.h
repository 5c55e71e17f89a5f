// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// A kernel may wake a worker on the very processor that its caller computes on, though another one
// is free: on a virtual machine Linux takes a processor that sleeps for one that the host has taken
// away (vcpu_is_preempted). Then the worker runs when the caller sleeps and never beside it. A
// worker to which this has happened stays away from its caller's processor while it sleeps, and
// tries without now and then.
class Apart {
 public:
  // Woken from that processor, and woke up on this one.
  void learn(int caller, int here) {
    caller_ = caller;
    if (caller == here) sleeps_ = kSleeps;
  }
  // The processor to stay away from in the next sleep, or -1.
  int avoid() {
    if (sleeps_ == 0) return -1;
    sleeps_--;
    return caller_;
  }

 private:
  static constexpr unsigned kSleeps = 256;
  int caller_ = -1;
  unsigned sleeps_ = 0;
};

}  // namespace bobbin
