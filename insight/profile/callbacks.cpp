// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/callbacks.h"

#include "insight/profile/current.h"
#include "insight/record/events.h"
#include "insight/record/instrument.h"
#include "insight/record/recording.h"

namespace bobbin::insight {

ompt_get_thread_data_t get_thread_data = nullptr;
bobbin_get_queued_tasks_t get_queued_tasks = nullptr;

namespace {

SlotHeader* current_slot() {
  ThreadRecord* record = current_record();
  return record != nullptr ? &record->header : nullptr;
}

// What the parent has counted is the parent's.
void begin_again(SlotHeader* slot) {
  if (slot == nullptr) return;
  auto& record = *reinterpret_cast<ThreadRecord*>(slot);
  for (uint64_t& count : record.counts) count = 0;
  for (Tally& tally : record.tallies) tally = {};
  record.largest_queue = 0;
  record.first_region = 0;
  slot->begin = slot->last = ticks();
}

}  // namespace

bool watch_for_profile(ompt_function_lookup_t lookup) {
  auto* set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  get_thread_data = reinterpret_cast<ompt_get_thread_data_t>(lookup("ompt_get_thread_data"));
  if (set == nullptr || get_thread_data == nullptr) return false;
  const WantedEvent wanted[] = {
      BOBBIN_WANTED(thread_begin),     BOBBIN_WANTED(thread_end),    BOBBIN_WANTED(parallel_begin),
      BOBBIN_WANTED(parallel_end),     BOBBIN_WANTED(implicit_task), BOBBIN_WANTED(work),
      BOBBIN_WANTED(dispatch),         BOBBIN_WANTED(task_create),   BOBBIN_WANTED(task_schedule),
      BOBBIN_WANTED(sync_region_wait), BOBBIN_WANTED(reduction),     BOBBIN_WANTED(mutex_acquire),
      BOBBIN_WANTED(mutex_acquired),   BOBBIN_WANTED(nest_lock),
  };
  set_callbacks(set, wanted);
  get_queued_tasks = reinterpret_cast<bobbin_get_queued_tasks_t>(lookup("bobbin_get_queued_tasks"));
  auto* set_own = reinterpret_cast<bobbin_set_callback_t>(lookup("bobbin_set_callback"));
  if (set_own != nullptr) {
    set_own(bobbin_callback_phase, reinterpret_cast<ompt_callback_t>(phase));
    set_own(bobbin_callback_steal, reinterpret_cast<ompt_callback_t>(steal));
    set_own(bobbin_callback_brief, reinterpret_cast<ompt_callback_t>(brief));
  }
  follow_forks(current_slot, begin_again);
  return true;
}

}  // namespace bobbin::insight
