// SPDX-License-Identifier: Apache-2.0
#include "simulator/simulation.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <utility>

#include "simulator/worker.h"

namespace bobbin::simulator {
namespace {

class Simulation {
 public:
  Simulation(const Graph& graph, const Machine& machine, const Costs& costs, const Rules& rules)
      : graph_(graph),
        machine_(machine),
        costs_(costs),
        rules_(rules),
        workers_(machine.processors()),
        waits_for_(graph.nodes()),
        home_(graph.tasks(), kNowhere) {
    out_.thefts.assign(machine.levels(), 0);
    for (unsigned w = 0; w < workers_.size(); w++) {
      workers_[w].next_victim = (w + 1) % static_cast<unsigned>(workers_.size());
    }
  }

  Outcome run() {
    begin();
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      SimulatedWorker& worker = workers_[event.worker];
      const std::uint32_t ended = std::exchange(worker.node, kNoNode);
      const std::uint32_t next = ended == kNoNode ? kNoNode : end_node(event.worker, ended);
      next != kNoNode ? start(event.worker, next) : look_for_work(event.worker);
    }
    if (left_ != 0) throw std::runtime_error("the graph has been cut off: it does not end");
    out_.idle = out_.time * machine_.processors() - out_.work - out_.overhead;
    return out_;
  }

 private:
  static constexpr std::uint16_t kNowhere = UINT16_MAX;

  // Nodes without a predecessor belong to the program's own threads, which the first worker has.
  void begin() {
    left_ = graph_.nodes();
    for (unsigned w = 1; w < workers_.size(); w++) workers_[w].idle = true;
    idle_ = static_cast<unsigned>(workers_.size()) - 1;
    for (std::uint32_t node = 0; node < graph_.nodes(); node++) {
      waits_for_[node] = graph_.edges_to(node);
      if (waits_for_[node] == 0) workers_[0].deque.push_back(node);
    }
    events_.push({0, 0});
  }

  // The worker's clock, which runs ahead of the event while it does several things.
  void spend(double ns) {
    now_ += ns;
    out_.overhead += ns;
  }

  void start(unsigned at, std::uint32_t node) {
    workers_[at].node = node;
    home_[graph_.task(node)] = static_cast<std::uint16_t>(at);
    const double work = std::max(graph_.work(node) - costs_.recording, 0.0);
    out_.work += work;
    events_.push({now_ + work, at});
  }

  // Returns what the worker goes on with, or kNoNode.
  std::uint32_t end_node(unsigned at, std::uint32_t node) {
    std::uint32_t goes_on = kNoNode;
    std::uint32_t in_place = kNoNode;
    finished_ = {node};
    while (!finished_.empty()) {
      const std::uint32_t ended = finished_.back();
      finished_.pop_back();
      left_--;
      out_.time = std::max(out_.time, now_);
      for (const Successor& after : graph_.after(ended)) {
        if (joins_threads(ended, after.node)) join_arrival(at, after.node);
        if (--waits_for_[after.node] != 0) continue;
        if (graph_.task(after.node) == 0) {
          finished_.push_back(after.node);  // it only joins
        } else if (after.kind == EdgeKind::Continuation && ended == node && goes_on == kNoNode) {
          goes_on = after.node;  // of several, as chunks of a loop are; the others wait at home
        } else if (home_[graph_.task(after.node)] != kNowhere) {
          send_home(at, after.node);
        } else if (after.kind == EdgeKind::Creation && in_place == kNoNode && stays(at)) {
          in_place = after.node;
        } else {
          defer(at, after);
        }
      }
    }
    if (in_place == kNoNode) return goes_on;
    out_.in_place++;
    spend(costs_.in_place);
    if (goes_on != kNoNode) workers_[at].interrupted.push_back(goes_on);
    return in_place;
  }

  bool stays(unsigned at) const { return workers_[at].deque.size() >= rules_.defer_limit; }

  // Threads' parts of a region that end or come to a barrier. Explicit tasks are counted by those
  // who execute them, each in a line of its own.
  bool joins_threads(std::uint32_t from, std::uint32_t node) const {
    return graph_.task(node) == 0 && graph_.is_part(graph_.task(from));
  }

  // A thread tells that its part has ended. The counter is one line, which comes from whoever was
  // there last. In a tree each group has a line of its own, and its last one goes on to the next
  // level, so nearly all lines come from near.
  void join_arrival(unsigned at, std::uint32_t join) {
    if (rules_.join == Join::Tree) {
      spend(Costs::at(costs_.transfer, 0));
      return;
    }
    Line& line = lines_[join % kLines];
    if (line.join != join) line = {join, at, 0};
    const double comes = Costs::at(costs_.transfer, machine_.between(at, line.last));
    const double begin = std::max(now_, line.free);
    line.last = at;
    line.free = begin + comes;
    spend(line.free - now_);
  }

  void defer(unsigned at, const Successor& made) {
    SimulatedWorker& worker = workers_[at];
    out_.deferred++;
    spend(made.kind == EdgeKind::Fork ? costs_.fork : costs_.defer);
    worker.deque.push_back(made.node);
    out_.longest_deque = std::max<std::uint64_t>(out_.longest_deque, worker.deque.size());
    wake_for(at);
  }

  // The task was somewhere, and can go on there.
  void send_home(unsigned at, std::uint32_t node) {
    const unsigned home = home_[graph_.task(node)];
    workers_[home].returned.push_back(node);
    if (workers_[home].idle) wake(at, home);
  }

  void wake(unsigned at, unsigned sleeper) {
    workers_[sleeper].idle = false;
    idle_--;
    const double after = Costs::at(costs_.wake, machine_.between(at, sleeper));
    events_.push({now_ + after, sleeper});
  }

  void wake_for(unsigned at) {
    if (idle_ == 0) return;
    ask(at, (at + 1) % machine_.processors(), [&](unsigned other) {
      if (!workers_[other].idle) return false;
      wake(at, other);
      return true;
    });
  }

  // Asks all workers in the order of the rules.
  template <class Visit>
  bool ask(unsigned at, unsigned first, Visit&& visit) {
    static const Distance unknown;
    return ask_nearest_first(
        rules_.order == Order::Nearest ? machine_.distance() : unknown, machine_.processor(at),
        machine_.processors(), first, [&](unsigned k) { return machine_.processor(k); }, visit);
  }

  void look_for_work(unsigned at) {
    SimulatedWorker& worker = workers_[at];
    if (!worker.returned.empty()) {
      const std::uint32_t node = worker.returned.front();
      worker.returned.pop_front();
      start(at, node);
    } else if (!worker.interrupted.empty()) {
      const std::uint32_t node = worker.interrupted.back();
      worker.interrupted.pop_back();
      start(at, node);
    } else if (!worker.deque.empty()) {
      const std::uint32_t node = worker.deque.back();
      worker.deque.pop_back();
      spend(costs_.begin);
      start(at, node);
    } else if (!steal(at)) {
      worker.idle = true;
      idle_++;
    }
  }

  bool steal(unsigned at) {
    const double began = now_;
    const bool found = ask(at, workers_[at].next_victim, [&](unsigned victim) {
      if (victim == at) return false;
      now_ += costs_.probe;
      if (workers_[victim].deque.empty()) return false;
      take_from(at, victim);
      return true;
    });
    if (!found) {
      now_ = began;  // it looks while it is idle anyway
      return false;
    }
    out_.overhead += now_ - began;
    start(at, stolen_);
    return true;
  }

  void take_from(unsigned at, unsigned victim) {
    SimulatedWorker& thief = workers_[at];
    auto& robbed = workers_[victim].deque;
    const unsigned level = machine_.between(at, victim);
    now_ += Costs::at(costs_.steal, level);
    out_.thefts[level]++;
    stolen_ = robbed.front();
    robbed.pop_front();
    thief.next_victim = victim;
    const std::size_t more = rules_.theft == Theft::Half ? robbed.size() / 2 : 0;
    for (std::size_t i = 0; i < more; i++) {
      thief.deque.push_front(robbed.front());  // so that it executes them in the order of making
      robbed.pop_front();
    }
    if (!thief.deque.empty()) wake_for(at);
  }

  struct Line {
    std::uint32_t join = kNoNode;
    unsigned last = 0;
    double free = 0;
  };
  static constexpr std::size_t kLines = 4096;  // of joins that are in use at the same time

  const Graph& graph_;
  const Machine& machine_;
  const Costs& costs_;
  const Rules& rules_;
  std::vector<SimulatedWorker> workers_;
  std::vector<std::uint32_t> waits_for_;  // by node: so many of its edges have not come
  std::vector<std::uint16_t> home_;       // by task: the worker that has begun it
  std::vector<Line> lines_ = std::vector<Line>(kLines);
  std::vector<std::uint32_t> finished_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint32_t left_ = 0;
  std::uint32_t stolen_ = kNoNode;
  unsigned idle_ = 0;
  double now_ = 0;
  Outcome out_;
};

}  // namespace

Outcome simulate(const Graph& graph, const Machine& machine, const Costs& costs,
                 const Rules& rules) {
  return Simulation(graph, machine, costs, rules).run();
}

}  // namespace bobbin::simulator
