// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/threads.h"

#include <algorithm>
#include <set>
#include <utility>

namespace bobbin::insight {
namespace {

// What is read while the process changes it may be anything.
constexpr unsigned kMostWorkers = 1u << 16;
constexpr unsigned kMostThreads = 1u << 16;
constexpr unsigned kDeepest = 256;
constexpr uint64_t kMostQueued = uint64_t{1} << 32;

}  // namespace

ThreadReader::ThreadReader(const Memory& memory, const Layout& layout) : memory_(memory) {
  at_.registry = layout["pool.registry"];
  at_.highest = layout["pool.highest"];
  at_.worker_kind = layout["Worker.kind"];
  at_.worker_group = layout["Worker.group"];
  at_.worker_kernel_thread = layout["Worker.kernel_thread"];
  at_.root_kind = layout["WorkerKind.Root"];
  at_.group_root = layout["Group.root"];
  at_.fiber_sp = layout["Fiber.sp"];
  at_.fiber_tls = layout["Fiber.tls"];
  at_.fiber_worker = layout["Fiber.worker"];
  at_.fiber_state = layout["Fiber.state"];
  at_.fiber_member = layout["Fiber.member"];
  at_.fiber_task = layout["Fiber.task"];
  at_.fiber_since = layout["Fiber.waits_since"];
  at_.waiting = layout["FiberState.Waiting"];
  at_.team_size = layout["Team.size"];
  at_.team_level = layout["Team.level"];
  at_.team_code = layout["Team.code"];
  at_.team_members = layout["Team.members"];
  at_.team_encountering = layout["Team.encountering"];
  at_.team_region = layout["Team.region"];
  at_.unbegun_words = layout["Team.unbegun.words_"];
  at_.unbegun_stride = layout["Team.unbegun.stride_"];
  at_.member_team = layout["Member.team"];
  at_.member_thread = layout["Member.thread"];
  at_.member_rested = layout["Member.rested"];
  at_.queue_top = layout["Member.tasks.top_"];
  at_.queue_bottom = layout["Member.tasks.bottom_"];
  at_.task_kind = layout["Task.kind"];
  at_.implicit_kind = layout["TaskKind.Implicit"];
}

class ThreadReader::Walk {
 public:
  explicit Walk(const ThreadReader& reader) : memory_(reader.memory_), at_(reader.at_) {}

  LiveProcess process;

  void visit_roots() {
    const unsigned highest = std::min(memory_.u32(at_.highest), kMostWorkers);
    for (unsigned slot = 0; slot < highest; slot++) {
      const uint64_t worker = memory_.u64(at_.registry + 8 * slot);
      if (worker == 0 || memory_.byte(worker + at_.worker_kind) != at_.root_kind) continue;
      root_ = static_cast<int>(memory_.u32(worker + at_.worker_kernel_thread));
      const uint64_t group = memory_.u64(worker + at_.worker_group);
      if (group != 0) visit(memory_.u64(group + at_.group_root), 0, 0, true);
    }
  }

 private:
  // `place` is its member of the team in which it was met, with that number. If it is in an inner
  // team, then as the primary thread.
  void visit(uint64_t fiber, uint64_t place, unsigned number, bool is_root) {
    if (fiber == 0 || threads_.size() == kMostThreads || !threads_.insert(fiber).second) return;
    uint64_t member = memory_.u64(fiber + at_.fiber_member);
    add(fiber, member != 0 ? member : place, member == place ? number : 0, is_root);
    for (unsigned depth = 0; depth < kDeepest && member != 0; depth++) {
      const uint64_t team = memory_.u64(member + at_.member_team);
      if (team == 0 || !teams_.insert(team).second) return;
      visit_team(team);
      member = memory_.u64(team + at_.team_encountering);
    }
  }

  void visit_team(uint64_t team) {
    const unsigned size = std::min(memory_.u32(team + at_.team_size), kMostThreads);
    const unsigned level = memory_.u32(team + at_.team_level);
    if (level != 0) {
      process.regions.push_back({memory_.u64(team + at_.team_code), level, size, root_});
    }
    const uint64_t members = memory_.u64(team + at_.team_members);
    for (unsigned number = 0; number < size; number++) {
      const uint64_t member = memory_.u64(members + 8 * number);
      if (member != 0) visit(memory_.u64(member + at_.member_thread), member, number, false);
    }
  }

  LiveState state_of(uint64_t fiber, uint64_t member, uint64_t team, unsigned number) const {
    const uint64_t rested = memory_.u64(member + at_.member_rested);
    if (rested != 0 && rested == memory_.u64(team + at_.team_region)) return LiveState::Ended;
    const uint64_t words = memory_.u64(team + at_.unbegun_words);
    const uint64_t stride = memory_.u32(team + at_.unbegun_stride);
    const uint64_t word = memory_.u64(words + 8 * stride * (number / 64));
    if ((word >> number % 64 & 1) != 0) return LiveState::Unbegun;
    const bool waits = memory_.u32(fiber + at_.fiber_state) == at_.waiting;
    return waits ? LiveState::Suspended : LiveState::Runs;
  }

  void add(uint64_t fiber, uint64_t member, unsigned number, bool is_root) {
    const uint64_t team = memory_.u64(member + at_.member_team);
    const uint64_t task = memory_.u64(fiber + at_.fiber_task);
    const uint64_t worker = memory_.u64(fiber + at_.fiber_worker);
    const uint64_t first = memory_.u64(member + at_.queue_top);
    const uint64_t end = memory_.u64(member + at_.queue_bottom);
    LiveThread thread;
    thread.fiber = fiber;
    thread.is_root = is_root;
    thread.number = number;
    thread.level = memory_.u32(team + at_.team_level);
    thread.code = memory_.u64(team + at_.team_code);
    thread.state = state_of(fiber, member, team, number);
    thread.in_task = task != 0 && memory_.byte(task + at_.task_kind) != at_.implicit_kind;
    thread.waits =
        thread.state == LiveState::Suspended || memory_.u64(fiber + at_.fiber_since) != 0;
    thread.sp = memory_.u64(fiber + at_.fiber_sp);
    thread.tls = memory_.u64(fiber + at_.fiber_tls);
    thread.kernel_thread = static_cast<int>(memory_.u32(worker + at_.worker_kernel_thread));
    thread.root = root_;
    thread.queued = end > first && end - first < kMostQueued ? end - first : 0;
    process.threads.push_back(thread);
  }

  const Memory& memory_;
  const Places& at_;
  int root_ = 0;  // from which it walks
  std::set<uint64_t> threads_;
  std::set<uint64_t> teams_;
};

LiveProcess ThreadReader::read() const {
  Walk walk(*this);
  walk.visit_roots();
  return std::move(walk.process);
}

}  // namespace bobbin::insight
