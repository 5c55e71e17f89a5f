// SPDX-License-Identifier: Apache-2.0
// Runs the threads of an execution on a machine with caches, one access at a time: always the
// thread whose path is the shortest, so that the order is the same in every run. Of several the
// running one goes on, then the one that has done least. Each thread has a processor of its own.
//
// A thread that spins goes on when another one has written a line that it has read in its loop.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/count/machine.h"
#include "model/engine.h"
#include "model/explore.h"
#include "model/fiber.h"

namespace bobbin::count {

class Schedule {
 public:
  explicit Schedule(const Distance& distance) : machine_(distance) {}
  ~Schedule();

  // Runs `body` as thread 0 until it ends. What the other threads do then does not matter.
  void run(model::Task body);

  // These are for the running thread.
  unsigned current() const { return current_; }
  Machine& machine() { return machine_; }
  void read(const void* address, model::Where where);
  void write(const void* address, model::Where where);
  // A write in two parts: the processor takes the line; those that spin see a new value.
  Line& own(const void* address, model::Where where);
  void changed(Line& line);
  std::uint64_t path() const { return threads_[current_].path; }
  void spin();
  // Sleeps until it is woken.
  void wait(const void* address);
  int wake(const void* address, int count);
  void spawn(model::Task task);
  // Returns when `count` threads have called it, to all of them the longest of their paths. That is
  // a barrier which costs nothing.
  std::uint64_t meet(unsigned count);
  // Returns when all other threads spin or sleep, the longest path of all.
  std::uint64_t settle();
  void keep_per_thread(void** variable) { local_ = variable; }
  void* allocate(std::size_t size);
  [[noreturn]] void fail(const std::string& message);

 private:
  enum class Status { Ready, Spinning, Sleeping, Meeting, Settling, Done };
  struct Thread {
    model::Fiber fiber;
    model::Task task{};
    Status status = Status::Ready;
    std::uint64_t path = 0;
    std::uint64_t steps = 0;
    std::uint64_t waits = 0;  // counts them: what waits for an earlier one is out of date
    std::vector<std::pair<Line*, std::uint64_t>> seen;  // since its last hint: lines and versions
    void* local = nullptr;
  };
  using Turn = std::tuple<std::uint64_t, std::uint64_t, unsigned>;  // path, steps, thread

  void step();
  void note_seen(Line& line);
  void make_ready(unsigned thread, std::uint64_t path);
  void leave(Status status);
  unsigned next();
  void switch_to(unsigned thread);
  std::uint64_t even_out();
  static void thread_main(void* schedule);

  Machine machine_;
  std::deque<Thread> threads_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready_;
  std::unordered_map<std::uintptr_t, std::deque<unsigned>> sleepers_;  // by address
  std::vector<unsigned> meeting_;
  unsigned current_ = 0;
  model::Fiber main_;
  void** local_ = nullptr;
  std::vector<void*> blocks_;
  std::size_t left_in_block_ = 0;
  bool running_ = false;
};

// Of the running execution, or null.
extern Schedule* schedule;

}  // namespace bobbin::count
