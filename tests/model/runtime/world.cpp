// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/world.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#include "env/icv.h"
#include "fiber/context/context.h"
#include "fiber/context/stack.h"
#include "fiber/tls/tls_block.h"
#include "platform/clocks/clock.h"
#include "platform/diagnostics.h"
#include "platform/locks/handlers_wait.h"
#include "platform/memory/blocks.h"
#include "platform/processors/away.h"
#include "platform/processors/load.h"
#include "platform/signals/stack_guard.h"
#include "sched/monitor/unhandled_signals.h"
#include "sched/places/processor_changes.h"
#include "sched/places/processors_of_roots.h"
#include "sched/roots/give_way.h"
#include "sched/signals/signals.h"
#include "sched/workers/nudge.h"
#include "sched/workers/signal_mask.h"
#include "team/carriers/kernel_thread.h"
#include "team/model/root.h"
#include "team/regions/roots.h"
#include "team/regions/team_store.h"

namespace bobbin {
namespace {

// A fiber's stack is any free one of these.
constexpr std::size_t kStackBytes = 128 * 1024;
constexpr unsigned kStacksForEach = 3;  // thread of the largest team
char* stack_memory;
Stack* free_stacks;

// The number of stacks is the same in all executions of a process.
void free_all_stacks(unsigned count) {
  if (stack_memory == nullptr) {
    void* memory = mmap(nullptr, count * kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    stack_memory = static_cast<char*>(memory);
  }
  free_stacks = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    char* memory = stack_memory + i * kStackBytes;
    auto* header = reinterpret_cast<Stack*>(memory + kStackBytes - sizeof(Stack));
    *header =
        Stack{memory, kStackBytes, reinterpret_cast<char*>(header), free_stacks, nullptr, -1, -1};
    free_stacks = header;
  }
}

}  // namespace

// --- Replaces the runtime's lower layers, as far as the tests reach them. (Functions that they do
// not reach stay undefined, see CMakeLists.txt.)

GlobalIcvs detail::global_icvs_storage;

// All model threads share it without a lock, because there is no scheduling point within.
Stack* take_stack() {
  Stack* stack = free_stacks;
  if (stack != nullptr) free_stacks = stack->next;
  return stack;
}
void give_stack(Stack* stack) {
  stack->next = free_stacks;
  free_stacks = stack;
}
unsigned machine_processors() { return pool.processors; }
unsigned runnable_kernel_threads(const char*) {
  return model::processor_is_idle ? 1 : 0;  // 0: the kernel does not tell
}
bool kernel_thread_sleeps(pid_t) { return false; }
const char* Stack::reserve() const { return mapping + stack_reserve(size); }

const char* native_stack_reserve() { return nullptr; }
const char* stack_reserve_below(const void*, std::size_t) { return nullptr; }
std::size_t static_tls_size() { return 0; }
void refresh_tls_blocks() {}
void start_tls_block() {}
void own_robust_list(ThreadPointer) {}
void take_processors_of_roots(Worker&) {}
void move_to_place_of(const Worker&) {}
void belong_to_place(Worker& worker, int place) {
  worker.place = place;
  worker.bound = place >= 0 ? &bound_places()[place] : nullptr;
}
void warn_once(OnceFlag&, const char*, ...) {}
unsigned most_kernel_threads() { return kMaxWorkers; }
bool room_for_stack(std::size_t, std::size_t) { return true; }
void take_processors_again(Worker&) {}
void begin_to_follow_processors() {}
void look_at_processors(uint64_t) {}
Whereabouts whereabouts;  // of a machine whose processors are all equally far apart
void Whereabouts::read_machine() {}
AwayFrom::AwayFrom(int) {}
AwayFrom::~AwayFrom() = default;
bool AltStack::install() { return true; }
void AltStack::remove() {}

// No signals arrive, so no thread gives way. (Tests of stand-ins and of unhandled signals use the
// real functions instead of the weak ones here.)
void nudge_carried(Worker&) {}
void nudge_for_signals(Fiber&) {}
void load_signal_mask(Worker& worker, SignalSet blocked) { worker.blocked = blocked; }
void handle_noted_signals(Fiber&, void*) {}
[[gnu::weak]] Fiber* current_fiber() { return tls_thread; }
[[gnu::weak]] bool in_signal_handler(const Fiber&) { return false; }
[[gnu::weak]] bool any_unhandled() { return false; }
[[gnu::weak]] UnhandledSignals sort_unhandled() { return {}; }
[[gnu::weak]] void recall_root(Worker&) {}
[[gnu::weak]] void give_back_reserve(Worker&) {}

// A microsecond is so long that no gap is noticed and no spin has a budget.
uint64_t ticks_per_us() { return uint64_t{1} << 40; }

// --- Replaces the layers above the team layer.

void move_to_place(Thread&) {}

Team* take_team(Thread& forking, unsigned size) {
  return model::World::instance->take_team(forking, size);
}
void keep_team(Thread& forking, Team& team) {
  team.kept_next = forking.kept;
  forking.kept = &team;
}

}  // namespace bobbin

// The runtime's kernel threads are model threads. (The program's own definition takes precedence
// over libc's.)
extern "C" int pthread_create(pthread_t*, const pthread_attr_t*, void* (*function)(void*),
                              void* argument) noexcept {
  bobbin::model::spawn([=] { function(argument); }, bobbin::model::Role::Daemon);
  return 0;
}

namespace bobbin {

void guard_credentials() {}

namespace {

constexpr unsigned kPlaces = 2;
BoundPlaces places;

}  // namespace

void BoundPlaces::fill() {
  places_ = static_cast<BoundPlace*>(model::allocate(kPlaces * sizeof(BoundPlace)));
  count_ = kPlaces;
  for (unsigned i = 0; i < kPlaces; ++i) {
    new (&places_[i]) BoundPlace;
    places_[i].first_helper = i;
    places_[i].most_helpers = 1;
  }
}
const BoundPlaces& bound_places() { return places; }

namespace model {

World* World::instance;
bool memory_is_used_up;
bool processor_is_idle;

World::World(Provider carried_by, unsigned processors, unsigned most_threads)
    : most_threads_(most_threads) {
  instance = this;
  memory_is_used_up = processor_is_idle = false;
  handlers_wait = 0;  // an execution that was cut short may have left one
  free_all_stacks(kStacksForEach * most_threads);
  keep_per_thread(reinterpret_cast<void**>(&tls_thread));
  threads_are_bound = carried_by == Provider::Bound;
  provider = carried_by == Provider::Kernel ? kernel_threads
             : threads_are_bound            ? bound_fibers
                                            : fibers;
  if (threads_are_bound) places.fill();
  pool.processors = processors;
  pool.most_helpers = most_threads;
  pool.unused = nullptr;
  pool.standby = nullptr;
  // Only start_helper() starts helpers.
  pool.no_more_threads.set(0, kLongestDeadline);
}

// A record for the next worker, in the execution's arena.
void World::provide_worker() {
  auto* record = make<Worker>();
  SpinGuard guard(pool.lock);
  record->unused_next = pool.unused;
  pool.unused = record;
}

Thread& World::add_root() {
  provide_worker();
  Worker* worker = register_worker(WorkerKind::Root);
  auto* root = make<Root>();
  Thread& thread = root->thread;
  Team& team = root->initial_team;
  Member& member = root->initial_member;
  root->home = worker;
  worker->group = root;
  if (threads_are_bound) belong_to_place(*worker, 0);
  thread.place.store(worker->place, relaxed);
  thread.placement.place = worker->place;
  provide_loop(*worker);
  thread.root = root;
  thread.group.store(root, relaxed);
  thread.home = thread.worker = worker;
  thread.tls = worker->native_tls = &thread;
  team.root = root;
  team.group = root;
  team.members = root->initial_members;
  team.capacity = team.made = 1;
  team.participants.open(team.region, 1);
  member.team = &team;
  member.thread = &thread;
  thread.member = &member;
  thread.task = &member.implicit;
  tls_thread = &thread;
  return thread;
}

void World::start_helper() {
  provide_worker();
  pool.no_more_threads.clear();
  threads_are_bound ? bobbin::start_helper(1, 1) : start_worker(WorkerKind::Helper, -1);
  pool.no_more_threads.set(0, kLongestDeadline);
}

BitsetView World::make_bitset(const char* what) const {
  const unsigned words = BitsetView::words_for(most_threads_);
  const unsigned stride = words > 1 ? BitsetView::kApart : 1;
  auto* first =
      static_cast<Atomic<std::uint64_t>*>(allocate(words * stride * sizeof(Atomic<std::uint64_t>)));
  for (unsigned i = 0; i < words * stride; ++i)
    name(*new (first + i) Atomic<std::uint64_t>(), what);
  return {first, words, stride};
}

ArrivalTree World::make_tree(const char* what) const {
  using Node = ArrivalTree::Node;
  const unsigned nodes = ArrivalTree::nodes_for(most_threads_);
  if (nodes == 0) return {};
  auto* first = static_cast<Node*>(allocate(nodes * sizeof(Node)));
  for (unsigned i = 0; i < nodes; ++i) name((new (first + i) Node)->count, what);
  return ArrivalTree(first);
}

Team* World::take_team(Thread& forking, unsigned size) {
  Team* team = forking.kept;
  if (team != nullptr) {
    forking.kept = team->kept_next;
  } else {
    team = make<Team>();
    team->members = static_cast<Member**>(allocate(most_threads_ * sizeof(Member*)));
    team->capacity = most_threads_;
    for (unsigned num = 0; num < size; ++num) {
      auto* member = make<Member>();
      auto* thread = make<Thread>();
      member->team = team;
      member->num = member->index = num;
      member->thread = member->own_thread = thread;
      thread->member = thread->own_member = member;
      thread->tls = thread;
      thread->tls_started = true;
      thread->stack = provider.threads_move && num != 0 ? bobbin::take_stack() : nullptr;
      thread->group.store(forking.group.load(relaxed), relaxed);
      team->members[num] = member;
      if (!provider.threads_move && num > 0) {
        provide_worker();
        provider.start(*thread, forking);
      }
    }
    team->made = size;
    team->blocks = static_cast<PlaceBlock*>(allocate(most_threads_ * sizeof(PlaceBlock)));
    for (unsigned num = 0; num < size; ++num) {
      const unsigned place = block_owner(size, kPlaces, num);
      const auto first = static_cast<unsigned>(block_of(size, kPlaces, place).first);
      team->blocks[num] = {static_cast<int>(place), first};
    }
    team->unbegun = make_bitset("Team::unbegun");
    team->barrier.asleep = make_bitset("Barrier::asleep");
    team->barrier.tree = make_tree("Barrier::tree");
    team->participants.rest_in(make_tree("Participants::rests"));
  }
  team->size = size;
  return team;
}

}  // namespace model
}  // namespace bobbin
