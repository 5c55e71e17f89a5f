// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "task/model/depend_list.h"

// The tasks of a taskgraph region (OpenMP 6.0, section 14.3) as they were recorded: what each of
// them executes, with which data, and which others follow it.
namespace bobbin {

struct RecordedTask {
  void (*function)(void* data);
  // Sets the addresses of shared variables in the task's data anew; null: there are none.
  void (*relocate)(void* data, void* surroundings);
  void* saved;  // its data when it was recorded; each execution begins with a copy
  size_t size;
  size_t alignment;
  int priority;
  bool final_task;
  bool tied;
  uint32_t predecessors;
  uint32_t first_successor;  // in TaskRecord::successors, up to that of the next task
  uint32_t mark;             // the last task that was found to follow it
};

// Constant once it has been recorded. tasks[count] only ends the successors of the last task.
struct TaskRecord {
  RecordedTask* tasks = nullptr;
  uint32_t count = 0;
  uint32_t* successors = nullptr;

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
  RecordedTask* add(const RecordedTask& task, const DependList& depend);

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
  bool enter_all_memory(uint32_t task);
  bool follow(uint32_t task, uint32_t list);
  bool prepend(uint32_t& list, uint32_t task);
  Entry* entry_for(uintptr_t address);
  bool grow_entries();
  Entry& slot_for(uintptr_t address);

  TaskRecord record_;
  uint32_t task_capacity_ = 0;
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
