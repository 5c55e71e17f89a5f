// SPDX-License-Identifier: Apache-2.0
// The instrument of `bobbin run --span`.
#include <cstdlib>
#include <new>

#include "insight/record/clock.h"
#include "insight/record/events.h"
#include "insight/record/instrument.h"
#include "insight/record/recording.h"
#include "insight/span/following.h"
#include "insight/span/graph_writer.h"

namespace bobbin::insight {
namespace {

void watch(ompt_function_lookup_t lookup, ompt_set_callback_t set) {
  const WantedEvent wanted[] = {
      BOBBIN_WANTED(thread_begin),     BOBBIN_WANTED(thread_end),    BOBBIN_WANTED(parallel_begin),
      BOBBIN_WANTED(parallel_end),     BOBBIN_WANTED(implicit_task), BOBBIN_WANTED(work),
      BOBBIN_WANTED(dispatch),         BOBBIN_WANTED(task_create),   BOBBIN_WANTED(dependences),
      BOBBIN_WANTED(task_schedule),    BOBBIN_WANTED(cancel),        BOBBIN_WANTED(sync_region),
      BOBBIN_WANTED(sync_region_wait), BOBBIN_WANTED(mutex_acquire), BOBBIN_WANTED(mutex_acquired),
      BOBBIN_WANTED(mutex_released),
  };
  set_callbacks(set, wanted);
  auto* set_own = reinterpret_cast<bobbin_set_callback_t>(lookup("bobbin_set_callback"));
  if (set_own != nullptr) {
    set_own(bobbin_callback_phase, reinterpret_cast<ompt_callback_t>(phase));
  }
}

SlotHeader* only_slot() { return &following.record->header; }

// In the child of a fork, where another thread may have held the lock. What the parent has found
// out is the parent's.
void begin_again(SlotHeader* slot) {
  new (&following.lock) SpinLock;
  const SlotHeader header = *slot;
  *following.record = {};
  following.record->header = header;
  following.record->header.begin = ticks();
  following.mutexes = {};
  *following.longest = {};
  following.first_call = 0;
  graph_writer.forget();
  const ompt_data_t* data = following.get_thread_data();
  auto* thread = data != nullptr ? static_cast<ThreadState*>(data->ptr) : nullptr;
  if (thread != nullptr && thread->now != nullptr) thread->now->at = {};
}

}  // namespace

bool begin_instrument(ompt_function_lookup_t lookup, const char* runtime) {
  constexpr Shape kShape = {Instrument::Span, kSpanRecordBytes, 1};
  auto* set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  following.get_thread_data =
      reinterpret_cast<ompt_get_thread_data_t>(lookup("ompt_get_thread_data"));
  if (set == nullptr || following.get_thread_data == nullptr ||
      !open_recording(kShape, runtime, lookup)) {
    return false;
  }
  if (auto* get_start = reinterpret_cast<bobbin_get_start_t>(lookup("bobbin_get_start"))) {
    bobbin_start_t start;
    get_start(&start);
    following.first_call = start.called_counter;
  }
  if (getenv(kGraphVariable) != nullptr) graph_writer.open(recording_path());
  following.record = reinterpret_cast<SpanRecord*>(take_slot(ompt_thread_other));
  void* memory = std::malloc(sizeof(Length));
  if (memory != nullptr) following.longest = new (memory) Length;
  if (following.record == nullptr || following.longest == nullptr) return false;
  following.stopwatch.calibrate();
  watch(lookup, set);
  follow_forks(only_slot, begin_again);
  return true;
}

// A program that is killed leaves no critical path.
void end_instrument() {
  following.longest->path.each(
      [](SiteNumber site, uint64_t ticks) { figures_of(site).on_path += ticks; });
  graph_writer.close();
  close_recording();
}

}  // namespace bobbin::insight
