// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/current.h"
#include "insight/record/event_kinds.h"
#include "insight/record/events.h"

namespace bobbin::insight {

namespace {

void go_back_to_work(ThreadRecord& record) { go_to(record, record.at.work); }

// Most threads are not told where the region is at whose end they wait. And if a wait is the last
// call of the function of a region or task, the compiler jumps to it, so it returns into the
// runtime.
SiteNumber site_of_wait(const ThreadRecord& record, ompt_sync_region_t kind, const void* code) {
  const bool at_end = kind == ompt_sync_region_barrier_implicit_parallel && code == nullptr;
  return site_of(kind_of(kind), at_end || is_runtime(code) ? code_of(record.at.base) : code);
}

// A runtime may let its threads sleep in the barrier at the end of a region until the next region
// begins. They are idle from the end of the region on.
void split_barrier(ThreadRecord& record, Tally& barrier) {
  if (record.region == nullptr || record.region_begin == 0) return;
  const uint64_t end = record.region->begin.load(acquire) == record.region_begin
                           ? record.region->end.load(acquire)
                           : record.region->begin.load(relaxed);  // reused for a later region
  const uint64_t now = record.header.last;
  if (end == 0 || end >= now) return;
  const uint64_t idle = now - end < barrier.ticks ? now - end : barrier.ticks;
  barrier.ticks -= idle;
  record.tallies[unknown_site(SiteKind::Idle)].ticks += idle;
}

}  // namespace

void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                      ompt_data_t*, const void* code) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  if (endpoint != ompt_scope_end) {
    enter(*record, site_of_wait(*record, kind, code));
    return;
  }
  Tally& wait = record->tallies[record->at.now];
  go_back_to_work(*record);
  if (kind == ompt_sync_region_barrier_implicit_parallel) split_barrier(*record, wait);
}

void reduction(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
               const void* code) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  if (endpoint == ompt_scope_end) {
    end_own_work(*record);
    return;
  }
  begin_own_work(*record, site_of(SiteKind::Reduction, code));
}

void mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t, const void* code) {
  if (!waits_for(kind)) return;
  if (ThreadRecord* record = current_record()) enter(*record, site_of(kind_of(kind), code));
}

void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t, const void*) {
  if (!waits_for(kind)) return;
  if (ThreadRecord* record = current_record()) go_back_to_work(*record);
}

// Its owner has set it once more, so it did not wait.
void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t, const void*) {
  if (endpoint == ompt_scope_end) return;
  if (ThreadRecord* record = current_record()) go_back_to_work(*record);
}

}  // namespace bobbin::insight
