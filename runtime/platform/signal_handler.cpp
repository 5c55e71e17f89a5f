// SPDX-License-Identifier: Apache-2.0
#include "platform/signal_handler.h"

#include <signal.h>

namespace bobbin {
namespace {

bool has_handler(int signal) {
  struct sigaction action{};
  if (sigaction(signal, nullptr, &action) != 0) return false;
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

}  // namespace

bool may_be_signal_handler() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  if (sigisemptyset(&blocked) != 0) [[likely]]
    return false;
  for (int signal = 1; signal < NSIG; signal++) {
    if (sigismember(&blocked, signal) == 1 && has_handler(signal)) return true;
  }
  return false;
}

}  // namespace bobbin
