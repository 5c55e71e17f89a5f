// SPDX-License-Identifier: Apache-2.0
#include "insight/span/strand.h"

#include <cstdlib>

namespace bobbin::insight {
namespace {

uint32_t tasks_begun = 0;

bool goes_on(GraphEdge edge) {
  return edge_kind(edge) == EdgeKind::Continuation || edge_kind(edge) == EdgeKind::Wait;
}

}  // namespace

void Strand::add_edge(uint32_t from, EdgeKind kind) {
  if (from == 0) return;
  if (edge_count_ == edge_room_) {
    const uint32_t more = edge_room_ == 0 ? 2 : 2 * edge_room_;
    auto* grown = static_cast<GraphEdge*>(std::realloc(edges_, more * sizeof(GraphEdge)));
    if (grown == nullptr) {
      graph_writer.give_up();
      return;
    }
    edges_ = grown;
    edge_room_ = more;
  }
  edges_[edge_count_++] = edge_from(from, kind);
}

void Strand::begin() {
  if (grows_) return;
  grows_ = true;
  add_edge(last_, next_);
  next_ = EdgeKind::Continuation;
}

void Strand::follow(const Strand& other, EdgeKind kind) {
  if (!graph_writer.is_open()) [[likely]]
    return;
  const uint32_t before = other.end();
  if (before == 0 || before == last_) return;
  if (ticks_ != 0) end();
  begin();
  add_edge(before, kind);
}

void Strand::begin_task(EdgeKind kind) {
  if (!graph_writer.is_open()) [[likely]]
    return;
  next_ = kind;
  task_ = ++tasks_begun;
  begin();
}

// A node without work that only goes on where another one has ended is left out.
uint32_t Strand::end() const {
  if (!grows_) return last_;
  grows_ = false;
  if (ticks_ == 0 && edge_count_ <= 1 && (edge_count_ == 0 || goes_on(edges_[0]))) {
    last_ = edge_count_ == 1 ? origin_of(edges_[0]) : 0;
  } else {
    const SiteNumber site = ticks_ != 0 ? site_ : SiteNumber{0};
    last_ = graph_writer.write({static_cast<float>(ticks_), task_, edge_count_, site, 0}, edges_);
  }
  ticks_ = 0;
  edge_count_ = 0;
  return last_;
}

void Strand::finish() {
  if (ticks_ != 0) end();
  if (edges_ != nullptr) std::free(edges_);
  edges_ = nullptr;
  edge_count_ = edge_room_ = 0;
  grows_ = false;
}

}  // namespace bobbin::insight
