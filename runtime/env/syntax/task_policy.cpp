// SPDX-License-Identifier: Apache-2.0
#include "env/syntax/task_policy.h"

#include <climits>

#include "env/syntax/choice.h"

namespace bobbin {
namespace {

constexpr Choice<Creation> kCreations[] = {{"adaptive", Creation::Adaptive},
                                           {"breadth-first", Creation::BreadthFirst},
                                           {"work-first", Creation::WorkFirst},
                                           {"continuation", Creation::Continuation}};
constexpr Choice<LocalOrder> kOrders[] = {{"lifo", LocalOrder::Lifo}, {"fifo", LocalOrder::Fifo}};
constexpr Choice<StealOrder> kStealOrders[] = {
    {"fifo", StealOrder::Fifo}, {"lifo", StealOrder::Lifo}, {"parent", StealOrder::Parent}};
constexpr Choice<StealAmount> kAmounts[] = {
    {"adaptive", StealAmount::Adaptive}, {"one", StealAmount::One}, {"half", StealAmount::Half}};
constexpr Choice<Cutoff> kCutoffs[] = {{"none", Cutoff::None},
                                       {"tasks", Cutoff::Tasks},
                                       {"level", Cutoff::Level},
                                       {"adaptive", Cutoff::Adaptive}};
constexpr Choice<QueueKind> kQueues[] = {{"deque", QueueKind::Deque},
                                         {"combining", QueueKind::Combining},
                                         {"locked", QueueKind::Locked},
                                         {"data", QueueKind::Data}};

bool read_cutoff(Scanner& scan, TaskPolicy& policy) {
  if (!read_choice(kCutoffs, scan.word(), policy.cutoff)) return false;
  policy.bound = 0;
  bool bounded = policy.cutoff == Cutoff::Tasks || policy.cutoff == Cutoff::Level;
  if (!bounded) return true;
  std::uint64_t bound;
  if (!scan.eat(':') || !scan.number(bound) || bound == 0 || bound > INT_MAX) return false;
  policy.bound = static_cast<std::uint32_t>(bound);
  return true;
}

bool read_queue(Scanner& scan, TaskPolicy& policy) {
  if (!read_choice(kQueues, scan.word(), policy.queue)) return false;
  policy.places = kMostPlaces;
  if (!is_bounded(policy.queue) || !scan.eat(':')) return true;
  std::uint64_t places;
  if (!scan.number(places) || places == 0 || places > kMostPlaces) return false;
  policy.places = static_cast<std::uint16_t>(places);
  return true;
}

// Which parts the list has named. Open parts may follow from the named ones.
struct Named {
  bool order = false;
  bool queue = false;
};

bool read_item(Scanner& scan, PolicyPart part, TaskPolicy& policy, Named& named) {
  std::string_view key = scan.word();
  if (!scan.eat('=')) return false;
  if (equal_ignoring_case(key, "creation"))
    return read_choice(kCreations, scan.word(), policy.creation);
  if (equal_ignoring_case(key, "cutoff")) return read_cutoff(scan, policy);
  if (part == PolicyPart::Creation) return false;
  if (equal_ignoring_case(key, "order")) {
    named.order = true;
    return read_choice(kOrders, scan.word(), policy.order);
  }
  if (equal_ignoring_case(key, "steal"))
    return read_choice(kStealOrders, scan.word(), policy.steal);
  if (equal_ignoring_case(key, "amount")) return read_choice(kAmounts, scan.word(), policy.amount);
  if (equal_ignoring_case(key, "queue")) {
    named.queue = true;
    return read_queue(scan, policy);
  }
  return false;
}

}  // namespace

bool read_task_policy(std::string_view text, PolicyPart part, TaskPolicy& policy) {
  TaskPolicy read = policy;
  Named named;
  Scanner scan(text);
  do {
    if (!read_item(scan, part, read, named)) return false;
  } while (scan.eat(','));
  if (!scan.done()) return false;
  // A list that names one of these queues without an order gets the queue's own order.
  bool in_order = read.queue == QueueKind::Combining || read.queue == QueueKind::Data;
  if (named.queue && in_order && !named.order) read.order = LocalOrder::Fifo;
  // A thief can take only the oldest task of a deque.
  if (read.steal == StealOrder::Lifo && read.queue == QueueKind::Deque) return false;
  read.steered = read.steers_creation() || read.steers_taking();
  policy = read;
  return true;
}

void print_task_policy(const TaskPolicy& policy, TextOut& out) {
  out.add("creation=");
  out.add(word_of(kCreations, policy.creation));
  out.add(",order=");
  out.add(word_of(kOrders, policy.order));
  out.add(",steal=");
  out.add(word_of(kStealOrders, policy.steal));
  out.add(",amount=");
  out.add(word_of(kAmounts, policy.amount));
  out.add(",cutoff=");
  out.add(word_of(kCutoffs, policy.cutoff));
  if (policy.bound != 0) {
    out.add(':');
    out.number(policy.bound);
  }
  out.add(",queue=");
  out.add(word_of(kQueues, policy.queue));
  if (policy.places != kMostPlaces) {
    out.add(':');
    out.number(policy.places);
  }
}

}  // namespace bobbin
