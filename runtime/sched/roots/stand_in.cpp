// SPDX-License-Identifier: Apache-2.0
#include "sched/roots/stand_in.h"

#include <utility>

#include "sched/roots/standby.h"
#include "sched/workers/nudge.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/signal_mask.h"

namespace bobbin {
namespace {

// A thread that goes through the registry meanwhile may miss the old record; the monitor's next
// look does not.
void exchange_slots(Worker& fresh, Worker& worker) {
  const unsigned slot = worker.index;
  worker.index = static_cast<unsigned>(fresh.index);
  fresh.index = slot;
  pool.registry[worker.index].store(&worker, release);
  pool.registry[slot].store(&fresh, release);
}

}  // namespace

// Sets what register_worker() would set for the same kernel thread.
void take_the_place(Worker& fresh, Worker& worker) {
  Fiber& root = *worker.group->root;
  fresh.kind = WorkerKind::Root;
  fresh.random = worker.random;
  fresh.kernel_thread = static_cast<pid_t>(worker.kernel_thread);
  fresh.native_tls = static_cast<ThreadPointer>(worker.native_tls);
  fresh.group = worker.group;
  belong_to_place(fresh, worker.place);
  fresh.blocked = ~SignalSet{0};  // the handler's mask, which is not known
  std::swap(fresh.alt_stack, worker.alt_stack);
  fresh.active.store(worker.active.load(relaxed), relaxed);
  fresh.nudged.forget();
  fresh.inbox.reopen();
  root.home = &fresh;
  root.worker = &fresh;
  worker.group->home = &fresh;
  exchange_slots(fresh, worker);
  worker.kind = WorkerKind::Spare;
  worker.group = nullptr;
  worker.retiring.store(false, relaxed);
  worker.stuck.store(false, relaxed);
  worker.nudged.forget();  // one on its way reaches the root's kernel thread
  worker.belong_to_nobody();
  worker.active.store(true, relaxed);
}

void hand_over_displaced(Worker& worker, Worker& fresh) {
  // This comes first, because a signal may be waiting for the mask.
  wake_claimed(*std::exchange(worker.stand_in, nullptr), &worker);
  load_signal_mask(fresh, fresh.group->root->blocked);
}

namespace {

// Either both are set, or neither.
struct Provision {
  Worker* reserve = nullptr;
  StandBy* stand_in = nullptr;
};

void give_back(const Provision& provision) {
  if (provision.reserve == nullptr) return;
  unregister_worker(provision.reserve);
  put_back_standby(*provision.stand_in);
}

// Returns neither if they cannot be had yet, or at all.
Provision provide() {
  StandBy* stand_in = claim_standby();
  if (stand_in == nullptr) {
    start_standby();
    return {};
  }
  Worker* reserve = register_worker(WorkerKind::Reserve);
  if (reserve == nullptr) {
    put_back_standby(*stand_in);
    return {};
  }
  const Provision made{reserve, stand_in};
  if (provide_loop(*reserve)) return made;
  give_back(made);
  return {};
}

}  // namespace

void recall_root(Worker& worker) {
  Provision made;
  if (worker.reserve.load(relaxed) == nullptr) {
    made = provide();
    if (made.reserve == nullptr) return;
  }
  {
    SpinGuard guard(pool.lock);  // so that neither record nor kernel thread ends meanwhile
    if (pool.registry[worker.index].load(relaxed) == &worker && worker.kind == WorkerKind::Root) {
      if (made.reserve != nullptr) {
        worker.stand_in = made.stand_in;
        worker.reserve.store(made.reserve, release);
        made = {};
      }
      nudge_carried(worker);
    }
  }
  give_back(made);
}

void give_back_reserve(Worker& worker) {
  Provision given;
  {
    SpinGuard guard(pool.lock);
    given = {worker.reserve.exchange(nullptr, relaxed), std::exchange(worker.stand_in, nullptr)};
    worker.kind = WorkerKind::Spare;  // so that it gets no other reserve
  }
  give_back(given);
}

}  // namespace bobbin
