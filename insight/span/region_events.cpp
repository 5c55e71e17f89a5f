// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <new>

#include "insight/record/events.h"
#include "insight/record/sites.h"
#include "insight/span/depend_table.h"
#include "insight/span/following.h"

namespace bobbin::insight {
namespace {

void begin_implicit_task(Event& event, const ompt_data_t* region_data, ompt_data_t* data,
                         unsigned number) {
  auto* region = region_data != nullptr ? static_cast<Region*>(region_data->ptr) : nullptr;
  const bool initial = region == nullptr;
  if (initial && (region = regions.make()) == nullptr) return;
  const SiteNumber site = initial ? unknown_site(SiteKind::Serial) : region->site;
  Node* node = make_node(nullptr, region, site);
  if (initial) drop(region);  // the task uses it
  data->ptr = node;
  if (node == nullptr) return;
  node->begun = true;
  node->at = node->region->begin;
  node->at.strand.begin_task(EdgeKind::Fork);
  if (number != 0) hand_over(*node);
  event.go_to(node);
  event.start();
  if (initial) event.begin_program();
}

// An initial task is at the end of a region, or at its own.
void note_root(const Node& node) {
  if (node.at.ticks < following.longest->ticks) return;
  *following.longest = node.at;
  following.record->span = node.at.ticks;
  following.record->hand_overs = node.at.hand_overs;
}

}  // namespace

void thread_begin(ompt_thread_t, ompt_data_t* data) {
  void* memory = std::malloc(sizeof(ThreadState));
  data->ptr = memory != nullptr ? new (memory) ThreadState : nullptr;
}

void thread_end(ompt_data_t* data) {
  std::free(data->ptr);
  data->ptr = nullptr;
}

void parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* data, unsigned, int,
                    const void* code) {
  Event event;
  data->ptr = nullptr;
  if (!event.has_node()) return;
  event.stop();
  Region* region = regions.make();
  if (region == nullptr) return;
  region->site = site_of(SiteKind::Region, code);
  region->begin = region->come[0] = region->come[1] = event.node().at;
  figures_of(region->site).count++;
  data->ptr = region;
}

void parallel_end(ompt_data_t* data, ompt_data_t* encountering, int, const void*) {
  Event event;
  auto* region = static_cast<Region*>(data->ptr);
  Node* node = node_of(encountering);
  if (region == nullptr || node == nullptr || !event.has_thread()) return;
  event.go_to(node);
  event.start();
  node->at.wait_for(region->come[0]);
  node->at.wait_for(region->come[1]);
  SiteSpan& site = figures_of(region->site);
  site.whole_work += region->work;
  site.whole_span += node->at.ticks - region->begin.ticks;
  node->region->work += region->work;
  if (node->site == unknown_site(SiteKind::Serial)) note_root(*node);
  drop(region);
  data->ptr = nullptr;
}

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* data, unsigned,
                   unsigned number, int flags) {
  Event event;
  if (!event.has_thread()) return;
  if (endpoint != ompt_scope_end) {
    data->ptr = nullptr;
    begin_implicit_task(event, region, data, number);
    return;
  }
  event.stop();
  event.go_to(nullptr);
  Node* node = node_of(data);
  if (node == nullptr) return;
  data->ptr = nullptr;
  if ((flags & ompt_task_initial) != 0) {
    note_root(*node);
  } else {
    node->region->come[node->barriers % 2].wait_for(node->at);
  }
  DependTable::destroy(node->table);
  node->table = nullptr;
  drop(node);
}

}  // namespace bobbin::insight
