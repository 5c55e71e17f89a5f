// SPDX-License-Identifier: Apache-2.0
#include "insight/record/event_kinds.h"
#include "insight/record/events.h"
#include "insight/record/sites.h"
#include "insight/span/following.h"

namespace bobbin::insight {
namespace {

// The thread goes on at the end of its longest chunk.
void end_chunks(Node& node) {
  Chunks* chunks = node.chunks;
  if (chunks == nullptr) return;
  if (chunks->any) {
    chunks->longest.wait_for(node.at);
    node.at = chunks->longest;
  }
  SiteSpan& site = figures_of(chunks->site);
  const uint64_t span = node.at.ticks - chunks->begin.ticks;
  if (span > site.longest) site.longest = span;
  chunk_pool.free(chunks);
  node.chunks = nullptr;
}

}  // namespace

void work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, uint64_t,
          const void* code) {
  Event event;
  // Those of a taskloop are tasks. Distribute and workshare enclose loops.
  if (!event.has_node() || type == ompt_work_single_other || type == ompt_work_taskloop ||
      type == ompt_work_distribute || type == ompt_work_workshare) {
    return;
  }
  Node& node = event.node();
  if (endpoint == ompt_scope_end) {
    end_chunks(node);
    node.work_site = node.site;
    return;
  }
  node.work_site = site_of(kind_of(type), code);
  figures_of(node.work_site).count++;
  if (type == ompt_work_single_executor || node.chunks != nullptr) return;
  node.chunks = chunk_pool.make();
  if (node.chunks == nullptr) return;
  node.chunks->site = node.work_site;
  node.chunks->begin = node.at;
}

void dispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t kind, ompt_data_t) {
  Event event;
  if (!event.has_node() || event.node().chunks == nullptr ||
      (kind != ompt_dispatch_ws_loop_chunk && kind != ompt_dispatch_section)) {
    return;
  }
  Node& node = event.node();
  Chunks& chunks = *node.chunks;
  chunks.longest.wait_for(node.at);
  chunks.any = true;
  node.at = chunks.begin;
}

}  // namespace bobbin::insight
