// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/current.h"
#include "insight/record/event_kinds.h"
#include "insight/record/events.h"

namespace bobbin::insight {

void thread_begin(ompt_thread_t type, ompt_data_t* data) {
  auto* record = reinterpret_cast<ThreadRecord*>(take_slot(type));
  data->ptr = record;
  if (record == nullptr) return;
  // The first one has executed the program since its begin.
  if (type == ompt_thread_initial && number_of(record->header) == 0)
    record->header.begin = record->header.last = recording().header.begin.ticks;
  const SiteNumber site =
      unknown_site(type == ompt_thread_initial ? SiteKind::Serial : SiteKind::Idle);
  record->at = {site, site, site, site};
}

void thread_end(ompt_data_t* data) {
  auto* record = static_cast<ThreadRecord*>(data->ptr);
  if (record == nullptr) return;
  go_to(*record, record->at.now);
  end_slot(record->header);
}

// --- Regions.

namespace {

// The data of a region are its mark.
RegionMark* mark_of(const ompt_data_t* region) {
  return region != nullptr ? static_cast<RegionMark*>(region->ptr) : nullptr;
}

RegionMark& new_mark(ThreadRecord& record, SiteNumber site) {
  RegionMark& mark = record.marks[record.next_mark++ % kRegionMarks];
  mark.site = site;
  mark.end.store(0, relaxed);
  mark.begin.store(record.header.last, release);
  return mark;
}

// A serial part has the place of the region that follows.
void end_serial_part(ThreadRecord& record, const void* code) {
  record.at.now = site_of(SiteKind::Serial, code);
  record.tallies[record.at.now].count++;
}

}  // namespace

void parallel_begin(ompt_data_t* encountering, const ompt_frame_t*, ompt_data_t* region, unsigned,
                    int, const void* code) {
  region->ptr = nullptr;
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  save(encountering, *record);
  if (record->at.now == unknown_site(SiteKind::Serial)) end_serial_part(*record, code);
  go_to(*record, site_of(SiteKind::Fork, code));
  if (record->first_region == 0) record->first_region = record->header.last;
  const SiteNumber site = site_of(SiteKind::Region, code);
  record->tallies[site].count++;
  region->ptr = &new_mark(*record, site);
}

void parallel_end(ompt_data_t* region, ompt_data_t* encountering, int, const void*) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  const TaskWord task(encountering != nullptr ? encountering->value : 0);
  go_to(*record, record->at.now);
  if (RegionMark* mark = mark_of(region)) mark->end.store(record->header.last, release);
  if (task.begun()) record->at = task.at();
}

namespace {

// In the child of a fork threads of the parent may live on, and each begins with an implicit task.
bool lives(ThreadRecord& record) {
  if (record.header.state != SlotState::Free) [[likely]]
    return true;
  if (!take_slot_again(record.header, ompt_thread_worker)) return false;
  record.at.now = unknown_site(SiteKind::Idle);
  return true;
}

void begin_implicit_task(ThreadRecord& record, const ompt_data_t* region, int flags) {
  RegionMark* mark = mark_of(region);
  SiteNumber site = unknown_site(SiteKind::Region);
  if (mark != nullptr) {
    site = mark->site;
  } else if ((flags & ompt_task_initial) != 0) {
    site = unknown_site(SiteKind::Serial);
  }
  // A serial part goes on until a region begins.
  if (record.at.now != site) go_to(record, site);
  record.at = {site, site, site, site};
  record.region = mark;
  record.region_begin = mark != nullptr ? mark->begin.load(acquire) : 0;
}

// Where a thread is between the end of its part of a region and what follows.
SiteNumber after_region(const ThreadRecord& record, unsigned thread_num) {
  if (thread_num != 0) return unknown_site(SiteKind::Idle);
  return site_of(SiteKind::Fork, code_of(record.at.base));
}

}  // namespace

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task, unsigned,
                   unsigned thread_num, int flags) {
  ThreadRecord* record = current_record();
  if (record == nullptr || !lives(*record)) return;
  if (endpoint != ompt_scope_end) {
    begin_implicit_task(*record, region, flags);
    save(task, *record);
    return;
  }
  const bool initial = (flags & ompt_task_initial) != 0;
  go_to(*record, initial ? record->at.now : after_region(*record, thread_num));
  record->region = nullptr;
}

// --- Worksharing.

void work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, uint64_t,
          const void* code) {
  // The others only pass it by. Distribute and workshare enclose loops, whose time is theirs.
  if (type == ompt_work_single_other || type == ompt_work_distribute) return;
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  if (endpoint == ompt_scope_end) {
    go_to(*record, record->at.base);
    record->at.work = record->at.base;
    return;
  }
  // Of a loop that is one construct with its region, most threads are not told where it is.
  const SiteNumber site = site_of(kind_of(type), code != nullptr ? code : code_of(record->at.base));
  enter(*record, site);
  record->at.work = site;
}

void dispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t, ompt_data_t) {
  if (ThreadRecord* record = current_record()) add(*record, Count::Chunks);
}

}  // namespace bobbin::insight
