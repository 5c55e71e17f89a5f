// SPDX-License-Identifier: Apache-2.0
#include "team/regions/team_store.h"

#include <bit>

#include "env/icv.h"
#include "platform/diagnostics.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "sched/signals/signals.h"
#include "sched/workers/provider.h"
#include "team/members/member.h"
#include "team/members/tool_events.h"
#include "team/members/visit.h"
#include "team/model/root.h"

namespace bobbin {
namespace {

// Records without an owner. They are type-stable, because a worker may still look at a team's
// ticket, and a late resume() at a thread.
struct Store {
  SpinLock lock;
  Team* teams = nullptr;
  Member* members = nullptr;  // with their threads; linked by next_in_store
};
Store store;
OnceFlag said_smaller;

// The two stay together for good.
void make_pair_of(Member& member, Thread& thread) {
  member.own_thread = &thread;
  thread.own_member = &member;
}

Member* take_member() {
  {
    SpinGuard guard(store.lock);
    if (Member* member = store.members) {
      store.members = member->next_in_store;
      return member;
    }
  }
  struct MemberAndThread {
    Member member;
    Thread thread;
  };
  auto* made = make_lasting<MemberAndThread>();
  if (made == nullptr) return nullptr;
  make_pair_of(made->member, made->thread);
  return &made->member;
}

void give_member(Member* member) {
  SpinGuard guard(store.lock);
  member->next_in_store = store.members;
  store.members = member;
}

// Gives the thread what carries it: a stack and TLS of its own, or a kernel thread.
bool start_thread(Thread& thread, Thread& forking) {
  thread.root = forking.root;
  thread.group.store(forking.group.load(relaxed), relaxed);
  thread.kept = nullptr;
  thread.bound_place = -1;
  thread.tls_started = false;
  thread.home = nullptr;
  thread.state.store(0, relaxed);
  thread.blocked = forking.blocked;
  thread.handlers = {};
  return provider.start(thread, forking);
}

void end_thread(Thread& thread) {
  if (tool::watched && thread.tool.begun.load(relaxed)) provider.call_as(thread, tell_thread_end);
  dissolve_kept_teams(thread);
  drop_noted_signals(thread);
  provider.end(thread);
}

void place_member(Team& team, Member& member, unsigned num) {
  belong_to(team, member);
  member.num = member.index = num;
  // The old values are those of regions of another team: the sums agreed only over the members of
  // that team, and the region numbers were its own.
  member.tasks_made.store(0, relaxed);
  member.tasks_ended.store(0, relaxed);
  member.rested.store(0, relaxed);
  member.thread = member.own_thread;
  member.thread->member = &member;
}

bool add_member(Team& team, Thread& forking, unsigned num) {
  Member* member = take_member();
  if (member == nullptr) return false;
  place_member(team, *member, num);
  // Member 0 of a team is its forking thread; the own thread stays unused there.
  if (num != 0 && !start_thread(*member->own_thread, forking)) {
    give_member(member);
    return false;
  }
  team.members[num] = member;
  return true;
}

// A team's arrays live as long as the team: a worker that looks at a withdrawn ticket finds them in
// place, whatever the team is used for by then. Each begins a cache line.
Team* make_team(unsigned capacity) {
  using Word = Atomic<uint64_t>;
  const unsigned agents = global_icvs().free_agents;
  const unsigned words = BitsetView::words_for(capacity + agents);
  const unsigned processors = global_icvs().workers;
  const unsigned stride = processors > 64 ? BitsetView::kApart : 1;
  const size_t set_bytes = round_up(words * stride * sizeof(Word), kCacheLine);
  const unsigned nodes = processors > ArrivalTree::kFlat ? ArrivalTree::nodes_for(capacity) : 0;
  const size_t tree_bytes = nodes * sizeof(ArrivalTree::Node);
  static_assert(sizeof(Team) % kCacheLine == 0);
  auto* memory = static_cast<char*>(allocate_lasting(sizeof(Team) + 2 * set_bytes + 2 * tree_bytes +
                                                     (capacity + agents) * sizeof(Member*) +
                                                     capacity * sizeof(PlaceBlock)));
  if (memory == nullptr) return nullptr;
  auto* team = new (memory) Team;
  memory += sizeof(Team);
  auto make_set = [&] {
    auto* first = reinterpret_cast<Word*>(memory);
    for (unsigned i = 0; i < words * stride; i++) new (&first[i]) Word(0);
    memory += set_bytes;
    return BitsetView(first, words, stride);
  };
  auto make_tree = [&] {
    auto* first = reinterpret_cast<ArrivalTree::Node*>(memory);
    for (unsigned i = 0; i < nodes; i++) new (&first[i]) ArrivalTree::Node;
    memory += tree_bytes;
    return nodes != 0 ? ArrivalTree(first) : ArrivalTree();
  };
  team->unbegun = make_set();
  team->barrier.asleep = make_set();
  team->barrier.tree = make_tree();
  team->participants.rest_in(make_tree());
  team->members = reinterpret_cast<Member**>(memory);
  team->blocks = reinterpret_cast<PlaceBlock*>(team->members + capacity + agents);
  for (unsigned i = 0; i < agents; i++) team->members[capacity + i] = nullptr;
  team->capacity = capacity;
  team->agent_seats = agents;
  return team;
}

Team* take_stored_team(unsigned size) {
  SpinGuard guard(store.lock);
  for (Team** link = &store.teams; *link != nullptr; link = &(*link)->kept_next) {
    Team* team = *link;
    if (team->capacity < size) continue;
    *link = team->kept_next;
    return team;
  }
  return nullptr;
}

void store_team(Team& team) {
  team.placed_for = {};
  SpinGuard guard(store.lock);
  team.kept_next = store.teams;
  store.teams = &team;
}

// Teams of one for regions that find no memory: the specification lets a region have fewer threads,
// but not none. Once taken they are kept and stored like others.
struct Emergency {
  Team team;
  Member member;
  Thread thread;
  Member* members[1];
  PlaceBlock blocks[1];
  Atomic<uint64_t> bits[2];
};
constexpr unsigned kEmergencies = 32;
alignas(Emergency) char emergencies[kEmergencies * sizeof(Emergency)];
Atomic<unsigned> emergencies_taken{0};

Team* emergency_team() {
  unsigned number = emergencies_taken.fetch_add(1, relaxed);
  if (number >= kEmergencies) {
    emergencies_taken.store(kEmergencies, relaxed);
    return nullptr;
  }
  auto* made = new (emergencies + number * sizeof(Emergency)) Emergency;
  Team& team = made->team;
  team.members = made->members;
  team.blocks = made->blocks;
  team.unbegun = BitsetView(&made->bits[0], 1);
  team.barrier.asleep = BitsetView(&made->bits[1], 1);
  team.capacity = team.made = 1;
  team.members[0] = &made->member;
  make_pair_of(made->member, made->thread);
  place_member(team, made->member, 0);
  return &team;
}

Team* team_with_room(unsigned size) {
  constexpr unsigned kSmallest = 8;
  Team* team = take_stored_team(size);
  if (team == nullptr) team = make_team(size > kSmallest ? std::bit_ceil(size) : kSmallest);
  return team;
}

void move_members(Team& from, Team& to) {
  for (unsigned num = 0; num < from.made; num++) {
    to.members[num] = from.members[num];
    place_member(to, *to.members[num], num);
  }
  to.made = from.made;
  from.made = 0;
  to.placed_for = {};
}

}  // namespace

Team* take_team(Thread& forking, unsigned size) {
  Team* team = forking.kept;
  if (team != nullptr) {
    forking.kept = team->kept_next;
    take_kept(*team);
  }
  if (team == nullptr || team->capacity < size) {
    // The members of a smaller team move to the bigger one: thread k stays the same thread.
    Team* bigger = team_with_room(size);
    if (bigger != nullptr && team != nullptr) {
      move_members(*team, *bigger);
      store_team(*team);
    }
    if (bigger != nullptr) team = bigger;
  }
  if (team == nullptr) team = take_stored_team(1);
  if (team == nullptr) team = emergency_team();
  if (team == nullptr) return nullptr;
  unsigned reach = size < team->capacity ? size : team->capacity;
  while (team->made < reach && add_member(*team, forking, team->made)) team->made++;
  if (team->made == 0) {
    keep_team(forking, *team);
    return nullptr;
  }
  if (team->made < size) {
    warn_once(said_smaller,
              "not enough memory or kernel threads for a team of %u; going on with %u", size,
              team->made);
  }
  team->size = size < team->made ? size : team->made;
  return team;
}

void keep_team(Thread& forking, Team& team) {
  team.kept_next = forking.kept;
  forking.kept = &team;
  team.kept.store(true, release);
}

void dissolve_kept_teams(Thread& thread) {
  while (Team* team = thread.kept) {
    thread.kept = team->kept_next;
    take_kept(*team);
    for (unsigned num = 0; num < team->made; num++) {
      if (num != 0) end_thread(*team->members[num]->own_thread);
      give_member(team->members[num]);
    }
    team->made = 0;
    store_team(*team);
  }
}

void init_teams() { add_fork_lock(held_across_fork<store.lock>); }

}  // namespace bobbin
