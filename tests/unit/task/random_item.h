// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "task/create/create.h"
#include "task/depend/dependences.h"
#include "task/tuning/duration.h"
#include "task/wait/depend_wait.h"

// Shared by tests of random programs with dependences: one construct that a thread executes.
namespace bobbin {

enum class Maker : uint8_t { Deferred, Undeferred, Wait };

struct RandomItem {
  std::vector<Dependence> depend;
  Maker maker = Maker::Deferred;
  bool brief = false;  // known for tasks that run at once if they have no predecessors
  int begin = 0;       // stamps of the program's clock
  int end = 0;
};

inline bool all_memory(const Dependence& d) { return d.address == 0 && d.kind == DependKind::Out; }

// `prepare` is called directly before a task is made, but not before a wait.
template <class Argument, class Prepare>
void make_item(RandomItem& item, std::atomic<int>& now, TaskFunction function, Argument argument,
               Prepare&& prepare) {
  DependList list{item.depend.data(), item.depend.size()};
  if (item.maker == Maker::Wait) {
    wait_for_dependences(self(), list);
    item.begin = now.fetch_add(1);
    item.end = now.fetch_add(1);
    return;
  }
  TaskSpec spec;
  spec.function = function;
  spec.data = &argument;
  spec.size = sizeof argument;
  spec.alignment = alignof(Argument);
  spec.deferrable = item.maker == Maker::Deferred;
  prepare();
  if (item.maker == Maker::Deferred && create_without_predecessors(self(), spec)) return;
  spec.depend = list;
  create_task(self(), spec);
}

}  // namespace bobbin
