// SPDX-License-Identifier: Apache-2.0
// A systematic interleaving explorer for lock-free code, after CHESS, Relacy and loom.
//
// explore() runs a test body again and again, each time under another schedule and with other
// answers of the memory model, depth first, until all of them within the bounds are done. The body
// runs as thread 0. It makes its shared state, spawns threads, joins them and checks:
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
// Accesses to a Var are not, because they are checked for data races. Without a race their place
// among the other threads' operations does not matter. The explorer finds failed MODEL_CHECKs, data
// races, uses of freed memory, deadlocks (including lost wake-ups), and loops that cannot end.
//
// The bounds. A preemption is a switch away from a thread that could continue. A switch at a block,
// at the end of a thread or at a spin hint is free. A stale read is a load of a store other than
// the newest; `stale_depth` limits how old the store may be. At a spin hint the others run first,
// until something changes that the thread reads in its loop. An impatient thread continues at once,
// like a thread whose bounded spin ends. All of these are bounded per execution, because bugs need
// few of them (Musuvathi and Qadeer, PLDI'07). Within the bounds the search is exhaustive. A state
// is not searched again if it was reached before with at least as much left of each bound.
//
// The body must be deterministic: no clocks, no random numbers, no state kept between executions.
// Memory that is recycled within an execution comes from allocate(), whose addresses repeat. A
// stack is not unwound when an execution is cut short, so bodies own nothing outside of that arena.
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
  int spurious_wakes = 0;  // futex waits that wake for no reason, per execution
  int impatience = 1;      // spins given up although other threads could still make them succeed
  int max_steps = 3000;    // operations per execution; a longer execution counts as an endless loop
  long max_executions = 2'000'000;
  double max_seconds = 100;  // of processor time; a safety net: the bounds should end the search
  bool prune = true;
  const char* replay = nullptr;  // Result::schedule of a failure: runs only that execution
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

// A callable that is copied into the execution's arena, so that a body's lambdas may be temporary
// objects.
struct Task {
  void (*run)(void*);
  void* closure;
};

Result explore_task(const Options& options, Task body);
// A daemon need not end: the execution ends with the body and all other threads.
enum class Role { Worker, Daemon };
void spawn_task(Task task, Role role);

template <class F>
Result explore(const Options& options, F body) {
  return explore_task(options, {[](void* closure) { (*static_cast<F*>(closure))(); }, &body});
}

// The execution's arena. Freed blocks are reused, the last freed one first.
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
// Waits for all threads spawned so far, except daemons.
void join_all(Where where = Where::current());

// The number of the running thread: 0 for the body, the others in the order of spawn().
int self();

// Gives each thread of this execution its own value of a thread_local of the code under test,
// because all of them run on one kernel thread. Only one variable; null in each new thread.
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
