// SPDX-License-Identifier: Apache-2.0
// The depth-first search: choices that have been made, choices that remain, and known states.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "model/scheduler.h"

namespace bobbin::model {
namespace {

// The option count of a choice from a replayed schedule, until the choice is reached.
constexpr std::uint8_t kAnyCount = 255;

}  // namespace

bool Visited::covers(std::uint64_t state, int preemptions, int stale_reads) {
  if (used_ * 2 >= entries_.size()) grow();
  std::size_t mask = entries_.size() - 1;
  for (std::size_t i = state & mask; entries_[i].taken; i = (i + 1) & mask) {
    Entry& entry = entries_[i];
    if (entry.state != state) continue;
    if (entry.preemptions >= preemptions && entry.stale_reads >= stale_reads) return true;
    if (entry.preemptions <= preemptions && entry.stale_reads <= stale_reads) {
      entry.preemptions = static_cast<std::int16_t>(preemptions);
      entry.stale_reads = static_cast<std::int16_t>(stale_reads);
      return false;
    }
  }
  if (used_ < kLimit) {
    insert({state, static_cast<std::int16_t>(preemptions), static_cast<std::int16_t>(stale_reads),
            true});
    ++used_;
  }
  return false;
}

void Visited::insert(const Entry& entry) {
  std::size_t mask = entries_.size() - 1;
  std::size_t i = entry.state & mask;
  while (entries_[i].taken) i = (i + 1) & mask;
  entries_[i] = entry;
}

void Visited::grow() {
  std::vector<Entry> old(std::max<std::size_t>(1024, entries_.size() * 2));
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.taken) insert(entry);
  }
}

Result Scheduler::explore() {
  Result result;
  // Processor time is counted, so that a busy machine does not end the search.
  const std::clock_t begin = std::clock();
  auto seconds = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
  bool replaying = options_.replay != nullptr;
  if (replaying) {
    options_.preemptions = options_.replay[0] - '0';
    for (const char* at = options_.replay + 1; *at != '\0'; ++at) {
      choices_.push_back({static_cast<std::uint8_t>(*at - '0'), kAnyCount});
    }
  }
  // The fewest preemptions come first, so that the first reported failure is a simple one.
  preemption_bound_ = replaying ? options_.preemptions : 0;
  for (; preemption_bound_ <= options_.preemptions && !result.failed; ++preemption_bound_) {
    do {
      if (result.executions >= options_.max_executions ||
          ((result.executions & 255) == 255 && seconds() > options_.max_seconds)) {
        result.seconds = seconds();
        result.states = visited_.size();
        return result;
      }
      run_once();
      ++result.executions;
      result.pruned += outcome_ == Outcome::Pruned ? 1 : 0;
      result.failed = outcome_ == Outcome::Failed;
    } while (!result.failed && !replaying && next_schedule());
  }
  if (result.failed) {
    result.message = message_;
    result.trace = print_trace(events_, memory_);
    result.schedule = static_cast<char>('0' + preemption_bound_ - 1) + schedule_text();
  }
  result.complete = !result.failed && !replaying;
  result.states = visited_.size();
  result.seconds = seconds();
  return result;
}

std::string Scheduler::schedule_text() const {
  std::string out;
  for (std::size_t i = 0; i < depth_; ++i) out += static_cast<char>('0' + choices_[i].taken);
  return out;
}

// Advances to the deepest choice that has an option left. Returns false if there is none.
bool Scheduler::next_schedule() {
  choices_.resize(depth_);
  while (!choices_.empty() && choices_.back().taken + 1 >= choices_.back().count) {
    choices_.pop_back();
  }
  if (choices_.empty()) return false;
  ++choices_.back().taken;
  return true;
}

int Scheduler::choose(int count) {
  if (count <= 1) return 0;
  if (depth_ == choices_.size()) choices_.push_back({0, static_cast<std::uint8_t>(count)});
  Choice& choice = choices_[depth_++];
  if (choice.count == kAnyCount) choice.count = static_cast<std::uint8_t>(count);
  if (choice.count != count || choice.taken >= count) {
    std::fprintf(stderr, "model: the test body is not deterministic\n");
    std::abort();
  }
  return choice.taken;
}

// Was this state, with this thread running last, searched with at least as much left of the bounds?
// States without a choice are looked up too, because the way on from them is long. But only every
// eighth is looked up, because there are many, and equal executions stay equal.
bool Scheduler::seen_before(int options, bool yields) {
  std::uint64_t state = mix(memory_.hash(), static_cast<std::uint64_t>(current_) * 2 + yields);
  state = mix(state, static_cast<std::uint64_t>(spurious_left_ * 64 + impatience_left_));
  for (int i = 0; i < thread_count_; ++i) state = mix(state, threads_[i].gives_way_to);
  if (options == 1 && (state & 7) != 0) return false;
  return visited_.covers(state, preemptions_left_, stale_left_);
}

}  // namespace bobbin::model
