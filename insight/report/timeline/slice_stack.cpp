// SPDX-License-Identifier: Apache-2.0
#include "insight/report/timeline/slice_stack.h"

namespace bobbin::insight {

void SliceStack::open(SliceKind kind, const Event& event, uint64_t now) {
  open_.push_back({kind, event.site(), false, now, now, event.id()});
}

void SliceStack::close_down_to(size_t left, uint64_t now) {
  while (open_.size() > left) {
    open_.back().end = now;
    closed_.push_back(open_.back());
    open_.pop_back();
  }
}

template <class Matches>
void SliceStack::end(SliceKind kind, const Event& event, uint64_t now, Matches&& matches) {
  for (size_t i = open_.size(); i-- > 0;) {
    if (open_[i].kind != kind || !matches(open_[i])) continue;
    close_down_to(i, now);
    return;
  }
  close_all(now);
  closed_.push_back({kind, event.site(), true, begin_, now, event.id()});
}

// The thread goes on with a task that it has left before, so what it has begun since is over; or
// with one that another thread has left.
void SliceStack::resume(const Event& event, uint64_t now) {
  for (size_t i = open_.size(); i-- > 0;) {
    const bool found = event.id() == 0
                           ? open_[i].kind == SliceKind::Part
                           : open_[i].kind == SliceKind::Task && open_[i].id == event.id();
    if (!found) continue;
    // A wait of the resumed task goes on.
    size_t left = i + 1;
    while (left < open_.size() && open_[left].kind != SliceKind::Task) left++;
    close_down_to(left, now);
    return;
  }
  if (event.id() != 0) open(SliceKind::Task, event, now);
}

void SliceStack::replay(const Event& event, uint64_t now) {
  const auto any = [](const Slice&) { return true; };
  const auto same_id = [&](const Slice& slice) { return slice.id == event.id(); };
  switch (event.type()) {
    case EventType::ImplicitBegin:
      open(SliceKind::Part, event, now);
      break;
    case EventType::ImplicitEnd:
      end(SliceKind::Part, event, now, any);
      break;
    case EventType::WorkBegin:
      open(SliceKind::Work, event, now);
      break;
    case EventType::WorkEnd:
      end(SliceKind::Work, event, now, any);
      break;
    case EventType::Chunk:
      if (!open_.empty() && open_.back().kind == SliceKind::Chunk) {
        close_down_to(open_.size() - 1, now);
      }
      // In the same loop; otherwise its begin is not known.
      if (!open_.empty() && open_.back().kind == SliceKind::Work) {
        open(SliceKind::Chunk, event, now);
        open_.back().site = open_[open_.size() - 2].site;
      }
      break;
    case EventType::TaskBegin:
      open(SliceKind::Task, event, now);
      break;
    case EventType::TaskEnd:
      end(SliceKind::Task, event, now, same_id);
      break;
    case EventType::TaskResume:
      resume(event, now);
      break;
    case EventType::WaitBegin:
      open(SliceKind::Wait, event, now);
      break;
    case EventType::WaitEnd:
      end(SliceKind::Wait, event, now, any);
      break;
    case EventType::None:
    case EventType::TaskCreate:
    case EventType::DependenceFrom:
    case EventType::DependenceTo:
    case EventType::Steal:
    case EventType::Wake:
    case EventType::Carries:
    case EventType::Looks:
    case EventType::Sleeps:
      break;
  }
}

}  // namespace bobbin::insight
