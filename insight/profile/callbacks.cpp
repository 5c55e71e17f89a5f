// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/callbacks.h"

#include "bobbin/tool.h"
#include "insight/profile/accounting.h"
#include "insight/record/modules.h"
#include "insight/record/recording.h"
#include "insight/record/sites.h"

namespace bobbin::insight {
namespace {

using GetThreadData = ompt_data_t* (*)();
GetThreadData get_thread_data = nullptr;

// That of the calling thread. nullptr: it has none, and its events are not counted.
ThreadRecord* current_record() {
  const ompt_data_t* data = get_thread_data();
  return data != nullptr ? static_cast<ThreadRecord*>(data->ptr) : nullptr;
}

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
  slot->begin = slot->last = ticks();
}

void thread_begin(ompt_thread_t type, ompt_data_t* data) {
  auto* record = reinterpret_cast<ThreadRecord*>(take_slot(type));
  data->ptr = record;
  if (record == nullptr) return;
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

void save(ompt_data_t* task, const ThreadRecord& record) {
  if (task != nullptr) task->value = TaskWord(task->value).with(record.at).word();
}

void parallel_begin(ompt_data_t* encountering, const ompt_frame_t*, ompt_data_t* region, unsigned,
                    int, const void* code) {
  region->ptr = nullptr;
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  save(encountering, *record);
  go_to(*record, site_of(SiteKind::Fork, code));
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
  go_to(record, site);
  record.at = {site, site, site, site};
  record.region = mark;
  record.region_begin = mark != nullptr ? mark->begin.load(acquire) : 0;
}

// Where a thread is between the end of its part of a region and what follows.
SiteNumber after_region(const ThreadRecord& record, unsigned thread_num) {
  if (thread_num != 0) return unknown_site(SiteKind::Idle);
  return site_of(SiteKind::Fork, code_of(record.at.base));
}

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

SiteKind kind_of(ompt_work_t type) {
  switch (type) {
    case ompt_work_sections:
      return SiteKind::Sections;
    case ompt_work_single_executor:
      return SiteKind::Single;
    case ompt_work_taskloop:
      return SiteKind::TaskCreation;
    default:
      return SiteKind::Loop;
  }
}

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

// --- Tasks.

void task_create(ompt_data_t* /*encountering*/, const ompt_frame_t*, ompt_data_t* made, int flags,
                 int dependent, const void* code) {
  made->value = 0;
  ThreadRecord* record = current_record();
  if (record == nullptr || (flags & ompt_task_explicit) == 0) return;
  made->value = TaskWord::made(site_of(SiteKind::Task, code), number_of(record->header)).word();
  add(*record, Count::TasksMade);
  if (dependent != 0) add(*record, Count::TasksDependent);
  if ((flags & ompt_task_undeferred) != 0) add(*record, Count::TasksUndeferred);
  record->just_made = made;
}

void begin_task(ThreadRecord& record, ompt_data_t& data, TaskWord task) {
  if (record.just_made == &data) {
    add(record, Count::TasksInPlace);
  } else if (task.maker() != number_of(record.header)) {
    add(record, Count::TasksElsewhere);
  }
  const SiteNumber site = task.site();
  enter(record, site);
  record.task_begin = record.header.last;
  record.at = {site, site, site, site};
  save(&data, record);
}

// The latest one counts for an eighth.
void learn_duration(ThreadRecord& record, SiteNumber site) {
  const uint64_t took = record.header.last - record.task_begin;
  uint64_t& mean = record.tallies[site].brief_ticks;
  mean = mean == 0 ? took : mean - mean / 8 + took / 8;
  if (mean == 0) mean = 1;
}

void task_schedule(ompt_data_t* left, ompt_task_status_t status, ompt_data_t* next) {
  if (next == nullptr) return;  // a detached task's event, or a taskwait with dependences
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  const bool ended =
      status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach;
  if (status == ompt_task_cancel) add(*record, Count::TasksCancelled);
  const bool only_worked = ended && record->header.last == record->task_begin;
  const SiteNumber site = record->at.now;
  if (left != nullptr && !ended) save(left, *record);
  const TaskWord task(next->value);
  if (!task.known()) return;
  if (!task.begun()) {
    begin_task(*record, *next, task);
    return;
  }
  const Whereabouts at = task.at();
  go_to(*record, at.now);
  record->at = at;
  if (only_worked) learn_duration(*record, site);
}

// --- Tasks and taskwaits that Bobbin tells briefly. Reading the clock takes about as long as
// making and executing a brief task. So only some of these tasks are timed, and the others are
// assumed to take as long. Their time is moved from the site at which the thread stays.

constexpr uint64_t kBriefTicks = 4096;
constexpr uint64_t kTimed = 64;  // one in so many is timed

int brief(bobbin_brief_t construct, const void* code) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return 1;
  if (construct == bobbin_brief_taskwait) {
    record->tallies[site_of(SiteKind::Taskwait, code)].count++;
    return 1;
  }
  const SiteNumber site = site_of(SiteKind::Task, code);
  Tally& tally = record->tallies[site];
  uint64_t& counted = record->counts[static_cast<unsigned>(Count::TasksBrief)];
  if (tally.brief_ticks - 1 >= kBriefTicks || tally.count % kTimed == 0) return 0;
  counted++;
  tally.count++;
  Tally& present = record->tallies[record->at.now];
  if (&present != &tally && present.ticks >= tally.brief_ticks) {
    present.ticks -= tally.brief_ticks;
    tally.ticks += tally.brief_ticks;
  }
  return 1;
}

// --- Waits.

void go_back_to_work(ThreadRecord& record) { go_to(record, record.at.work); }

SiteNumber site_of_wait(const ThreadRecord& record, ompt_sync_region_t kind, const void* code) {
  switch (kind) {
    case ompt_sync_region_taskwait:
      return site_of(SiteKind::Taskwait, code);
    case ompt_sync_region_taskgroup:
      return site_of(SiteKind::Taskgroup, code);
    case ompt_sync_region_barrier_implicit_parallel:
      // Most threads are not told where the region is.
      return site_of(SiteKind::Barrier, code != nullptr ? code : code_of(record.at.base));
    default:
      // If the barrier is the last call of a region's function, the compiler jumps to it, so it
      // returns into the runtime.
      return site_of(SiteKind::Barrier, is_runtime(code) ? code_of(record.at.base) : code);
  }
}

// A runtime may let its threads sleep in the barrier at the end of a region until the next region
// begins. They are idle from the end of the region on.
void split_barrier(ThreadRecord& record) {
  if (record.region == nullptr || record.region_begin == 0) return;
  const uint64_t end = record.region->begin.load(acquire) == record.region_begin
                           ? record.region->end.load(acquire)
                           : record.region->begin.load(relaxed);  // reused for a later region
  const uint64_t now = record.header.last;
  if (end == 0 || end >= now) return;
  Tally& barrier = record.tallies[record.at.now];
  const uint64_t idle = now - end < barrier.ticks ? now - end : barrier.ticks;
  barrier.ticks -= idle;
  record.tallies[unknown_site(SiteKind::Idle)].ticks += idle;
}

void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                      ompt_data_t*, const void* code) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  if (endpoint != ompt_scope_end) {
    enter(*record, site_of_wait(*record, kind, code));
    return;
  }
  if (kind == ompt_sync_region_barrier_implicit_parallel) {
    go_to(*record, record->at.now);
    split_barrier(*record);
  }
  go_back_to_work(*record);
}

// --- The runtime's own work, after which the task is where it was before.

void begin_own_work(ThreadRecord& record, SiteNumber site) {
  const SiteNumber outer = record.at.now;
  enter(record, site);
  record.at.outer = outer;
}

void reduction(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
               const void* code) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  if (endpoint == ompt_scope_end) {
    go_to(*record, record->at.outer);
    return;
  }
  begin_own_work(*record, site_of(SiteKind::Reduction, code));
}

SiteKind kind_of(bobbin_phase_t phase) {
  switch (phase) {
    case bobbin_phase_task_creation:
      return SiteKind::TaskCreation;
    case bobbin_phase_dependence_check:
      return SiteKind::DependenceCheck;
    case bobbin_phase_dependence_release:
      return SiteKind::DependenceRelease;
    case bobbin_phase_dependence_wait:
      break;
  }
  return SiteKind::DependenceWait;
}

void phase(bobbin_phase_t which, ompt_scope_endpoint_t endpoint, const void* code) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  if (endpoint == ompt_scope_end) {
    go_to(*record, record->at.outer);
  } else {
    begin_own_work(*record, site_of(kind_of(which), code));
  }
}

void steal(ompt_data_t* /*victim*/, unsigned tasks) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  add(*record, Count::StealsTried);
  if (tasks == 0) return;
  add(*record, Count::StealsWon);
  add(*record, Count::TasksStolen, tasks);
}

SiteKind kind_of(ompt_mutex_t kind) {
  switch (kind) {
    case ompt_mutex_critical:
      return SiteKind::Critical;
    case ompt_mutex_ordered:
      return SiteKind::Ordered;
    case ompt_mutex_atomic:
      return SiteKind::Atomic;
    default:
      return SiteKind::Lock;
  }
}

// A thread that only tests a lock does not wait.
bool waits_for(ompt_mutex_t kind) {
  return kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock;
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

}  // namespace

bool set_callbacks(ompt_function_lookup_t lookup) {
  auto* set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  get_thread_data = reinterpret_cast<GetThreadData>(lookup("ompt_get_thread_data"));
  if (set == nullptr || get_thread_data == nullptr) return false;
  note_module(recording(), reinterpret_cast<uint64_t>(set));
  const struct {
    ompt_callbacks_t event;
    ompt_callback_t callback;
  } wanted[] = {
#define BOBBIN_WANTED(name) {ompt_callback_##name, reinterpret_cast<ompt_callback_t>(name)}
      BOBBIN_WANTED(thread_begin),     BOBBIN_WANTED(thread_end),    BOBBIN_WANTED(parallel_begin),
      BOBBIN_WANTED(parallel_end),     BOBBIN_WANTED(implicit_task), BOBBIN_WANTED(work),
      BOBBIN_WANTED(dispatch),         BOBBIN_WANTED(task_create),   BOBBIN_WANTED(task_schedule),
      BOBBIN_WANTED(sync_region_wait), BOBBIN_WANTED(reduction),     BOBBIN_WANTED(mutex_acquire),
      BOBBIN_WANTED(mutex_acquired),   BOBBIN_WANTED(nest_lock),
#undef BOBBIN_WANTED
  };
  for (const auto& [event, callback] : wanted) set(event, callback);
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
