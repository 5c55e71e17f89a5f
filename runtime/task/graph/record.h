// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/atomic.h"
#include "task/model/task_spec.h"

// The tasks of a taskgraph region (OpenMP 6.0, section 14.3) as they were recorded: what each of
// them executes, with which data, and which others follow it.
namespace bobbin {

// What is read when the task is executed. The tasks of a graph and their data are each in one
// piece of memory, in the order of the record, because a replay goes through them.
struct RecordedTask {
  void (*function)(void* data);
  // Sets the addresses of shared variables in the task's data anew; null: there are none.
  void (*relocate)(void* data, void* surroundings);
  void* saved;  // its data when it was recorded
  uint32_t size;
  bool constant;  // the data are not changed, so no execution needs a copy
  bool on_stack;  // the copy fits on the stack of the thread that executes the task
  bool final_task;
  bool tied;
};
static_assert(sizeof(RecordedTask) == 32);

// Its place in the order, and what else is known of it.
struct RecordedPlace {
  uint32_t predecessors;
  uint32_t first_successor;  // in TaskRecord::successors, up to that of the next task
  uint32_t mark;             // the last task that was found to follow it
  int priority;
  size_t apart;  // where the copy is in Replay::data, if it does not fit on a stack
};

inline constexpr size_t kLargestOnStack = 512;
// Saved data are padded to a multiple of this.
inline constexpr size_t kSavedStep = 16;

// Memory for the saved data.
struct SavedChunk {
  SavedChunk* next;
  size_t size;
};

// Constant once it has been recorded. places[count] only ends the successors of the last task.
struct TaskRecord {
  RecordedTask* tasks = nullptr;
  RecordedPlace* places = nullptr;
  uint32_t count = 0;
  uint32_t* successors = nullptr;
  SavedChunk* saved = nullptr;
  size_t bytes_apart = 0;  // of the copies that do not fit on a stack
  size_t alignment = kCacheLine;

  void free();
};

// A record that is being written, by the thread that executes the region.
class TaskRecorder {
 public:
  static constexpr uint32_t kMostTasks = 1u << 24;

  TaskRecorder() = default;
  TaskRecorder(const TaskRecorder&) = delete;
  TaskRecorder& operator=(const TaskRecorder&) = delete;
  ~TaskRecorder();

  const TaskRecord& record() const { return record_; }

  // Adds a task after all tasks that `depend` makes it follow. Its saved data is uninitialised
  // memory of its size. nullptr: out of memory, or too many tasks or edges; then only the tasks of
  // the record are of use.
  RecordedTask* add(const TaskSpec& spec);

  // Gives away the record. Without `successors`: out of memory.
  TaskRecord finish();

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // What an address was last used for: the tasks of the current generation, and those that each
  // member of it follows (depend/registration.cpp tells of generations).
  struct Entry {
    uintptr_t address;
    uint32_t members;  // a list of links
    uint32_t before;   // likewise
    DependKind kind;
    bool used;
  };
  struct Link {
    uint32_t task;
    uint32_t next;
  };
  struct Edge {
    uint32_t from;
    uint32_t to;
  };

  bool enter(uint32_t task, const DependList& depend);
  bool enter(uint32_t task, const Dependence& dependence);
  void* take_saved(size_t size, size_t alignment);
  bool enter_all_memory(uint32_t task);
  bool follow(uint32_t task, uint32_t list);
  bool prepend(uint32_t& list, uint32_t task);
  Entry* entry_for(uintptr_t address);
  bool grow_entries();
  Entry& slot_for(uintptr_t address);

  TaskRecord record_;
  uint32_t task_capacity_ = 0;
  uint32_t place_capacity_ = 0;
  char* free_ = nullptr;  // of the newest chunk
  char* free_end_ = nullptr;
  Edge* edges_ = nullptr;
  uint32_t edge_count_ = 0;
  uint32_t edge_capacity_ = 0;
  Link* links_ = nullptr;
  uint32_t link_count_ = 0;
  uint32_t link_capacity_ = 0;
  Entry* entries_ = nullptr;  // open addressing, at most half full
  unsigned entry_bits_ = 0;
  uint32_t entry_count_ = 0;
  uint32_t all_memory_ = kNone;  // a list of the last task that named omp_all_memory
};

}  // namespace bobbin
