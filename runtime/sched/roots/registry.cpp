// SPDX-License-Identifier: Apache-2.0
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "platform/memory.h"
#include "platform/memory/share.h"
#include "sched/roots/stand_in.h"
#include "sched/workers/bound_places.h"
#include "sched/workers/pool_state.h"

namespace bobbin {

// The workers in the pool.

namespace {

// With the lock held.
unsigned lowest_empty_slot() {
  const unsigned count = pool.highest.load(relaxed);
  unsigned slot = 0;
  while (slot < count && pool.registry[slot].load(relaxed) != nullptr) slot++;
  return slot;
}

void enter_slot(Worker& worker, unsigned slot) {
  worker.index = slot;
  pool.registry[slot].store(&worker, release);
  if (slot == pool.highest.load(relaxed)) pool.highest.store(slot + 1, release);
}

// One past the highest slot for this kind of worker.
unsigned slots_for(WorkerKind kind) {
  if (kind == WorkerKind::Root || kind == WorkerKind::Reserve) return kMaxWorkers;
  return std::min(most_kernel_threads(), kMaxWorkers - kSlotsForRoots);
}

}  // namespace

Worker* register_worker(WorkerKind kind) {
  const unsigned slots = slots_for(kind);
  SpinGuard guard(pool.lock);
  const unsigned slot = lowest_empty_slot();
  if (slot >= slots) return nullptr;
  Worker* worker = pool.unused;
  if (worker != nullptr) {
    pool.unused = worker->unused_next;
  } else {
    worker = make_lasting<Worker>();
    if (worker == nullptr) return nullptr;
  }
  if (kind == WorkerKind::Reserve) {
    worker->inbox.close();  // a fiber that ran on this record once goes home
  } else {
    worker->inbox.reopen();
  }
  worker->kind = kind;
  worker->helper = kNoHelper;
  belong_to_place(*worker, -1);
  worker->retiring.store(false, relaxed);
  worker->random = slot * 2654435761u + 1;
  worker->group = nullptr;
  worker->carries_others = provider.threads_move && kind != WorkerKind::Thread;
  worker->hands_down = false;
  // A helper or a spare belongs to its own kernel thread, which does not exist yet.
  if (kind == WorkerKind::Root || kind == WorkerKind::Thread) {
    worker->belong_to_caller();
  } else {
    worker->belong_to_nobody();
  }
  enter_slot(*worker, slot);
  if (kind == WorkerKind::Helper) pool.helpers_begun = pool.helpers_begun + 1;
  if (kind == WorkerKind::Spare) pool.spares_begun = pool.spares_begun + 1;
  if (kind == WorkerKind::Root) pool.roots_met.store(pool.roots_met.load(relaxed) + 1, release);
  return worker;
}

namespace {

// So that a search for work does not pass all slots that were ever in use.
void lower_highest() {
  unsigned count = pool.highest.load(relaxed);
  while (count != 0 && pool.registry[count - 1].load(relaxed) == nullptr) count--;
  pool.highest.store(count, release);
}

}  // namespace

void unregister_worker(Worker* worker) {
  if (worker->kind == WorkerKind::Root) give_back_reserve(*worker);
  worker->loop_sp = nullptr;
  if (worker->loop_stack != nullptr) give_stack(std::exchange(worker->loop_stack, nullptr));
  give_back_idle_data(*worker);
  // From here on a fiber that ran here last goes home; see enqueue().
  for (Fiber* fiber = worker->inbox.close(); fiber != nullptr;) {
    Fiber* next = fiber->next;
    enqueue(*fiber);
    fiber = next;
  }
  SpinGuard guard(pool.lock);
  if (worker->helper != kNoHelper) {
    pool.helpers[worker->helper].store(nullptr, relaxed);
    pool.helper_count.store(pool.helper_count.load(relaxed) - 1, relaxed);
  }
  if (pool.registry[worker->index].load(relaxed) == worker) {
    pool.registry[worker->index].store(nullptr, release);
    if (worker->index + 1 == pool.highest.load(relaxed)) lower_highest();
  }
  worker->active.store(false, relaxed);
  worker->idle.store(false, relaxed);
  worker->unused_next = pool.unused;
  pool.unused = worker;
}

PoolUsage pool_usage() {
  SpinGuard guard(pool.lock);
  PoolUsage usage = {pool.helpers_begun, pool.spares_begun, 0};
  pool.each([&](const Worker& worker) {
    usage.switches += worker.switches;
    return false;
  });
  for (const Worker* worker = pool.unused; worker != nullptr; worker = worker->unused_next)
    usage.switches += worker->switches;
  return usage;
}

namespace {

template <class Predicate>
unsigned count_roots(Predicate&& counts) {
  unsigned roots = 0;
  pool.each([&](const Worker& worker) {
    if (worker.kind == WorkerKind::Root && counts(worker)) roots++;
    return false;
  });
  return roots;
}

}  // namespace

unsigned open_roots() {
  return count_roots([](const Worker& worker) { return worker.active.load(relaxed); });
}

unsigned all_roots() {
  return count_roots([](const Worker&) { return true; });
}

void Worker::belong_to_caller() {
  blocked = kernel_mask();
  nudged.forget();
  native_tls = current_thread_pointer();
  kernel_thread = static_cast<pid_t>(syscall(SYS_gettid));
}

void Worker::belong_to_nobody() {
  native_tls = nullptr;
  kernel_thread = 0;
}

}  // namespace bobbin
