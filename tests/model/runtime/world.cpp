// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/world.h"

#include <cstdint>

#include "env/icv.h"
#include "fiber/context.h"
#include "fiber/stack.h"
#include "fiber/tls_block.h"
#include "platform/clock.h"
#include "sched/monitor.h"
#include "team/root.h"
#include "team/team_store.h"

namespace bobbin {
namespace {

// Enough for what the tests do; a fiber's stack is one of these, whichever is free.
constexpr unsigned kStacks = 12;
constexpr std::size_t kStackBytes = 128 * 1024;
alignas(64) char stack_memory[kStacks][kStackBytes];
Stack* free_stacks;

Stack* header(unsigned i) {
  return reinterpret_cast<Stack*>(stack_memory[i] + kStackBytes - sizeof(Stack));
}

void free_all_stacks() {
  free_stacks = nullptr;
  for (unsigned i = 0; i < kStacks; ++i) {
    *header(i) = Stack{stack_memory[i], kStackBytes, free_stacks, nullptr, -1};
    free_stacks = header(i);
  }
}

}  // namespace

// --- What the runtime's lower layers would provide, as far as the tests get there. (What they do
// not reach stays undefined, see CMakeLists.txt.)

GlobalIcvs detail::global_icvs_storage;

// Shared by all model threads and without a lock, for there is no scheduling point within.
Stack* take_stack() {
  Stack* stack = free_stacks;
  if (stack != nullptr) free_stacks = stack->next;
  return stack;
}
void give_stack(Stack* stack) {
  stack->next = free_stacks;
  free_stacks = stack;
}
const char* Stack::reserve() const { return mapping + stack_reserve(size); }

void refresh_tls_blocks() {}

// So long a microsecond that no gap is noticed and no spin has a budget.
uint64_t ticks_per_us() { return uint64_t{1} << 40; }

void watch_for_stuck_workers() {}

// --- And the team store above.

Team* take_team(Thread& forking, unsigned size) {
  return model::World::instance->take_team(forking, size);
}
void keep_team(Thread& forking, Team& team) {
  team.kept_next = forking.kept;
  forking.kept = &team;
}

namespace model {

World* World::instance;

bool fibers_possible() { return context_switch_supported(); }

World::World(Provider provider, unsigned processors) {
  instance = this;
  free_all_stacks();
  kernel_provider = provider == Provider::Kernel;
  pool.processors = processors;
  pool.most_helpers = provider == Provider::Kernel ? 0 : kMaxTeam;
  for (Worker*& unused : pool.unused) unused = nullptr;
  // Helpers are started by start_helper() alone.
  pool.no_more_helpers.store(true, relaxed);
}

Worker* World::add_worker(WorkerKind kind) {
  auto* record = make<Worker>();
  record->unused_next = pool.unused_for(kind);
  pool.unused_for(kind) = record;
  Worker* worker = register_worker(kind);
  worker->native_tls = current_thread_pointer();
  return worker;
}

Thread& World::add_root() {
  Worker* worker = add_worker(WorkerKind::Root);
  auto* root = make<Root>();
  Thread& thread = root->thread;
  Team& team = root->initial_team;
  Member& member = root->initial_member;
  root->home = worker;
  worker->group = root;
  thread.root = root;
  thread.group.store(root, relaxed);
  thread.home = thread.worker = worker;
  thread.tls = worker->native_tls;
  team.root = root;
  team.group = root;
  team.members = root->initial_members;
  team.capacity = team.made = 1;
  team.participants.store(1, relaxed);
  member.team = &team;
  member.thread = &thread;
  thread.member = &member;
  thread.task = &member.implicit;
  return thread;
}

void World::start_helper() {
  Worker* worker = add_worker(WorkerKind::Helper);
  unsigned number = pool.helper_count.load(relaxed);
  worker->helper = number;
  worker->active.store(true, relaxed);
  pool.helpers[number].store(worker, release);
  pool.helper_count.store(number + 1, release);
  spawn(
      [=] {
        Stack* stack = take_stack();
        worker->entering_stack = stack;
        bobbin_switch_context(&worker->native_sp, make_context(stack->top(), enter_loop), worker,
                              worker->native_tls);
      },
      Role::Daemon);
}

Team* World::take_team(Thread& forking, unsigned size) {
  Team* team = forking.kept;
  if (team != nullptr) {
    forking.kept = team->kept_next;
  } else {
    team = make<Team>();
    team->members = static_cast<Member**>(allocate(kMaxTeam * sizeof(Member*)));
    team->capacity = kMaxTeam;
    for (unsigned num = 0; num < size; ++num) {
      auto* member = make<Member>();
      auto* thread = make<Thread>();
      member->team = team;
      member->num = num;
      member->thread = member->own_thread = thread;
      thread->member = member;
      thread->tls = current_thread_pointer();
      thread->tls_started = true;
      thread->group.store(forking.group.load(relaxed), relaxed);
      team->members[num] = member;
    }
    team->made = size;
    team->unbegun = BitsetView(make<Atomic<std::uint64_t>>(), 1);
    team->barrier.asleep = BitsetView(make<Atomic<std::uint64_t>>(), 1);
  }
  team->size = size;
  return team;
}

Thread& World::current(Team& team) {
  char here;
  for (unsigned i = 0; i < kStacks; ++i) {
    if (&here < stack_memory[i] || &here >= stack_memory[i] + kStackBytes) continue;
    return *team.members[header(i)->thread_num]->thread;
  }
  return *team.members[0]->thread;
}

}  // namespace model
}  // namespace bobbin
