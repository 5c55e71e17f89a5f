// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/locks/spinlock.h"
#include "sched/workers/ticket.h"

namespace bobbin {

// The tickets of the teams that were forked on one worker, shown to all workers. There are a few
// slots, which all read without a lock. In a deep nest all slots may be taken; then the ticket goes
// into a list under a lock. A ticket is in at most one place, which it knows. The forking thread
// puts it there and takes it away. A later ticket usually lies in a later slot, and the list begins
// with the last one.
//
// Only the worker that this belongs to fills a slot (release). The thread that joins empties it,
// perhaps on another worker: while the slot is filled, only that thread may write it.
class OpenTeams {
 public:
  void show(Ticket& ticket) {
    for (auto& slot : slots_) {
      if (slot.load(relaxed) != nullptr) continue;
      ticket.slot = &slot;
      slot.store(&ticket, release);
      order_before_looking();
      return;
    }
    ticket.slot = nullptr;
    ticket.shown_by = this;
    SpinGuard guard(lock_);
    ticket.next_open = overflow_;
    overflow_ = &ticket;
    overflowing_.store(overflowing_.load(relaxed) + 1, release);
    order_before_looking();
  }

  static void remove(Ticket& ticket) {
    if (ticket.slot != nullptr) {
      ticket.slot->store(nullptr, release);
      ticket.slot = nullptr;
    } else if (ticket.shown_by != nullptr) {
      ticket.shown_by->remove_from_overflow(ticket);
      ticket.shown_by = nullptr;
    }
  }

  // A ticket for which wanted(const Ticket&) holds, or nullptr; the outermost one, if teams are
  // nested. For other workers, because its threads make the most work.
  template <class Wanted>
  Ticket* find_outermost(Wanted&& wanted) {
    for (auto& slot : slots_) {
      Ticket* ticket = slot.load(acquire);
      if (ticket != nullptr && wanted(*ticket)) return ticket;
    }
    return find_overflowing(wanted);
  }
  // The same, the innermost one. For the owner: so the number of its open teams, and of the stacks
  // of those who wait for them, grows with the depth of the nest and not with the size of the outer
  // teams.
  template <class Wanted>
  Ticket* find_innermost(Wanted&& wanted) {
    if (Ticket* ticket = find_overflowing(wanted)) return ticket;
    for (unsigned i = kSlots; i-- > 0;) {
      Ticket* ticket = slots_[i].load(acquire);
      if (ticket != nullptr && wanted(*ticket)) return ticket;
    }
    return nullptr;
  }

  // In the child of a fork, where no worker takes part in regions that were forked before. Another
  // thread may have held the lock, to read the list, or to add or remove a ticket, which is one
  // store each.
  void go_on_alone() {
    lock_.unlock();
    for (auto& slot : slots_) {
      Ticket* ticket = slot.exchange(nullptr, relaxed);
      if (ticket != nullptr) ticket->slot = nullptr;
    }
    for (Ticket* ticket = overflow_; ticket != nullptr; ticket = ticket->next_open) {
      ticket->shown_by = nullptr;
    }
    overflow_ = nullptr;
    overflowing_.store(0, relaxed);
  }

  bool empty() const {
    for (auto& slot : slots_) {
      if (slot.load(relaxed) != nullptr) return false;
    }
    return overflowing_.load(relaxed) == 0;
  }

 private:
  static constexpr unsigned kSlots = 5;

  // Pairs with the fence of a worker between announcing that it is idle and looking for tickets
  // once more, and with the monitor's before it sleeps. (A seq_cst store orders no later relaxed
  // load.)
  static void order_before_looking() { fence(seq_cst); }

  template <class Wanted>
  Ticket* find_overflowing(Wanted&& wanted) {
    if (overflowing_.load(relaxed) == 0) [[likely]]
      return nullptr;
    SpinGuard guard(lock_);
    for (Ticket* ticket = overflow_; ticket != nullptr; ticket = ticket->next_open) {
      if (wanted(*ticket)) return ticket;
    }
    return nullptr;
  }

  void remove_from_overflow(Ticket& ticket) {
    SpinGuard guard(lock_);
    Ticket** link = &overflow_;
    while (*link != &ticket) link = &(*link)->next_open;
    *link = ticket.next_open;
    overflowing_.store(overflowing_.load(relaxed) - 1, relaxed);
  }

  Atomic<Ticket*> slots_[kSlots] = {};
  Atomic<unsigned> overflowing_{0};  // length of the list
  SpinLock lock_;
  Ticket* overflow_ = nullptr;  // guarded by lock_
};

}  // namespace bobbin
