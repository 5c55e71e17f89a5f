// SPDX-License-Identifier: Apache-2.0
#include "model/count/constructs.h"

#include <sched.h>

#include <cstdlib>

#include "construct/worksharing/loop.h"
#include "construct/worksharing/single.h"
#include "env/tuning.h"
#include "model/count/schedule.h"
#include "model/runtime/world.h"
#include "platform/processors/topology_builder.h"
#include "sched/processors/whereabouts.h"
#include "task/create/create.h"
#include "task/wait/wait.h"
#include "team/members/barrier.h"

// Each thread of the schedule is alone on the processor of its number.
extern "C" int sched_getcpu() noexcept {
  return bobbin::count::schedule != nullptr ? static_cast<int>(bobbin::count::schedule->current())
                                            : 0;
}

namespace bobbin::count {
namespace {

constexpr unsigned kWithACache = 8;  // processors that share a last-level cache
constexpr unsigned kInAPackage = 64;
constexpr unsigned kExecutions = 4;
constexpr unsigned kIterations = 4;  // of a loop, for each thread

void describe(Distance& distance, unsigned processors) {
  TopologyBuilder builder(processors);
  for (unsigned cpu = 0; cpu < processors; cpu++) {
    Processor processor;
    processor.cpu = processor.core = cpu;
    processor.cache = cpu / kWithACache;
    processor.numa = processor.package = cpu / kInAPackage;
    builder.add(processor);
  }
  Topology topology;
  builder.finish(topology);
  distance.fill(topology);
  topology.clear();
}

// Those that decide by time, which does not pass here. Without them all workers take part in each
// region, and spin until they are called.
constexpr std::uint32_t kDecideByTime =
    bit_of(Heuristic::BriefRegions) | bit_of(Heuristic::RegionLengths) | bit_of(Heuristic::Apart) |
    bit_of(Heuristic::SpinBudget) | bit_of(Heuristic::Neighbours) | bit_of(Heuristic::Together) |
    bit_of(Heuristic::Turns) | bit_of(Heuristic::Polling);

// --- The constructs, as a thread of the team executes them.

void no_task(void*) {}

void make_task() {
  char data = 0;
  TaskSpec spec;
  spec.function = &no_task;
  spec.data = &data;
  spec.size = sizeof data;
  create_task(self(), spec);
}

void loop(ScheduleKind kind) {
  const long count = static_cast<long>(current_team().size) * kIterations;
  enter_loop(self(), LoopBounds::of(0, count, 1), {kind, 1}, LoopOrder::None, {});
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  while (loop_next(self(), begin, end)) {
  }
  leave_share(self());
}

void barrier() { barrier_wait(self()); }
void single() { enter_single(self()); }
void dynamic_loop() { loop(ScheduleKind::Dynamic); }
void guided_loop() { loop(ScheduleKind::Guided); }

void tasks_and_barrier() {
  make_task();
  barrier();
}

void task_and_wait() {
  make_task();
  taskwait(self());
}

struct Named {
  const char* name;
  void (*execute)();
};

constexpr Named kInARegion[] = {{"barrier", barrier},        {"single", single},
                                {"dynamic", dynamic_loop},   {"guided", guided_loop},
                                {"task", tasks_and_barrier}, {"taskwait", task_and_wait}};

// --- Names of what is shared.

template <class T>
void name(const T& object, const char* text) {
  schedule->machine().name(&object, &object + 1, text);
}

void name_worker(Worker& worker) {
  name(worker.inbox, "Worker::inbox");
  name(worker.home_ready, "Worker::home_ready");
  schedule->machine().name(&worker.parking, &worker.ready, "Worker::parking");
  name(worker.ready, "Worker::ready");
  schedule->machine().name(&worker.active, &worker + 1, "Worker::active");
}

void name_pool() {
  name(pool, "Pool");
  name(whereabouts, "Whereabouts");
  name(pool.registry, "Pool::registry");
  name(pool.helpers, "Pool::helpers");
  for (unsigned helper = 0; helper < kMaxHelpers; helper += 64) {
    name(pool.idle.word_of(helper), "Pool::idle");
  }
  name(pool.lock, "Pool::lock");
  pool.each([](Worker& worker) {
    name_worker(worker);
    return false;
  });
}

void name_team(Team& team) {
  schedule->machine().name(&team, &team.mode, "Team");
  schedule->machine().name(&team.mode, &team.ancestries_shortened, "Team::has_tasks");
  for (unsigned num = 0; num < team.size; num += 64)
    name(team.unbegun.word_of(num), "Team::unbegun");
  name(team.participants, "Team::participants");
  name(team.barrier.arrived, "Barrier::arrived");
  name(team.barrier.generation, "Barrier::generation");
  name(team.work_shares, "WorkShares");
  for (WorkShare& share : team.work_shares.ring) {
    schedule->machine().name(&share, &share.next, "WorkShare::turn");
    name(share.next, "WorkShare::next");
    schedule->machine().name(&share.ordered, &share + 1, "WorkShare::left");
  }
  name(team.work_shares.singles, "WorkShares::singles");
  for (unsigned num = 0; num < team.size; num++) {
    Member& member = *team.members[num];
    schedule->machine().name(&member, &member.tasks, "Member");
    name(member.tasks, "Member::tasks");
    name(member.tasks_made, "Member::tasks_made");
    name(member.tasks_ended, "Member::tasks_made");
    name(member.rested, "Member::rested");
  }
}

// --- An execution.

struct Region {
  unsigned threads;
  void (*execute)();
  Outcome* outcome;

  static void run(void* data) {
    const Region& region = *static_cast<Region*>(data);
    // A worker that waits in the runtime may carry a second thread; one that waits here does not.
    schedule->meet(region.threads);
    region.execute();  // what is made at the first time is there then
    std::uint64_t begin = schedule->meet(region.threads);
    const bool first = self().member->num == 0;
    if (first) schedule->machine().begin_counts();
    begin = schedule->meet(region.threads);
    for (unsigned i = 0; i < kExecutions; i++) region.execute();
    const std::uint64_t end = schedule->meet(region.threads);
    if (first) {
      region.outcome->counts = schedule->machine().counts();
      region.outcome->path = static_cast<double>(end - begin) / kExecutions;
    }
    schedule->meet(region.threads);  // the ends of threads do not count
  }
};

void execute_region(Thread& root, unsigned threads, void (*function)(void*), void* data) {
  Team* team = assemble(root, threads, Icvs{});
  fork(root, *team, function, data);
  function(data);
  join(root, *team);
}

void nothing(void*) {}

// Returns when all threads of the team are here, each on a worker of its own.
void meet_all(void*) { schedule->meet(current_team().size); }

void count_regions(Thread& root, unsigned threads, void (*function)(void*), Outcome& outcome) {
  std::uint64_t path = 0;
  for (unsigned i = 0; i < kExecutions; i++) execute_region(root, threads, function, nullptr);
  schedule->settle();
  schedule->machine().begin_counts();
  for (unsigned i = 0; i < kExecutions; i++) {
    const std::uint64_t begin = schedule->settle();
    execute_region(root, threads, function, nullptr);
    path += schedule->path() - begin;
  }
  schedule->settle();
  outcome.counts = schedule->machine().counts();
  outcome.path = static_cast<double>(path) / kExecutions;
}

struct Execution {
  const Named* construct;  // null: the region itself, with this function
  void (*region)(void*);
  unsigned threads;
  const Distance* distance;
  Outcome outcome;

  void run() {
    auto* world = model::make<model::World>(model::Provider::Fiber, threads, threads);
    detail::global_icvs_storage.heuristics_off = kDecideByTime;
    spin_limits.set(0, SpinLimits::kForever);
    worth_a_steal.store(SpinLimits::kForever, relaxed);
    whereabouts.use(*distance);
    Thread& root = world->add_root();
    for (unsigned i = 1; i < threads; i++) world->start_helper();
    schedule->settle();
    for (int i = 0; i < 2; i++) execute_region(root, threads, meet_all, nullptr);
    name_pool();
    name_team(*root.kept);
    outcome.executions = kExecutions;
    if (construct == nullptr) return count_regions(root, threads, region, outcome);
    Region within{threads, construct->execute, &outcome};
    execute_region(root, threads, &Region::run, &within);
  }
};

}  // namespace

Outcome count(const std::string& construct, unsigned threads) {
  Distance distance;
  describe(distance, threads);
  void (*region)(void*) = construct == "parallel" ? nothing : meet_all;
  Execution execution{nullptr, region, threads, &distance, {}};
  for (const Named& named : kInARegion) {
    if (construct == named.name) execution.construct = &named;
  }
  Schedule own(distance);
  own.run({[](void* closure) { static_cast<Execution*>(closure)->run(); }, &execution});
  return execution.outcome;
}

}  // namespace bobbin::count
