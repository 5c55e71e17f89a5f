// SPDX-License-Identifier: Apache-2.0
// A systematic interleaving explorer for lock-free code, after CHESS, Relacy and loom.
//
// explore() runs a test body again and again, each time under another schedule and with other
// answers of the memory model, depth first, until all within the bounds are done. The body runs as
// thread 0, makes its shared state, spawns threads, joins them and checks:
//
//   Result result = explore({.preemptions = 2}, [] {
//     auto* box = make<Box>();
//     spawn([=] { box->data = 1; box->ready.store(1, release); });
//     spawn([=] { if (box->ready.load(acquire)) MODEL_CHECK(box->data == 1); });
//     join_all();
//   });
//   EXPECT_TRUE(result.passed()) << result;
//
// Every operation on an Atomic, every fence, spin hint and futex call is a scheduling point.
// Accesses to a Var are not, for they are checked to be free of data races, and then their place
// among the other threads' operations does not matter. Found are: failed MODEL_CHECKs, data races,
// uses of freed memory, deadlocks (a lost wake-up is one), loops that cannot end.
//
// The bounds. A preemption is a switch away from a thread that could go on; a switch at a block, at
// the end of a thread or at a spin hint is free. A stale read is a load of another store than the
// newest; `stale_depth` says how far back it may lie. A spin hint lets others go first until
// something changes that the thread reads in its loop; an impatient thread goes on at once, as one
// whose bounded spin comes to its end. All are bounded per execution, for bugs need few of them
// (Musuvathi and Qadeer, PLDI'07). Within the bounds the search is exhaustive, and states that were
// reached before with no less left of either bound are not searched again.
//
// The body must be deterministic: no clocks, no random numbers, no state kept between executions.
// Memory that is recycled within an execution comes from allocate(), whose addresses repeat. A
// stack is not unwound when an execution is cut short, so bodies own nothing outside that arena.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <new>
#include <string>
#include <utility>

#include "model/atomic.h"

namespace bobbin::model {

struct Options {
  int preemptions = 2;
  int stale_reads = 2;
  int stale_depth = 2;
  int spurious_wakes = 0;  // of futex waits, an execution
  int impatience = 1;      // spins given up although others could still make them succeed
  int max_steps = 3000;  // operations in one execution; more is taken for a loop that does not end
  long max_executions = 2'000'000;
  double max_seconds = 100;  // of processor time; a safety net; the bounds should end the search
  bool prune = true;
  const char* replay = nullptr;  // Result::schedule of a failure: runs that execution alone
};

struct Result {
  bool failed = false;
  bool complete = false;  // all executions within the bounds were explored
  std::string message;
  std::string trace;
  std::string schedule;
  long executions = 0;
  long pruned = 0;
  long states = 0;
  double seconds = 0;
  bool passed() const { return !failed && complete; }
};
std::ostream& operator<<(std::ostream& out, const Result& result);

// A callable that is copied into the execution's arena, so that a body's lambdas may be
// temporaries.
struct Task {
  void (*run)(void*);
  void* closure;
};

Result explore_task(const Options& options, Task body);
// A daemon need not end: the execution is over when the body and all other threads are.
enum class Role { Worker, Daemon };
void spawn_task(Task task, Role role);

template <class F>
Result explore(const Options& options, F body) {
  return explore_task(options, {[](void* closure) { (*static_cast<F*>(closure))(); }, &body});
}

// Arena of the execution. Freed blocks are handed out again, the last freed first.
void* allocate(std::size_t size, Where where = Where::current());
void deallocate(void* block, std::size_t size, Where where = Where::current());

template <class T, class... Args>
T* make(Args&&... args) {
  return new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
}

template <class F>
void spawn(F f, Role role = Role::Worker) {
  spawn_task({[](void* closure) { (*static_cast<F*>(closure))(); }, make<F>(std::move(f))}, role);
}
// Waits for all threads that were spawned so far, but for daemons.
void join_all(Where where = Where::current());

// The number of the running thread: 0 for the body, then in the order of spawn().
int self();

// Gives each thread of this execution a value of its own for a thread_local of the code under test:
// all of them run on one kernel thread. One variable; null in each new thread.
void keep_per_thread(void** variable);

// Names an object in traces.
template <class T>
void name(Atomic<T>& object, const char* text);
void name_object(Object object, const char* text);
template <class T>
void name(Atomic<T>& object, const char* text) {
  name_object(object.object(), text);
}

void check(bool condition, const char* text, Where where = Where::current());
#define MODEL_CHECK(condition) ::bobbin::model::check((condition), #condition)

}  // namespace bobbin::model
