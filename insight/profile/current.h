// SPDX-License-Identifier: Apache-2.0
// What every callback needs: the record of the calling thread, and what is known of sites.
#pragma once

#include "bobbin/tool.h"
#include "insight/profile/accounting.h"
#include "insight/record/recording.h"
#include "insight/record/sites.h"
#include "omp-tools.h"

namespace bobbin::insight {

// The runtime's function, known before the first event.
extern ompt_get_thread_data_t get_thread_data;
extern bobbin_get_queued_tasks_t get_queued_tasks;  // nullptr: the runtime has none

// That of the calling thread. nullptr: it has none, and its events are not counted.
inline ThreadRecord* current_record() {
  const ompt_data_t* data = get_thread_data();
  return data != nullptr ? static_cast<ThreadRecord*>(data->ptr) : nullptr;
}

// The task will be found again where it is now.
inline void save(ompt_data_t* task, const ThreadRecord& record) {
  if (task != nullptr) task->value = TaskWord::begun(record.at, number_of(record.header)).word();
}

}  // namespace bobbin::insight
