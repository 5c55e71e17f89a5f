// SPDX-License-Identifier: Apache-2.0
#include "insight/report/timeline/worker_tracks.h"

#include <algorithm>
#include <unordered_map>

namespace bobbin::insight {
namespace {

const TimelineThread* thread_in(const std::vector<TimelineThread>& threads, uint64_t slot) {
  const auto found = std::lower_bound(
      threads.begin(), threads.end(), slot,
      [](const TimelineThread& thread, uint64_t of) { return thread.number < of; });
  return found != threads.end() && found->number == slot ? &*found : nullptr;
}

// Those slices of a thread that pass the filter and are in no other one that passes it, in the
// order of time. A thread's slices are in the order of their ends, so an outer one is met first
// from behind.
template <class Filter>
std::vector<Slice> outermost(const TimelineThread& thread, Filter&& filter) {
  std::vector<Slice> found;
  for (auto slice = thread.slices.rbegin(); slice != thread.slices.rend(); ++slice) {
    if (!filter(*slice)) continue;
    if (found.empty() || slice->begin < found.back().begin) found.push_back(*slice);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// Adds what of the slices is within the outer one.
void add_within(std::vector<Slice>& made, const Slice& outer, const std::vector<Slice>& slices,
                SliceKind kind) {
  auto inner = std::upper_bound(slices.begin(), slices.end(), outer.begin,
                                [](uint64_t time, const Slice& slice) { return time < slice.end; });
  for (; inner != slices.end() && inner->begin < outer.end; ++inner) {
    Slice part = *inner;
    part.kind = kind;
    part.begin = std::max(part.begin, outer.begin);
    part.end = std::min(part.end, outer.end);
    part.cut = part.begin != inner->begin || inner->cut;
    made.push_back(part);
  }
}

// The parts and tasks of a thread, found when it is first carried.
struct Work {
  std::vector<Slice> parts;
  std::vector<Slice> tasks;
};

}  // namespace

std::vector<Slice> worker_slices(const std::vector<WorkerChange>& changes, uint64_t end,
                                 const std::vector<TimelineThread>& threads) {
  std::vector<Slice> made;
  std::unordered_map<uint64_t, Work> works;
  for (size_t i = 0; i < changes.size(); i++) {
    const WorkerChange& change = changes[i];
    if (!change.carries && !change.sleeps) continue;
    Slice slice;
    slice.kind = change.carries ? SliceKind::Carry : SliceKind::Sleep;
    slice.begin = change.time;
    slice.end = i + 1 < changes.size() ? changes[i + 1].time : std::max(end, change.time);
    slice.id = change.thread;
    made.push_back(slice);
    const TimelineThread* thread = change.carries ? thread_in(threads, change.thread) : nullptr;
    if (thread == nullptr) continue;
    const auto [work, is_new] = works.try_emplace(change.thread);
    if (is_new) {
      work->second.parts =
          outermost(*thread, [](const Slice& of) { return of.kind == SliceKind::Part; });
      work->second.tasks =
          outermost(*thread, [](const Slice& of) { return of.kind == SliceKind::Task; });
    }
    add_within(made, slice, work->second.parts, SliceKind::CarriedPart);
    add_within(made, slice, work->second.tasks, SliceKind::CarriedTask);
  }
  return made;
}

std::vector<WakeUp> wake_ups(const std::vector<Wake>& wakes,
                             const std::vector<TimelineThread>& threads,
                             const std::vector<TimelineWorker>& workers) {
  std::unordered_map<uint64_t, std::vector<Point>> carried;  // by thread, where and from when
  for (const TimelineWorker& worker : workers) {
    for (const Slice& slice : worker.slices) {
      if (slice.kind == SliceKind::Carry) carried[slice.id].push_back({worker.slot, slice.begin});
    }
  }
  const auto earlier = [](const Point& a, const Point& b) { return a.time < b.time; };
  for (auto& [thread, points] : carried) std::stable_sort(points.begin(), points.end(), earlier);
  std::unordered_map<unsigned, std::vector<Slice>> active;  // by thread
  for (const TimelineThread& thread : threads) {
    active[thread.number] = outermost(thread, [](const Slice&) { return true; });
  }
  std::vector<WakeUp> made;
  for (const Wake& wake : wakes) {
    const auto points = carried.find(wake.woken);
    if (points == carried.end()) continue;
    const auto next =
        std::lower_bound(points->second.begin(), points->second.end(), wake.from, earlier);
    if (next == points->second.end()) continue;
    const std::vector<Slice>& slices = active[wake.from.thread];
    const auto around =
        std::lower_bound(slices.begin(), slices.end(), wake.from.time,
                         [](const Slice& slice, uint64_t time) { return slice.end < time; });
    if (around == slices.end() || around->begin > wake.from.time) continue;
    made.push_back({wake.from, *next});
  }
  return made;
}

}  // namespace bobbin::insight
