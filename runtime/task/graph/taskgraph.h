// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/taskgroup.h"
#include "team/model/team.h"

// The taskgraph construct (OpenMP 6.0, section 14.3). At the first execution of the region its
// replayable tasks are recorded: the encountering task executes the region, and each of its task
// constructs adds a task to the record, with its data, and with edges from the tasks that it
// depends on. Nothing runs yet. At the end of the region the recorded graph is executed, by the
// same code that replays it later (replay.h). A replay does not execute the region's
// statements.
//
// The tasks of a region and their descendants have completed at its end, with nogroup, too. They
// follow tasks outside of the region that any of them depends on, because the region waits for all
// dependent children of the encountering task before. So the record needs no dependences with
// other tasks.
//
// A graph may be met while it is in use. Each replay has descriptors of its own, so replays may
// overlap; a few idle ones are kept. While a graph is recorded, others that meet it execute the
// region as a taskgroup region, without recording. They do the same if they are to reset a graph
// that is in use; the last one that leaves the graph then discards the record. Nobody waits for
// another one, because the thread that waits may be the one that the other waits for.
namespace bobbin {

struct Replay;
struct Taskgraph;

struct TaskgraphClauses {
  uint64_t id = 0;
  bool reset = false;
  bool enabled = true;  // if clause
  // Its tasks find their copies of a reduction when they are executed. Others keep the address of
  // what they take part in.
  bool finds_copies = false;
};

// `graphs`: those of the construct, by their identifiers. `surroundings`: for TaskSpec::relocate.
// True: the program executes the region's statements. In any case it calls taskgraph_end() then.
bool taskgraph_begin(Thread& thread, Atomic<Taskgraph*>& graphs, const TaskgraphClauses& clauses,
                     void* surroundings);
// Also ends the taskgroup region. close(Thread&) does that.
Thread& taskgraph_launch(Thread& thread);
void taskgraph_leave(Replay* replay);
template <class Close>
void taskgraph_end(Thread& thread, Close&& close) {
  Thread& now = taskgraph_launch(thread);
  Replay* replay = now.task->group->replay;
  close(now);
  if (replay != nullptr) taskgraph_leave(replay);
}

}  // namespace bobbin
