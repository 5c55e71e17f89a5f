// SPDX-License-Identifier: Apache-2.0
#include "pending.h"

namespace bobbin::mpi {

constinit std::atomic<unsigned> outstanding{0};
constinit std::atomic<unsigned> looks{0};

namespace {

// The newest first. Threads push, by compare-and-swap (release), and the holder of the lock takes
// all of them (acquire).
constinit std::atomic<Pending*> pushed{nullptr};

constinit std::atomic<bool> locked{false};
Pending* list = nullptr;  // guarded by `locked`

void take_pushed() {
  if (pushed.load(std::memory_order_relaxed) == nullptr) return;
  Pending* newest = pushed.exchange(nullptr, std::memory_order_acquire);
  Pending* oldest_first = nullptr;
  while (newest != nullptr) {
    Pending* next = newest->next;
    newest->next = oldest_first;
    oldest_first = newest;
    newest = next;
  }
  Pending** end = &list;
  while (*end != nullptr) end = &(*end)->next;
  *end = oldest_first;
}

// Takes off the list what has come.
Pending* take_come() {
  Pending* come = nullptr;
  for (Pending** link = &list; *link != nullptr;) {
    Pending* pending = *link;
    if (pending->has_come(*pending)) {
      *link = pending->next;
      pending->next = come;
      come = pending;
    } else {
      link = &pending->next;
    }
  }
  return come;
}

}  // namespace

bool add(Pending& pending) {
  pending.next = pushed.load(std::memory_order_relaxed);
  while (!pushed.compare_exchange_weak(pending.next, &pending, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
  return outstanding.fetch_add(1, std::memory_order_seq_cst) == 0;
}

void forget_pending() {
  pushed.store(nullptr, std::memory_order_relaxed);
  list = nullptr;
  outstanding.store(0, std::memory_order_relaxed);
  locked.store(false, std::memory_order_relaxed);  // another thread may have held it
}

int poll() {
  if (outstanding.load(std::memory_order_relaxed) == 0) return 0;
  if (locked.load(std::memory_order_relaxed) || locked.exchange(true, std::memory_order_acquire)) {
    return 1;
  }
  take_pushed();
  Pending* come = take_come();
  locked.store(false, std::memory_order_release);
  looks.store(looks.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  while (come != nullptr) {
    Pending* next = come->next;
    outstanding.fetch_sub(1, std::memory_order_relaxed);
    come->end(*come);
    come = next;
  }
  return outstanding.load(std::memory_order_relaxed) != 0 ? 1 : 0;
}

}  // namespace bobbin::mpi
