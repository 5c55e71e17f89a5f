// SPDX-License-Identifier: Apache-2.0
// A task construct before its task is made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "omp-tools.h"
#include "task/model/depend_list.h"
#include "task/model/impex.h"

namespace bobbin {

struct Event;
struct Task;
struct Taskgroup;

// What few task constructs have.
struct RareSpec {
  bool look_ahead = false;                // defer it however many others there are
  bool for_pool = false;                  // free agents may execute it: task/modes/pool_tasks.h
  bool sibling = false;                   // if deferred, a sibling of the current task, not a child
  ompt_dispatch_chunk_t iterations = {};  // of a taskloop that it executes; for tools only
  Impex impex = Impex::None;              // found out by create_task(): task/depend/transparent.h
  // That it is spawned in, null in there until needed: task/create/spawn.h.
  Taskgroup** scope = nullptr;
  // In a taskgraph region it is recorded: task/graph/taskgraph.h. Then copy(to, from) is applied
  // to the data of a prepared task, too, and what it makes is copied byte by byte for each
  // execution.
  bool replayable = false;
  bool constant_data = false;  // its function does not change its data
  // Sets the addresses of shared variables anew, in the data of a task that is replayed.
  void (*relocate)(void* data, void* surroundings) = nullptr;
};
inline constexpr RareSpec kNothingRare;
inline constexpr RareSpec kReplayable{.replayable = true};

// A task construct as a compiler's code describes it.
struct TaskSpec {
  void (*function)(void*) = nullptr;
  void* data = nullptr;                  // on the encountering thread's stack
  void (*copy)(void*, void*) = nullptr;  // constructs the task's data from `data`; null: bytewise
  size_t size = 0;
  size_t alignment = 1;
  bool deferrable = true;  // if clause
  bool final_task = false;
  bool tied = true;
  bool mergeable = false;  // for tools only
  // The caller keeps no Thread over the call: task/modes/continuation_stealing.h.
  bool may_make_way = false;
  int priority = 0;
  DependList depend;              // empty: no dependences
  void** event_handle = nullptr;  // detach clause: where to store the handle
  // The task was made ahead of the construct, with its data, of `size` bytes: see
  // task/create/prepared.h. Then `data` and `copy` are not used.
  Task* prepared = nullptr;
  void (*known_as)(void*) = nullptr;  // tells the construct from others; null: `function` does
  const RareSpec* rare = &kNothingRare;

  auto construct() const { return known_as != nullptr ? known_as : function; }
};

// What becomes of a task construct.
enum class Decision : uint8_t {
  Undecided,
  InPlace,  // at once in the encountering thread, after what it depends on
  AtOnce,   // the same, and it depends on nothing any more
  Defer,    // to a queue, or until its predecessors have completed
  ByMode,   // as the mode that said so does it
  Discard,  // its region or taskgroup is cancelled
};

}  // namespace bobbin
