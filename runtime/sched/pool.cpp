// SPDX-License-Identifier: Apache-2.0
#include "sched/pool.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "env/display.h"
#include "env/environment.h"
#include "env/icv.h"
#include "env/settings.h"
#include "fiber/rseq.h"
#include "fiber/tls_block.h"
#include "fiber/tls_image.h"
#include "platform/detached_thread.h"
#include "platform/diagnostics.h"
#include "platform/keep_errno.h"
#include "platform/memory.h"
#include "platform/mono.h"
#include "platform/share.h"
#include "platform/thread_maker.h"
#include "sched/credentials.h"
#include "sched/give_way.h"
#include "sched/monitor.h"
#include "sched/pool_state.h"
#include "sched/processors_of_roots.h"
#include "sched/resting.h"
#include "sched/stand_in.h"
#include "sched/together.h"

namespace bobbin {

Pool pool;
bool kernel_provider = false;

namespace {

OnceFlag said_scarce;

}  // namespace

size_t native_stack_size() { return static_tls_size() + 128 * 1024; }

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

// From the loop's beginning to its end.
void serve(Worker& worker) {
  const bool spare = worker.kind == WorkerKind::Spare;
  worker.belong_to_caller();
  worker.alt_stack.install();
  const bool displaced = worker.displaced_sp != nullptr;
  if (spare && !displaced) spare_has_arrived();
  displaced ? carry_on_displaced(worker) : run_loop(worker);
  if (spare) spare_sets_out();
  worker.alt_stack.remove();
  unregister_worker(&worker);
  if (spare) spare_has_arrived();
}

// Helpers inherit the mask of the thread whose region wants them. The monitor, which makes spare
// workers, has all signals blocked; user code must not.
void take_signal_mask() {
  SignalSet mask;
  {
    SpinGuard guard(pool.lock);
    mask = pool.signal_mask;
  }
  set_kernel_mask(mask);
}

Atomic<bool> resting_is_on_its_way{false};

// A spare one rests when it does not serve, one that begins without a worker at once.
void* helper_main(void* argument) {
  auto* worker = static_cast<Worker*>(argument);
  const bool spare = worker == nullptr || worker->kind == WorkerKind::Spare;
  if (spare) take_signal_mask();
  mean_the_time();
  Resting resting;
  if (worker == nullptr) {
    resting_is_on_its_way.store(false, relaxed);
    worker = rest(resting);
  }
  while (worker != nullptr) {
    take_processors_of_roots(*worker);
    serve(*worker);
    worker = spare ? rest(resting) : nullptr;
  }
  return nullptr;
}

// With the variable that asks for it, of those that may.
const char* reason_of_binding() {
  static char text[96];
  TextOut out(text, sizeof text);
  out.add("threads are to be bound to places, by ");
  out.add(name_of(speaker(environment_settings(), "OMP_PROC_BIND")));
  return text;
}

}  // namespace

void init_pool() {
  const GlobalIcvs& icvs = global_icvs();
  // As many as there are processors, unless BOBBIN_WORKERS says else.
  pool.processors = icvs.workers;
  pool.most_helpers = icvs.workers > 1 ? icvs.workers - 1 : 0;
  if (pool.most_helpers > kMaxHelpers) pool.most_helpers = kMaxHelpers;

  const char* reason = nullptr;
  bool fibers_possible = tls_blocks_supported(&reason);
  kernel_provider = icvs.provider == ProviderChoice::Kernel || !fibers_possible;
  if (!kernel_provider && icvs.provider == ProviderChoice::Auto && mono_present()) {
    reason = "Mono is there, which waits for threads to end";
    kernel_provider = true;
  }
  if (!kernel_provider && icvs.provider == ProviderChoice::Auto && threads_made_by_others()) {
    reason = "another library sets threads up in a pthread_create of its own";
    kernel_provider = true;
  }
  if (!kernel_provider && has_rseq_of_others()) {
    reason = "the program registers areas for restartable sequences itself (rseq)";
    kernel_provider = true;
  }
  if (icvs.binds_threads()) {
    // A fiber goes to whatever worker is free; a bound thread must not.
    reason = reason_of_binding();
    kernel_provider = true;
  }
  if (kernel_provider && icvs.provider == ProviderChoice::Fiber) {
    warn("BOBBIN_PROVIDER=fiber is not possible here: %s; using kernel threads", reason);
  }
  note_provider(kernel_provider ? "kernel" : "fiber", kernel_provider && reason ? reason : "");
  set_stack_size(icvs.stack_size);
  init_spin_limits();
}

namespace {

// One past the highest of a kind.
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
    worker->inbox.close();  // a fiber that ran there once goes home
  } else {
    worker->inbox.reopen();
  }
  worker->kind = kind;
  worker->helper = kNoHelper;
  worker->retiring.store(false, relaxed);
  worker->random = slot * 2654435761u + 1;
  worker->group = nullptr;
  // That of a helper or a spare is its own kernel thread's, which is not there yet.
  if (kind == WorkerKind::Root || kind == WorkerKind::Thread) {
    worker->belong_to_caller();
  } else {
    worker->belong_to_nobody();
  }
  enter_slot(*worker, slot);
  if (kind == WorkerKind::Root) pool.roots_met.store(pool.roots_met.load(relaxed) + 1, release);
  return worker;
}

namespace {

// So that who looks for work does not pass by the empty slots of all that there ever were.
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

namespace {

// A number for a new helper, until unregister_worker(); false: there are enough of them.
bool number_helper(Worker& worker) {
  SpinGuard guard(pool.lock);
  const unsigned count = pool.helper_count.load(relaxed);
  if (count >= pool.most_helpers) return false;
  unsigned number = 0;
  while (pool.helpers[number].load(relaxed) != nullptr) number++;
  worker.helper = number;
  pool.helpers[number].store(&worker, release);
  pool.helper_count.store(count + 1, relaxed);
  return true;
}

constexpr uint64_t kScarceUs = 100'000;

}  // namespace

void note_scarcity() {
  pool.no_more_threads.set(ticks(), kScarceUs * ticks_per_us());
  warn_once(said_scarce, "cannot start another kernel thread; going on with fewer workers");
}

bool threads_scarce(uint64_t now) { return pool.no_more_threads.ahead(now); }

void start_resting() {
  if (resting_is_on_its_way.load(relaxed)) return;
  resting_is_on_its_way.store(true, relaxed);
  if (start_detached(helper_main, nullptr, native_stack_size())) {
    guard_credentials();
  } else {
    forget_resting_on_its_way();
  }
}

void forget_resting_on_its_way() { resting_is_on_its_way.store(false, relaxed); }

bool start_worker(WorkerKind kind) {
  if (threads_scarce(ticks())) return false;
  KeepErrno keep;
  Worker* worker = register_worker(kind);
  if (worker == nullptr) return false;
  worker->active.store(true, relaxed);  // it looks for work at once
  if (kind == WorkerKind::Spare && wake_resting(*worker)) return true;
  const bool enough = kind == WorkerKind::Helper && !number_helper(*worker);
  if (!enough && start_detached(helper_main, worker, native_stack_size())) {
    guard_credentials();
    return true;
  }
  unregister_worker(worker);
  // A region goes on with the threads that there are: the root carries its whole team itself.
  if (!enough) note_scarcity();
  return false;
}

void publish(Ticket& ticket, Worker& worker, unsigned wanted) {
  worker.tickets.show(ticket);
  watch_for_stuck_workers();
  if (wanted == 0) return;
  if (together.knows(ticket.code) && together.needed(ticket.code, ticks())) {
    send_workers(ticket, wanted);
  } else if (pool.most_helpers != 0) {
    call_at_fork(ticket, worker);
  }
}

bool helpers_idle() { return pool.idle.any(); }

namespace {

enum class Which : uint8_t { Idle, All };

void retire_helpers(Which which) {
  SpinGuard guard(pool.lock);
  for (unsigned number = 0; number < pool.most_helpers; number++) {
    Worker* helper = pool.helpers[number].load(relaxed);
    if (helper == nullptr) continue;
    if (!pool.idle.claim(number) && which == Which::Idle) continue;
    helper->retiring.store(true, release);
    helper->parking.unpark();
  }
}

}  // namespace

void pause_pool() {
  end_resting();
  retire_helpers(Which::Idle);
}

void end_pool() {
  retire_helpers(Which::All);
  end_monitor();
  end_resting();
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

void withdraw(Ticket& ticket, Worker& worker) {
  TicketBoard::remove(ticket);
  if (ticket.begun_at != 0) learn_length(ticket, worker);
}

void Worker::belong_to_caller() {
  blocked = kernel_mask();
  nudged.store(false, relaxed);
  native_tls = current_thread_pointer();
  kernel_thread = static_cast<pid_t>(syscall(SYS_gettid));
}

void Worker::belong_to_nobody() {
  native_tls = nullptr;
  kernel_thread = 0;
}

void Worker::arrive() {
  if (displacing != nullptr) [[unlikely]]
    hand_over_displaced(*std::exchange(displacing, nullptr), *this);
  if (Fiber* fiber = leaving) {
    leaving = nullptr;
    auto running = static_cast<uint32_t>(FiberState::Running);
    if (!fiber->state.compare_exchange_strong(running, static_cast<uint32_t>(FiberState::Waiting),
                                              acq_rel, acquire)) {
      // It sees what all wrote who have notified it, not the first of them only.
      fiber->state.exchange(static_cast<uint32_t>(FiberState::Running), acquire);
      enqueue(*fiber);
    }
  }
}

bool Worker::come_back() {
  arrive();
  if (ended == nullptr) return false;
  part_ended(*std::exchange(ended, nullptr));
  return true;
}

namespace {

void loop_of_root(void* message) {
  auto& worker = *static_cast<Worker*>(message);
  if (worker.come_back()) set_thread_pointer(worker.native_tls);
  run_loop(worker);
  // The record has gone to a spare kernel thread.
  void* unused;
  bobbin_switch_context(&unused, worker.native_sp, &worker, worker.native_tls);
}

}  // namespace

bool provide_loop(Worker& root) {
  if (root.loop_sp != nullptr) return true;
  root.loop_stack = take_stack();
  if (root.loop_stack == nullptr) return false;
  root.loop_stack->thread_num = -1;
  root.loop_sp = make_context(root.loop_stack->top(), loop_of_root);
  return true;
}

}  // namespace bobbin
