// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "insight/report/timeline/slice.h"
#include "insight/trace/events.h"

namespace bobbin::insight {

// Replays the events of one thread in their order. The slices that are open form a stack.
class SliceStack {
 public:
  // `begin`: the time from which on the thread's events are known.
  SliceStack(std::vector<Slice>& closed, uint64_t begin) : closed_(closed), begin_(begin) {}

  void replay(const Event& event, uint64_t now);
  // Nothing is known of the thread any more.
  void close_all(uint64_t now) { close_down_to(0, now); }

  // In a part of a region, and not in a wait outside of all tasks that run in it.
  bool working() const { return !open_.empty() && open_.back().kind != SliceKind::Wait; }

 private:
  void open(SliceKind kind, const Event& event, uint64_t now);
  // Ends the innermost slice for which matches(slice) holds, and all within it. If there is none,
  // it had begun before what is known.
  template <class Matches>
  void end(SliceKind kind, const Event& event, uint64_t now, Matches&& matches);
  void resume(const Event& event, uint64_t now);
  void close_down_to(size_t left, uint64_t now);

  std::vector<Slice>& closed_;
  const uint64_t begin_;
  std::vector<Slice> open_;
};

}  // namespace bobbin::insight
