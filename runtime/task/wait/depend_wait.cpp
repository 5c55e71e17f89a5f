// SPDX-License-Identifier: Apache-2.0
#include "task/wait/depend_wait.h"

#include "platform/watchers/happens_before.h"
#include "task/depend/registration.h"
#include "task/depend/table.h"
#include "task/model/childless.h"
#include "task/model/continuation.h"
#include "task/model/extras.h"
#include "task/model/tool_events.h"
#include "task/run/modes.h"
#include "task/wait/wait.h"
#include "tool/own_events.h"

namespace bobbin {
namespace {

constexpr uint32_t kWaiterLinks = 8;

}  // namespace

Thread& wait_for_dependences(Thread& thread, const DependList& depend) {
  encounter(thread, "a wait for dependences");
  TaskExtras* extras = thread.task->extras;
  if (extras == nullptr || extras->table == nullptr) return thread;
  if (!has_strands() && order_is_empty(*thread.task)) return thread;
  const tool::WatchedPhase phase(bobbin_phase_dependence_wait, thread.tool.code);
  DependTable& table = *extras->table;
  bool leaves = may_leave_thread(thread);
  DependNodeKind kind = leaves ? DependNodeKind::ContinuationWaiter : DependNodeKind::Waiter;
  DependNode* node = table.begin_registration(0) ? table.take_node(kWaiterLinks, kind) : nullptr;
  if (node == nullptr) {
    wait_for_all(thread, table);
    return thread;
  }
  if (leaves) {
    node->continuation = thread.continuation;
  } else {
    node->waiter = &thread;
  }
  Registration registration(thread, table, *node);
  registration.look(depend);
  Thread* now = &thread;
  if (!registration.finish()) {
    if (leaves) {
      now = &leave_until_zero(thread, node->blockers);
    } else {
      wait_for_zero(thread, node->blockers);
    }
  }
  happens_after(node);
  // The node is not registered in the table. From now on it may be used again.
  node->successors.close();
  if (names_all_memory(depend)) table.clear();  // all have completed: need not be looked at again
  return *now;
}

void taskwait(Thread& thread, const DependList& depend) {
  if (!tool::watched) [[likely]] {
    wait_for_dependences(thread, depend);
    return;
  }
  tool::TaskState waiting;
  tell_taskwait_begin(thread, waiting, depend);
  wait_for_dependences(thread, depend);
  tell_taskwait_end(waiting);
}

}  // namespace bobbin
