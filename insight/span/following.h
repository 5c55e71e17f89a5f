// SPDX-License-Identifier: Apache-2.0
// Follows the program through its events. While a thread works, its task's way grows. A task begins
// where its maker was when it made it, or at the latest end of its predecessors. A wait goes on at
// the latest of what it waits for. So the way at the end is the span of the program.
//
// The threads run one after the other (BOBBIN_WORKERS=1), so that they do not slow each other down.
// Time in which a thread waits, or in which the tool or the runtime works, is nobody's. One lock
// orders all events. It is seldom contended.
#pragma once

#include "insight/record/recording.h"
#include "insight/span/mutexes.h"
#include "insight/span/node.h"
#include "insight/span/span_record.h"
#include "insight/span/stopwatch.h"
#include "omp-tools.h"
#include "platform/locks/spinlock.h"

namespace bobbin::insight {

struct ThreadState {
  Node* now = nullptr;  // the task that it executes
  bool works = false;
  Stopwatch::Start since;  // it works since then
  uint64_t worked = 0;     // ticks
  HeldMutexes held;
};

// Of the process. Guarded by `lock`.
struct Following {
  SpinLock lock;
  SpanRecord* record = nullptr;
  Mutexes mutexes;
  Stopwatch stopwatch;
  uint64_t first_call = 0;    // ticks; 0: the time before that is accounted for, or not known
  Length* longest = nullptr;  // the longest way of an initial task so far
  ompt_get_thread_data_t get_thread_data = nullptr;
};
inline constinit Following following;

inline SiteSpan& figures_of(SiteNumber site) { return following.record->sites[site]; }

// An event of the calling thread: as long as this lives, no time passes in the program.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // False: the runtime has not told of the thread.
  bool has_thread() const { return thread_ != nullptr; }
  bool has_node() const { return thread_ != nullptr && thread_->now != nullptr; }
  ThreadState& thread() { return *thread_; }
  Node& node() { return *thread_->now; }
  void go_to(Node* node) { thread_->now = node; }
  // Otherwise the thread works on if it worked, and not if it did not.
  void start() { thread_->works = true; }
  void stop() { thread_->works = false; }
  // The first thread has worked from the program's begin until it called the runtime first.
  void begin_program();

 private:
  ThreadState* thread_ = nullptr;
};

inline Node* node_of(const ompt_data_t* data) {
  return data != nullptr ? static_cast<Node*>(data->ptr) : nullptr;
}

// The way goes on on another thread, perhaps.
inline void hand_over(Node& node) { node.at.hand_overs++; }

}  // namespace bobbin::insight
