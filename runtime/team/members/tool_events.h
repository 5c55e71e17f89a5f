// SPDX-License-Identifier: Apache-2.0
// The tool is told of threads, of regions with their implicit tasks, and of waits for other
// threads. All functions are called only where tool::watched is true.
#pragma once

#include "team/model/team.h"
#include "tool/events.h"

namespace bobbin {

void init_tool_events();

// Called by the thread itself, before everything else that the tool is told of it.
void tell_thread_begin(Thread& thread, ompt_thread_t type);
// Called by the thread, or by one that ends it.
void tell_thread_end(Thread& thread);
// The program ends: the events that are left, then the tool's finalizer.
void stop_watching();

// The initial task of a root.
void tell_initial_task_begin(Thread& thread, Team& team);
void tell_initial_task_end(Thread& thread, Team& team);

// The encountering thread, before and after a parallel or teams region of so many threads or teams.
// `requested`: the clause, 0 if there is none.
void tell_region_begin(Thread& thread, tool::Region& region, unsigned size, unsigned requested,
                       int flags);
void tell_region_end(Thread& thread, tool::Region& region);

// The same for the region of an initial task: a target region, or a team of a league.
void watch_initial_region(Thread& thread, Team& team, tool::Region* league);
void end_initial_region(Thread& thread, Team& team);

// Called by the member's thread at the begin of its implicit task. At its end the thread passes the
// region's barrier here, instead of later at the join or when it rests.
void tell_implicit_task_begin(Member& member);
void end_watched_implicit_task(Member& member);

// A free agent in this seat begins to execute tasks of the team, and ends.
void watch_free_agent(Member& seat);
void watch_free_agent_no_more(Thread& thread);

// The frame of the function that called the one with this frame, if that one has a frame pointer.
inline void* caller_frame(void* frame) { return *static_cast<void**>(frame); }

// The program's code begins for the current task, called from this frame of the runtime.
inline void set_exit_frame(Thread& thread, void* frame) {
  tool::TaskState& task = *thread.tool.task;
  task.frame.exit_frame.ptr = frame;
  task.frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
}

// The state of a thread that executes the program.
inline ompt_state_t working_in(const Team& team) {
  return team.level > 0 ? ompt_state_work_parallel : ompt_state_work_serial;
}

// The thread waits for others, from its construction until its destruction. The begin of a
// taskgroup region was told before.
class WatchedWait {
 public:
  WatchedWait(Thread& thread, ompt_sync_region_t kind, const void* code);
  ~WatchedWait();
  WatchedWait(const WatchedWait&) = delete;
  WatchedWait& operator=(const WatchedWait&) = delete;

  // The task goes on on this thread.
  Thread& go_on(Thread& thread) {
    thread_ = &thread;
    return thread;
  }

 private:
  void tell(ompt_scope_endpoint_t endpoint, bool waits) const;

  Thread* thread_;
  const ompt_sync_region_t kind_;
  const void* const code_;
  tool::TaskState& task_;
  const ompt_state_t outer_;
};

}  // namespace bobbin
