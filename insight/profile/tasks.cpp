// SPDX-License-Identifier: Apache-2.0
#include "insight/profile/current.h"
#include "insight/record/events.h"

namespace bobbin::insight {

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

namespace {

void begin_task(ThreadRecord& record, ompt_data_t& data, TaskWord task) {
  if (record.just_made == &data) {
    add(record, Count::TasksInPlace);
  } else if (task.thread() != number_of(record.header)) {
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

}  // namespace

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
  if (task.thread() != number_of(record->header)) add(*record, Count::TasksMoved);
  const Whereabouts at = task.at();
  go_to(*record, at.now);
  record->at = at;
  if (only_worked) learn_duration(*record, site);
}

namespace {

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

// A queue is largest when its thread has just made a task.
void note_queue(ThreadRecord& record) {
  const unsigned queued = get_queued_tasks != nullptr ? get_queued_tasks() : 0;
  if (queued > record.largest_queue) record.largest_queue = queued;
}

}  // namespace

void phase(bobbin_phase_t which, ompt_scope_endpoint_t endpoint, const void* code) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  if (endpoint == ompt_scope_end) {
    end_own_work(*record);
    if (which == bobbin_phase_task_creation) note_queue(*record);
  } else {
    begin_own_work(*record, site_of(kind_of(which), code));
  }
}

void steal(ompt_data_t* /*victim*/, unsigned tasks, bobbin_distance_t distance) {
  ThreadRecord* record = current_record();
  if (record == nullptr) return;
  add(*record, Count::StealsTried);
  if (tasks == 0) return;
  add(*record, Count::StealsWon);
  add(*record, Count::TasksStolen, tasks);
  if (distance == bobbin_distance_unknown) return;
  const unsigned farther = distance - bobbin_distance_core;
  add(*record, static_cast<Count>(static_cast<unsigned>(Count::StealsInCore) + farther));
}

// --- Tasks and taskwaits that Bobbin tells briefly. Reading the clock takes about as long as
// making and executing a brief task. So only some of these tasks are timed, and the others are
// assumed to take as long. Their time is moved from the site at which the thread stays.

namespace {

constexpr uint64_t kBriefTicks = 4096;
constexpr uint64_t kTimed = 64;  // one in so many is timed

}  // namespace

int brief(bobbin_brief_t construct, ompt_data_t* thread, const void* code) {
  auto* record = static_cast<ThreadRecord*>(thread->ptr);
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

}  // namespace bobbin::insight
