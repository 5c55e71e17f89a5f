// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// The kernel may wake a worker on the processor on which the thread that wakes it computes,
// although another processor is free: on a virtual machine Linux takes a processor that sleeps for
// one that the host has taken away (vcpu_is_preempted). Then the worker runs only while the waking
// thread sleeps, never beside it. A worker to which this has happened keeps off that processor in
// its next sleeps, and then tries again without.
class WakerAvoidance {
 public:
  // The worker was woken from processor `caller`, and runs on processor `here`.
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
