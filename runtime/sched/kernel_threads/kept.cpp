// SPDX-License-Identifier: Apache-2.0
#include "sched/kernel_threads/kept.h"

#include <pthread.h>

#include "fiber/tls/tls_block.h"
#include "fiber/tls/tls_image.h"
#include "platform/keep_errno.h"
#include "platform/locks/fork_lock.h"
#include "platform/memory.h"
#include "sched/monitor/monitor.h"
#include "sched/places/processors_of_roots.h"
#include "sched/roots/credentials.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/spare_transit.h"

namespace bobbin {
namespace {

// A home with its kernel thread.
struct Kept {
  Fiber* fiber;
  Worker* home;
  bool begins_here;  // it does not come from another kernel thread
  pthread_t kernel_thread;
  Kept* next;
};

SpinLock lock;
Kept* all_kept;  // guarded by lock

Kept* take_out(const Fiber& fiber) {
  SpinGuard guard(lock);
  for (Kept** link = &all_kept; *link != nullptr; link = &(*link)->next) {
    Kept* kept = *link;
    if (kept->fiber != &fiber) continue;
    *link = kept->next;
    return kept;
  }
  return nullptr;
}

void go_to_its_place(Worker& home, const Fiber& fiber) {
  const int place = fiber.place.load(relaxed);
  if (place == home.place) return;
  belong_to_place(home, place);
  if (place >= 0) move_to_place_of(home);
}

// All except the C library's own signals. A thread that changes the identity of the process holds a
// lock that pthread_create() needs, and waits until this kernel thread has handled one.
SignalSet all_of_the_program() { return ~(bit_of_signal(32) | bit_of_signal(33)); }

// From its first part on the kernel thread has the fiber's thread pointer and mask.
void* home_main(void* argument) {
  const auto& kept = *static_cast<Kept*>(argument);
  Worker& home = *kept.home;
  const ThreadPointer own = current_thread_pointer();
  own_robust_list(kept.fiber->tls);
  if (kept.begins_here) take_id_of_caller(kept.fiber->tls);
  home.belong_to_caller();
  home.alt_stack.install();
  if (!threads_are_bound) take_processors_of_roots(home);
  while (Fiber* fiber = wait_at_home(home)) {
    go_to_its_place(home, *fiber);
    carry_at_home(home, *fiber);
    set_thread_pointer(fiber->tls);
  }
  set_kernel_mask(all_of_the_program());
  set_thread_pointer(own);
  home.alt_stack.remove();
  unregister_worker(&home);
  return nullptr;
}

// With the others blocked: the kernel thread has no thread yet that could handle one.
bool start_kernel_thread_of(Kept& kept) {
  const SignalSet before = kernel_mask();
  set_kernel_mask(all_of_the_program());
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, native_stack_size());
  const bool started = pthread_create(&kept.kernel_thread, &attributes, home_main, &kept) == 0;
  pthread_attr_destroy(&attributes);
  set_kernel_mask(before);
  if (started) guard_credentials();
  return started;
}

// The others are fibers again.
void keep_the_caller_only() {
  const Fiber* caller = current_fiber();
  Kept* own = nullptr;
  for (Kept* kept = all_kept; kept != nullptr;) {
    Kept* next = kept->next;
    if (kept->fiber == caller) {
      own = kept;
    } else {
      kept->fiber->home = nullptr;
    }
    kept = next;
  }
  all_kept = own;
  if (own != nullptr) own->next = nullptr;
}

}  // namespace

void init_kept() { add_fork_lock(held_across_fork<lock, keep_the_caller_only>); }

bool make_home(Fiber& fiber) {
  const KeepErrno keep;
  auto* kept = make<Kept>();
  if (kept == nullptr) return false;
  Worker* home = register_worker(WorkerKind::Thread);
  if (home != nullptr) {
    home->carries_others = false;
    home->inbox.close();
    home->belong_to_nobody();
    *kept = {&fiber, home, &fiber != current_fiber(), {}, nullptr};
    if (start_kernel_thread_of(*kept)) {
      fiber.home = home;
      SpinGuard guard(lock);
      kept->next = all_kept;
      all_kept = kept;
      return true;
    }
    unregister_worker(home);
  }
  destroy(kept);
  return false;
}

void send_to_its_home(Fiber& fiber) { enqueue(fiber); }

void end_home(Fiber& fiber) {
  Kept* kept = take_out(fiber);
  kept->home->retiring.store(true, release);
  kept->home->parking.unpark();
  pthread_join(kept->kernel_thread, nullptr);
  fiber.home = nullptr;
  destroy(kept);
}

void carry_only_the_root(Worker& root) { root.carries_others = false; }

bool caller_hands_down() {
  const Fiber* caller = current_fiber();
  const Worker* worker = caller != nullptr ? static_cast<Worker*>(caller->worker) : nullptr;
  return worker != nullptr && worker->hands_down;
}

namespace {

// Kept threads that wait are active, too, but at no work that others could do.
bool enough_at_work() {
  unsigned at_work = 0;
  pool.each([&](const Worker& worker) {
    if (worker.carries_others && worker.active.load(relaxed)) at_work++;
    return at_work >= pool.processors;
  });
  return at_work >= pool.processors;
}

}  // namespace

// A root's kernel thread would have looked everywhere for work of its group.
void send_in_its_place(Worker& worker) {
  if (!provider.threads_move) return;
  const bool work = worker.kind == WorkerKind::Root ? has_any_work(worker) : has_other_work(worker);
  if (!work || spares_in_transit.load(relaxed) != 0 || enough_at_work()) return;
  if (force_helper(nullptr, worker.place)) return;
  spare_sets_out();
  if (!start_worker(WorkerKind::Spare, worker.place)) spare_has_arrived();
}

}  // namespace bobbin
