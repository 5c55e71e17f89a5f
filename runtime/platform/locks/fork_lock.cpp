// SPDX-License-Identifier: Apache-2.0
#include "platform/locks/fork_lock.h"

#include <pthread.h>

namespace bobbin {
namespace {

constinit ForkLock* locks;

void lock_all() {
  for (ForkLock* entry = locks; entry != nullptr; entry = entry->next) entry->lock();
}

void unlock_from(const ForkLock* entry) {
  if (entry == nullptr) return;
  unlock_from(entry->next);
  entry->unlock();
}

void unlock_all() { unlock_from(locks); }

void unlock_all_in_child() {
  for (ForkLock* entry = locks; entry != nullptr; entry = entry->next) {
    if (entry->in_child != nullptr) entry->in_child();
  }
  unlock_all();
}

}  // namespace

void add_fork_lock(ForkLock& entry) {
  entry.next = locks;
  locks = &entry;
}

void install_fork_handlers() { pthread_atfork(lock_all, unlock_all, unlock_all_in_child); }

}  // namespace bobbin
