// SPDX-License-Identifier: Apache-2.0
//
// How explicit tasks are created, queued and stolen: BOBBIN_TASK_POLICY and the functions of
// bobbin.h. docs/environment.md says which policy suits which case.
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/text.h"

namespace bobbin {

enum class Creation : std::uint8_t { Adaptive, BreadthFirst, WorkFirst, Continuation };
enum class LocalOrder : std::uint8_t { Lifo, Fifo };
enum class StealOrder : std::uint8_t { Fifo, Lifo, Parent };
enum class StealAmount : std::uint8_t { Adaptive, One, Half };
enum class Cutoff : std::uint8_t { None, Tasks, Level, Adaptive };
enum class QueueKind : std::uint8_t { Deque, Combining, Locked, Data };

// Does such a queue have a limited size?
inline bool is_bounded(QueueKind kind) {
  return kind == QueueKind::Combining || kind == QueueKind::Locked;
}

// The most places of such a queue, and as many as it has unless the policy says otherwise.
inline constexpr std::uint16_t kMostPlaces = 1024;

struct TaskPolicy {
  Creation creation = Creation::Adaptive;
  LocalOrder order = LocalOrder::Lifo;
  StealOrder steal = StealOrder::Fifo;
  StealAmount amount = StealAmount::Adaptive;
  Cutoff cutoff = Cutoff::None;
  QueueKind queue = QueueKind::Deque;
  std::uint16_t steered : 1 = 0;            // some part differs from the default
  std::uint16_t places : 15 = kMostPlaces;  // of a bounded queue
  std::uint32_t bound = 0;                  // of Cutoff::Tasks and Cutoff::Level

  bool operator==(const TaskPolicy&) const = default;

  // Does the policy change which tasks are deferred (creation), or which tasks are taken (taking)?
  bool steers_creation() const {
    return creation != Creation::Adaptive || cutoff != Cutoff::None || queue != QueueKind::Deque;
  }
  bool steers_taking() const {
    return order != LocalOrder::Lifo || steal != StealOrder::Fifo ||
           amount != StealAmount::Adaptive || queue != QueueKind::Deque;
  }
};

enum class PolicyPart : std::uint8_t {
  All,
  Creation,  // the part that applies to tasks and not to threads: creation and cutoff
};

// Changes the items that `text` names: `key=value` items separated by commas. False: not
// understood, and nothing has changed.
bool read_task_policy(std::string_view text, PolicyPart part, TaskPolicy& policy);
void print_task_policy(const TaskPolicy& policy, TextOut& out);

// The possible values, for messages.
inline constexpr const char* kTaskPolicySyntax =
    "a list of creation=adaptive|breadth-first|work-first|continuation, order=lifo|fifo, "
    "steal=fifo|lifo|parent, amount=adaptive|one|half, cutoff=none|tasks:K|level:D|adaptive, "
    "queue=deque|combining[:K]|locked[:K]|data with K at most 1024; steal=lifo not with "
    "queue=deque";

}  // namespace bobbin
