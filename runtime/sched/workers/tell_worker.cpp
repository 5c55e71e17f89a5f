// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/tell_worker.h"

#include "tool/own_events.h"

namespace bobbin {

void tell_carries(Worker& worker, Fiber& fiber) {
  ompt_data_t* thread = data_for_tool(fiber);
  if (thread == nullptr) return;
  worker.tool_data.state = bobbin_worker_carries;
  tool::tell(tool::own_callbacks.worker, &worker.tool_data.data, unsigned{worker.index},
             bobbin_worker_carries, thread);
}

void tell_carries_none(Worker& worker, bobbin_worker_state_t state) {
  if (worker.tool_data.state == state) return;
  worker.tool_data.state = state;
  tool::tell(tool::own_callbacks.worker, &worker.tool_data.data, unsigned{worker.index}, state,
             static_cast<ompt_data_t*>(nullptr));
}

void tell_wakes(Fiber& fiber) {
  if (ompt_data_t* thread = data_for_tool(fiber)) tool::tell(tool::own_callbacks.wake, thread);
}

}  // namespace bobbin
