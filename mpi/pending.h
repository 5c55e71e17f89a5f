// SPDX-License-Identifier: Apache-2.0
// What tasks wait for: one list for the process, and the poller that looks through it.
//
// A task that waits pushes a Pending, which lies on its stack, and blocks. The poller asks of each
// whether it has come. If it has, the poller takes it off the list and calls its end(), which lets
// the task go on. The task then completes its requests itself, by the call that the program made,
// which no longer waits. So the library sets statuses and raises errors as it would without the
// layer.
//
// Invariant: a Pending is in the inbox `pushed` or in the list that the holder of the poller's lock
// owns, until the poller has called its end(). Only the holder of the lock looks at requests in it,
// and the task does not touch them while it is blocked. So no request is used by two threads.
#pragma once

#include <atomic>

namespace bobbin::mpi {

// Not a class with virtual functions, because the layer does without libstdc++.
struct Pending {
  bool (*has_come)(Pending&);  // must not wait
  void (*end)(Pending&);       // called once, when it has come; the object may be gone afterwards
  Pending* next = nullptr;
};

// True: nothing else is waited for, so the polling thread may sleep (look_for() in
// polling_thread.h).
bool add(Pending& pending);

// One look at all of them, unless another thread is looking. Nonzero: some are still waited for.
int poll();

// In the child of a fork: nothing is waited for.
void forget_pending();

// How many are waited for, and how often poll() has looked: for the polling thread.
extern std::atomic<unsigned> outstanding;
extern std::atomic<unsigned> looks;

}  // namespace bobbin::mpi
