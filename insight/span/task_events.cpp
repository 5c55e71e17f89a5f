// SPDX-License-Identifier: Apache-2.0
#include "insight/record/events.h"
#include "insight/record/sites.h"
#include "insight/span/depend_table.h"
#include "insight/span/following.h"

namespace bobbin::insight {
namespace {

void begin_after_predecessors(Node& node) {
  node.predecessors.each(
      [&](const Node& earlier) { node.at.wait_for(earlier.at, EdgeKind::Dependence); });
  node.predecessors.clear();
}

void end_task(Node& node) {
  Node& maker = *node.maker;
  DependTable::destroy(node.table);
  node.table = nullptr;
  maker.children.wait_for(node.at);
  if (node.group != nullptr) node.group->come.wait_for(node.at);
  node.region->come[node.barriers % 2].wait_for(node.at);
  if (node.undeferred) maker.at.wait_for(node.at);
}

bool has_ended(ompt_task_status_t status) {
  return status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach;
}

// A taskwait with dependences goes on.
void end_wait(ompt_data_t& data) {
  Node* node = node_of(&data);
  if (node == nullptr) return;
  begin_after_predecessors(*node);
  if (node->maker != nullptr) node->maker->at.wait_for(node->at);
  data.ptr = nullptr;
  drop(node);
}

}  // namespace

void task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* made, int flags, int,
                 const void* code) {
  Event event;
  if (made == nullptr) return;
  made->ptr = nullptr;
  const bool waits = (flags & ompt_task_taskwait) != 0;
  if (!event.has_node() || ((flags & ompt_task_explicit) == 0 && !waits)) return;
  Node& maker = event.node();
  Node* node = make_node(&maker, maker.region, site_of(SiteKind::Task, code));
  made->ptr = node;
  if (node == nullptr || waits) return;
  node->at.strand.begin_task(EdgeKind::Creation);
  node->undeferred = (flags & (ompt_task_undeferred | ompt_task_merged)) != 0;
  if (!node->undeferred) hand_over(*node);
  following.record->tasks++;
  figures_of(node->site).count++;
}

void dependences(ompt_data_t* data, const ompt_dependence_t* list, int count) {
  Event event;
  Node* node = node_of(data);
  if (node == nullptr || node->maker == nullptr) return;  // of an ordered loop
  DependTable*& table = node->maker->table;
  if (table == nullptr) table = DependTable::create();
  if (table != nullptr) table->add(*node, list, count);
}

void task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next_data) {
  Event event;
  if (status == ompt_taskwait_complete) {
    end_wait(*prior);
    return;
  }
  if (next_data == nullptr || !event.has_thread()) return;  // an event was fulfilled
  Node* next = node_of(next_data);
  if (next != nullptr && !next->begun) {
    next->begun = true;
    begin_after_predecessors(*next);
  }
  event.go_to(next);
  event.start();
  Node* left = node_of(prior);
  if (!has_ended(status) || left == nullptr || left->maker == nullptr) return;
  end_task(*left);
  prior->ptr = nullptr;
  drop(left);
}

void cancel(ompt_data_t* data, int flags, const void*) {
  if ((flags & ompt_cancel_discarded_task) == 0) return;
  Event event;
  Node* node = node_of(data);
  if (node == nullptr) return;
  node->predecessors.clear();
  data->ptr = nullptr;
  drop(node);
}

// The runtime's own work for tasks.
void phase(bobbin_phase_t, ompt_scope_endpoint_t endpoint, const void*) {
  Event event;
  if (!event.has_thread()) return;
  endpoint == ompt_scope_end ? event.start() : event.stop();
}

}  // namespace bobbin::insight
