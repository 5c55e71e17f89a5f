// SPDX-License-Identifier: Apache-2.0
// What a thread does at a place, by the kinds that events of OpenMP tell.
#pragma once

#include "insight/record/site_kind.h"
#include "omp-tools.h"

namespace bobbin::insight {

inline SiteKind kind_of(ompt_work_t type) {
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

inline SiteKind kind_of(ompt_sync_region_t kind) {
  switch (kind) {
    case ompt_sync_region_taskwait:
      return SiteKind::Taskwait;
    case ompt_sync_region_taskgroup:
      return SiteKind::Taskgroup;
    default:
      return SiteKind::Barrier;
  }
}

inline SiteKind kind_of(ompt_mutex_t kind) {
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
inline bool waits_for(ompt_mutex_t kind) {
  return kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock;
}

}  // namespace bobbin::insight
