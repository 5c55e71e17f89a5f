// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bobbin::model {

Scheduler* scheduler = nullptr;

namespace {

// A thread that has spun this often lets all others run first. So a loop of spinning threads that
// undo each other's work (test-and-set locks) reaches the thread for which they wait.
constexpr int kPatience = 2;
// The longest bounded spin. A thread that still spins then, although it is impatient or no other
// thread can run, is in a loop without a bound.
constexpr int kMaxRounds = 64;

}  // namespace

Scheduler::Scheduler(const Options& options, Task body) : options_(options), body_(body) {
  void* arena = mmap(nullptr, kArena, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (arena == MAP_FAILED) std::abort();
  arena_ = static_cast<char*>(arena);
}

Scheduler::~Scheduler() { munmap(arena_, kArena); }

void Scheduler::run_once() {
  memory_.reset();
  for (Thread& thread : threads_) {
    thread.status = Status::Absent;
    thread.seen.clear();
    thread.spins = thread.barren = 0;
    thread.gives_way_to = 0;
    thread.impatient = false;
    thread.local = nullptr;
  }
  local_variable_ = nullptr;
  depth_ = 0;
  steps_ = 0;
  preemptions_left_ = preemption_bound_;
  stale_left_ = options_.stale_reads;
  spurious_left_ = options_.spurious_wakes;
  impatience_left_ = options_.impatience;
  events_.clear();
  arena_used_ = 0;
  for (auto& [size, blocks] : free_blocks_) blocks.clear();
  outcome_ = Outcome::Running;
  thread_count_ = 1;
  current_ = 0;
  threads_[0].task = body_;
  threads_[0].status = Status::Ready;
  threads_[0].fiber.prepare(&thread_main, this);
  threads_[0].fiber.switch_from(main_);
}

void Scheduler::thread_main(void* argument) {
  auto* self = static_cast<Scheduler*>(argument);
  Thread& thread = self->threads_[self->current_];
  thread.task.run(thread.task.closure);
  thread.status = Status::Done;
  self->record(Op::End, kNoLocation, 0, Where::current());
  self->memory_.note(self->current_, 20);
  if (self->all_ended()) self->leave(Outcome::Finished);
  self->reschedule(true);
  std::abort();
}

void Scheduler::leave(Outcome outcome) {
  outcome_ = outcome;
  Fiber abandoned;
  main_.switch_from(abandoned);
  std::abort();
}

void Scheduler::fail(const char* message, Where where) {
  char line[64];
  std::snprintf(line, sizeof line, "T%d: ", current_);
  message_ = std::string(line) + message + " [" + where.file_name() + ":" +
             std::to_string(where.line()) + "]";
  leave(Outcome::Failed);
}

bool Scheduler::enabled(const Thread& thread) const {
  switch (thread.status) {
    case Status::Ready:
      return true;
    case Status::Spinning:
      return std::any_of(thread.seen.begin(), thread.seen.end(), [&](const Seen& seen) {
        return const_cast<Memory&>(memory_).location(seen.id).newest() > seen.index;
      });
    case Status::Joining:
      for (int i = 1; i < thread_count_; ++i) {
        const Thread& other = threads_[i];
        if (other.role == Role::Worker && other.status != Status::Done) return false;
      }
      return true;
    default:
      return false;
  }
}

bool Scheduler::all_ended() const {
  for (int i = 0; i < thread_count_; ++i) {
    if (threads_[i].role == Role::Worker && threads_[i].status != Status::Done) return false;
  }
  return true;
}

int Scheduler::collect(Option* options, bool yields) {
  int count = 0;
  bool stays = !yields && enabled(threads_[current_]);
  if (stays) options[count++] = {current_, Turn::Run, 0};
  unsigned able = 0;
  for (int i = 0; i < thread_count_; ++i) able |= enabled(threads_[i]) ? 1u << i : 0;
  unsigned polite = 0;
  for (int i = 0; i < thread_count_; ++i) {
    threads_[i].gives_way_to &= able;
    if ((able >> i & 1) != 0 && threads_[i].gives_way_to == 0) polite |= 1u << i;
  }
  unsigned eligible = polite != 0 ? polite : able;
  int price = stays ? 1 : 0;
  for (int i = 0; i < thread_count_; ++i) {
    if (stays && i == current_) continue;
    if ((eligible >> i & 1) != 0 && price <= preemptions_left_) {
      options[count++] = {i, Turn::Run, price};
    }
  }
  // Time passes without cost only when no other thread can run.
  price = count > 0 ? 1 : 0;
  for (int i = 0; i < thread_count_; ++i) {
    const Thread& thread = threads_[i];
    if (thread.status != Status::Waiting) continue;
    if (thread.may_time_out && price <= preemptions_left_) {
      options[count++] = {i, Turn::TimeOut, price};
    }
    if (spurious_left_ > 0) options[count++] = {i, Turn::SpuriousWake, 0};
  }
  if (count > 0) return count;
  // All threads wait. Those that spin run in turns, until one gives up or it is clear that none
  // will. This is not a choice, because meanwhile they change nothing for each other.
  const Thread* next = nullptr;
  for (const Thread& thread : threads_) {
    if (thread.status != Status::Spinning || thread.barren == kMaxRounds) continue;
    if (next == nullptr || thread.barren < next->barren) next = &thread;
  }
  if (next != nullptr) options[count++] = {static_cast<int>(next - threads_), Turn::Run, 0};
  return count;
}

void Scheduler::point() {
  if (++steps_ > options_.max_steps) fail("too many steps: a loop that does not end", {});
  threads_[current_].impatient = false;
  reschedule(false);
}

// A spin that continues without seeing a change needs no choices: whatever other threads do
// meanwhile, they can equally do before it or after it.
void Scheduler::point_before_load(std::uint32_t id) {
  Thread& thread = threads_[current_];
  if (!thread.impatient || !reads_the_same(thread, id)) point();
}

bool Scheduler::reads_the_same(const Thread& thread, std::uint32_t id) const {
  for (const Seen& seen : thread.still) {
    if (seen.id == id) return const_cast<Memory&>(memory_).location(id).newest() == seen.index;
  }
  return false;
}

void Scheduler::reschedule(bool yields) {
  Option options[3 * kMaxThreads];
  int count = collect(options, yields);
  if (count == 0) {
    report_stuck();
  }
  if (options_.prune && depth_ == choices_.size() && seen_before(count, yields)) {
    leave(Outcome::Pruned);
  }
  resume(options[choose(count)]);
}

// Fails if a thread is left. It prefers to name a thread that does not merely wait for others to
// end.
void Scheduler::report_stuck() {
  for (int i = thread_count_; i-- > 0;) {
    if (threads_[i].role == Role::Daemon) continue;
    current_ = i;
    if (threads_[i].status == Status::Spinning) {
      fail("livelock: this thread spins for what never comes", {});
    }
    if (threads_[i].status == Status::Waiting) {
      fail("deadlock: this thread sleeps and nobody wakes it", {});
    }
  }
  fail("deadlock", {});
}

void Scheduler::resume(const Option& option) {
  preemptions_left_ -= option.cost;
  Thread& thread = threads_[option.thread];
  for (int i = 0; i < thread_count_; ++i) threads_[i].gives_way_to &= ~(1u << option.thread);
  if (thread.status == Status::Spinning) {
    thread.barren = enabled(thread) ? 0 : thread.barren + 1;
    thread.seen.clear();
  }
  if (option.turn != Turn::Run) {
    thread.woken = option.turn == Turn::TimeOut ? WaitResult::TimedOut : WaitResult::Woken;
    if (option.turn == Turn::SpuriousWake) --spurious_left_;
    memory_.note(option.thread, option.turn == Turn::TimeOut ? 21 : 22);
  }
  thread.status = Status::Ready;
  if (option.thread == current_) return;
  Thread& from = threads_[current_];
  current_ = option.thread;
  if (local_variable_ != nullptr) {
    from.local = *local_variable_;
    *local_variable_ = thread.local;
  }
  thread.fiber.switch_from(from.fiber);
}

void Scheduler::note_read(std::uint32_t id, std::uint32_t index) {
  std::vector<Seen>& seen = threads_[current_].seen;
  for (Seen& one : seen) {
    if (one.id == id) {
      one.index = index;
      return;
    }
  }
  seen.push_back({id, index});
}

void Scheduler::spin() {
  if (++steps_ > options_.max_steps) fail("too many steps: a loop that does not end", {});
  Thread& thread = threads_[current_];
  memory_.note(current_, 23);
  if (thread.impatient) {
    // The patient branch explores everything that an endless loop can do.
    if (++thread.rounds > kMaxRounds) leave(Outcome::Pruned);
    return;
  }
  if (impatience_left_ > 0 && choose(2) == 1) {
    --impatience_left_;
    thread.impatient = true;
    thread.rounds = 0;
    thread.still.swap(thread.seen);
    thread.seen.clear();
    return;
  }
  thread.status = Status::Spinning;
  if (++thread.spins > kPatience) {
    for (int i = 0; i < thread_count_; ++i) {
      if (i != current_ && enabled(threads_[i])) thread.gives_way_to |= 1u << i;
    }
  }
  reschedule(true);
}

WaitResult Scheduler::wait(std::uint32_t id, bool may_time_out, Where where) {
  Thread& thread = threads_[current_];
  thread.status = Status::Waiting;
  thread.may_time_out = may_time_out;
  thread.waits_on = id;
  reschedule(true);
  record(thread.woken == WaitResult::TimedOut ? Op::TimedOut : Op::Woken, id, 0, where);
  return thread.woken;
}

int Scheduler::wake(std::uint32_t id, int count) {
  int woken = 0;
  while (woken < count) {
    int waiters[kMaxThreads];
    int waiting = 0;
    for (int i = 0; i < thread_count_; ++i) {
      if (threads_[i].status == Status::Waiting && threads_[i].waits_on == id)
        waiters[waiting++] = i;
    }
    if (waiting == 0) break;
    // The kernel usually wakes in order of arrival, but no program may rely on it.
    Thread& thread = threads_[waiters[count - woken >= waiting ? 0 : choose(waiting)]];
    thread.status = Status::Ready;
    thread.woken = WaitResult::Woken;
    memory_.note_ordered(static_cast<int>(&thread - threads_), 24);
    ++woken;
  }
  return woken;
}

void Scheduler::spawn(Task task, Role role) {
  if (thread_count_ == kMaxThreads) std::abort();
  int child = thread_count_++;
  Thread& thread = threads_[child];
  thread.task = task;
  thread.role = role;
  thread.status = Status::Ready;
  thread.fiber.prepare(&thread_main, this);
  memory_.fork(current_, child);
}

void Scheduler::join_all() {
  threads_[current_].status = Status::Joining;
  reschedule(true);
  for (int i = 1; i < thread_count_; ++i) {
    if (threads_[i].role == Role::Worker) memory_.join(current_, i);
  }
}

void Scheduler::record(Op op, std::uint32_t id, std::uint64_t value, Where where,
                       std::memory_order order, std::uint32_t stale) {
  events_.push_back({current_, op, order, id, value, stale, where});
}

void* Scheduler::allocate(std::size_t size) {
  size = (size + 63) & ~std::size_t{63};
  memory_.note_ordered(current_, 25);
  for (auto& [of_size, blocks] : free_blocks_) {
    if (of_size != size || blocks.empty()) continue;
    void* block = blocks.back();
    blocks.pop_back();
    return block;
  }
  return allocate_fresh(size);
}

void* Scheduler::allocate_fresh(std::size_t size) {
  size = (size + 63) & ~std::size_t{63};
  if (arena_used_ + size > kArena) fail("the model's arena is full", {});
  void* block = arena_ + arena_used_;
  arena_used_ += size;
  // Values of an earlier execution must not be taken for values of this one.
  std::memset(block, 0, size);
  return block;
}

void Scheduler::deallocate(void* block, std::size_t size) {
  size = (size + 63) & ~std::size_t{63};
  memory_.note_ordered(current_, 26);
  for (auto& [of_size, blocks] : free_blocks_) {
    if (of_size == size) {
      blocks.push_back(block);
      return;
    }
  }
  free_blocks_.push_back({size, {block}});
}

}  // namespace bobbin::model
