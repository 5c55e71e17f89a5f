// SPDX-License-Identifier: Apache-2.0
#include "insight/record/event_kinds.h"
#include "insight/record/events.h"
#include "insight/record/sites.h"
#include "insight/span/following.h"

namespace bobbin::insight {
namespace {

bool is_barrier(ompt_sync_region_t kind) {
  return kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
         kind != ompt_sync_region_reduction;
}

void come_to_barrier(Node& node) { node.region->come[node.barriers % 2].wait_for(node.at); }

// All threads have come, and the tasks that were made before have ended.
void leave_barrier(Node& node) {
  Region& region = *node.region;
  node.at.wait_for(region.come[node.barriers % 2]);
  node.barriers++;
  region.come[node.barriers % 2].wait_for(node.at);
}

void open_group(Node& node) {
  Group* group = groups.make();
  if (group == nullptr) return;
  group->outer = node.group;
  node.group = group;
}

void close_group(Node& node) {
  Group* group = node.group;
  if (group == nullptr) return;
  node.at.wait_for(group->come);
  node.group = group->outer;
  if (node.group != nullptr) {
    node.group->come.wait_for(group->come);
    node.group->users++;
  }
  drop(group);
}

}  // namespace

void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                 ompt_data_t* data, const void*) {
  Event event;
  if (!event.has_node() || node_of(data) != &event.node()) return;
  Node& node = event.node();
  const bool begins = endpoint != ompt_scope_end;
  if (kind == ompt_sync_region_taskgroup) {
    begins ? open_group(node) : close_group(node);
  } else if (is_barrier(kind)) {
    begins ? come_to_barrier(node) : leave_barrier(node);
  } else if (kind == ompt_sync_region_taskwait && !begins) {
    node.at.wait_for(node.children);
  }
}

void sync_region_wait(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                      ompt_data_t* data, const void*) {
  Event event;
  if (!event.has_node() || node_of(data) != &event.node()) return;
  Node& node = event.node();
  if (endpoint != ompt_scope_end) {
    node.waits++;
  } else if (node.waits != 0) {
    node.waits--;
  }
}

void mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t, const void*) {
  Event event;
  if (event.has_thread() && waits_for(kind)) event.stop();
}

void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  Event event;
  if (!event.has_thread()) return;
  event.start();
  const SiteNumber site = site_of(kind_of(kind), code);
  figures_of(site).count++;
  event.thread().held.acquired(id, site, event.thread().worked);
}

void mutex_released(ompt_mutex_t, ompt_wait_id_t id, const void*) {
  Event event;
  if (!event.has_thread()) return;
  event.thread().held.released(id, event.thread().worked, following.mutexes);
  following.record->mutex_ticks = following.mutexes.most();
  following.record->mutex_site = following.mutexes.site_of_most();
}

}  // namespace bobbin::insight
