// SPDX-License-Identifier: Apache-2.0
// The controlled scheduler and the depth-first search over its choices.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "model/explore.h"
#include "model/fiber.h"
#include "model/memory.h"
#include "model/trace.h"

namespace bobbin::model {

enum class Status { Absent, Ready, Spinning, Waiting, Joining, Done };

// One branch point of the search. Only options that the bounds allow are counted.
struct Choice {
  std::uint8_t taken;
  std::uint8_t count;
};

// The set of states already searched, each with what was left of the bounds there.
class Visited {
 public:
  // Returns whether the state was searched with at least this much left. If not, adds it.
  bool covers(std::uint64_t state, int preemptions, int stale_reads);
  long size() const { return static_cast<long>(used_); }

 private:
  struct Entry {
    std::uint64_t state = 0;
    std::int16_t preemptions = 0;
    std::int16_t stale_reads = 0;
    bool taken = false;
  };
  static constexpr std::size_t kLimit = std::size_t{1} << 23;
  void insert(const Entry& entry);
  void grow();
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

class Scheduler {
 public:
  Scheduler(const Options& options, Task body);
  ~Scheduler();
  Result explore();

  // These are for the running thread.
  int current() const { return current_; }
  Memory& memory() { return memory_; }
  void point();  // called before each operation
  void point_before_load(std::uint32_t id);
  int choose(int count);
  // Picks one of the stores [oldest, newest] whose value `may_read` accepts, the newest first.
  template <class F>
  std::uint32_t pick_store(std::uint32_t id, std::uint32_t oldest, F may_read);
  void note_read(std::uint32_t id, std::uint32_t index);
  void spin();
  WaitResult wait(std::uint32_t id, bool may_time_out, Where where);
  int wake(std::uint32_t id, int count);
  void spawn(Task task, Role role);
  void join_all();
  void record(Op op, std::uint32_t id, std::uint64_t value, Where where,
              std::memory_order order = std::memory_order_relaxed, std::uint32_t stale = 0);
  [[noreturn]] void fail(const char* message, Where where);
  void require(const char* error, Where where) {
    if (error != nullptr) fail(error, where);
  }
  void keep_per_thread(void** variable) { local_variable_ = variable; }
  void* allocate(std::size_t size);
  void deallocate(void* block, std::size_t size);
  void* allocate_fresh(std::size_t size);
  bool owns(const void* address) const { return address >= arena_ && address < arena_ + kArena; }

 private:
  enum class Turn { Run, TimeOut, SpuriousWake };
  struct Option {
    int thread;
    Turn turn;
    int cost;
  };
  struct Seen {
    std::uint32_t id;
    std::uint32_t index;
  };
  struct Thread {
    Fiber fiber;
    Task task{};
    Status status = Status::Absent;
    WaitResult woken = WaitResult::Woken;
    bool may_time_out = false;
    std::uint32_t waits_on = 0;
    std::uint64_t waits_since = 0;
    Role role = Role::Worker;
    std::vector<Seen> seen;   // stores read since its last spin hint
    std::vector<Seen> still;  // if impatient: stores read before that hint
    bool impatient = false;
    int rounds = 0;  // rounds of impatience
    int spins = 0;   // hints without waiting for another thread
    int barren = 0;  // times it continued to spin although nothing it read had changed
    unsigned gives_way_to = 0;
    void* local = nullptr;
  };
  enum class Outcome { Running, Finished, Pruned, Failed };

  void run_once();
  bool next_schedule();
  bool enabled(const Thread& thread) const;
  bool all_ended() const;
  bool reads_the_same(const Thread& thread, std::uint32_t id) const;
  int collect(Option* options, bool yields);
  bool seen_before(int options, bool yields);
  void reschedule(bool yields);
  void report_stuck();
  void resume(const Option& option);
  [[noreturn]] void leave(Outcome outcome);
  static void thread_main(void* scheduler);

  static constexpr std::size_t kArena = std::size_t{8} << 20;
  std::string schedule_text() const;

  Options options_;
  Task body_;
  Memory memory_;
  Thread threads_[kMaxThreads];
  int thread_count_ = 0;
  int current_ = 0;
  Fiber main_;
  Outcome outcome_ = Outcome::Running;

  std::vector<Choice> choices_;
  std::size_t depth_ = 0;
  int preemption_bound_ = 0;
  int preemptions_left_ = 0;
  int stale_left_ = 0;
  int spurious_left_ = 0;
  int impatience_left_ = 0;
  int steps_ = 0;
  Visited visited_;
  std::vector<Event> events_;
  std::string message_;

  void** local_variable_ = nullptr;
  char* arena_ = nullptr;
  std::size_t arena_used_ = 0;
  std::vector<std::pair<std::size_t, std::vector<void*>>> free_blocks_;
};

template <class F>
std::uint32_t Scheduler::pick_store(std::uint32_t id, std::uint32_t oldest, F may_read) {
  std::uint32_t newest = memory_.location(id).newest();
  if (stale_left_ == 0 || oldest == newest) return newest;
  std::uint32_t candidates[16];
  int count = 0;
  candidates[count++] = newest;
  for (std::uint32_t index = newest; index-- > oldest && count <= options_.stale_depth;) {
    if (may_read(memory_.location(id).stores[index])) candidates[count++] = index;
    if (count == 16) break;
  }
  int taken = choose(count);
  if (taken > 0) --stale_left_;
  return candidates[taken];
}

// The scheduler of the running exploration, or null.
extern Scheduler* scheduler;

}  // namespace bobbin::model
