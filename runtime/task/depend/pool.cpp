// SPDX-License-Identifier: Apache-2.0
#include "task/depend/pool.h"

#include <bit>
#include <cstdlib>
#include <new>

#include "platform/memory.h"

namespace bobbin {
namespace {

constexpr unsigned kAlone = 11;    // class of nodes that are not in a slab
constexpr unsigned kPatience = 8;  // refusals before the oldest goes to the end of the queue
constexpr size_t kLargestSlab = 65536;

// While a node is retired, its last link serves the queue.
DependNode*& next(DependNode& node) { return node.last_link().node; }

size_t bytes_of(uint32_t links) { return sizeof(DependNode) + links * sizeof(DependLink); }

void free_annex(DependNode& node) {
  DependNode::Annex& annex = node.annex();
  free(annex.links);
  free(annex.exclusion);
  node.has_annex = 0;
}

}  // namespace

// Exact for up to 8 dependences of two links each, then powers of two.
unsigned DependPool::class_of(uint32_t links) {
  if (links <= 16) return links == 0 ? 0 : (links - 1) / 2;
  if (links > DependNode::kMostInSlab) return kAlone;
  return 3 + static_cast<unsigned>(std::bit_width(links - 1));
}

uint32_t DependPool::links_of(unsigned size_class) {
  return size_class < 8 ? 2 * (size_class + 1) : 1u << (size_class - 3);
}

DependNode* DependPool::reuse(Queue& queue, uint32_t links, uint32_t mark) {
  DependNode* node = queue.oldest;
  if (node == nullptr) return nullptr;
  if (!node->completed() || node->mark == mark || node->capacity < links) {
    if (++queue.refusals >= kPatience && next(*node) != nullptr) {
      queue.refusals = 0;
      queue.oldest = next(*node);
      next(*queue.youngest) = node;
      queue.youngest = node;
      next(*node) = nullptr;
    }
    return nullptr;
  }
  queue.oldest = next(*node);
  // The next node was written by other processors too.
  __builtin_prefetch(queue.oldest, 1);
  if (node->has_annex) free_annex(*node);
  return node;
}

DependNode* DependPool::carve(uint32_t links) {
  size_t bytes = bytes_of(links);
  if (static_cast<size_t>(end_ - free_) < bytes) {
    size_t size = next_slab_ > bytes + kCacheLine ? next_slab_ : bytes + kCacheLine;
    auto* slab = static_cast<Slab*>(allocate_lines(size));
    if (slab == nullptr) return nullptr;
    if (next_slab_ < kLargestSlab) next_slab_ *= 2;
    slab->next = slabs_;
    slabs_ = slab;
    free_ = reinterpret_cast<char*>(slab) + kCacheLine;
    end_ = reinterpret_cast<char*>(slab) + size;
  }
  void* block = free_;
  free_ += bytes;
  return static_cast<DependNode*>(block);
}

DependNode* DependPool::take(uint32_t links, DependNodeKind kind, uint32_t mark) {
  if (links > DependNode::kMostLinks) return nullptr;
  unsigned size_class = class_of(links);
  DependNode* node = reuse(retired_[size_class], links, mark);
  if (node != nullptr) {
    forget_order(node, sizeof(DependNode));
    node->successors.reopen();
    node->blockers.store(0, relaxed);
  } else {
    bool alone = size_class == kAlone;
    uint32_t capacity = alone ? links : links_of(size_class);
    void* block = alone ? malloc(bytes_of(capacity)) : carve(capacity);
    if (block == nullptr) return nullptr;
    node = new (block) DependNode;
    node->capacity = capacity & DependNode::kMostLinks;
    node->has_annex = 0;
  }
  node->uses = 0;
  node->mark = 0;
  node->brief = 0;
  node->kind_bits = static_cast<uint32_t>(kind) & 7;
  return node;
}

void DependPool::retire(DependNode& node) {
  Queue& queue = retired_[class_of(node.capacity)];
  next(node) = nullptr;
  if (queue.oldest == nullptr) {
    queue.oldest = &node;
  } else {
    next(*queue.youngest) = &node;
  }
  queue.youngest = &node;
}

DependNode::Annex& DependPool::annex_of(DependNode& node) {
  if (!node.has_annex) {
    node.annex() = DependNode::Annex{};
    node.has_annex = 1;
    annexes_ = true;
  }
  return node.annex();
}

DependPool::~DependPool() {
  for (unsigned size_class = 0; size_class < kClasses; size_class++) {
    if (!annexes_ && size_class != kAlone) continue;
    for (DependNode* node = retired_[size_class].oldest; node != nullptr;) {
      DependNode* following = next(*node);
      if (node->has_annex) free_annex(*node);
      if (size_class == kAlone) free(node);
      node = following;
    }
  }
  while (slabs_ != nullptr) {
    Slab* slab = slabs_;
    slabs_ = slab->next;
    free(slab);
  }
}

}  // namespace bobbin
