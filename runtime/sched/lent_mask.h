// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <signal.h>

namespace bobbin {

// The signal mask of a root's kernel thread, which carries other members of its team, too. A
// program may have each thread but the initial one block its signals; that one would be blocked as
// well, and nobody left to take them. So what members make of it is undone when the root leaves its
// outermost region. Its kernel thread's alone.
class LentMask {
 public:
  bool lent() const { return lent_; }

  // A member is about to change it.
  void lend() { lent_ = pthread_sigmask(SIG_SETMASK, nullptr, &own_) == 0; }

  // The root goes on with its own.
  void take_back() {
    if (!lent_) [[likely]]
      return;
    lent_ = false;
    pthread_sigmask(SIG_SETMASK, &own_, nullptr);
  }

 private:
  bool lent_ = false;
  sigset_t own_ = {};
};

}  // namespace bobbin
