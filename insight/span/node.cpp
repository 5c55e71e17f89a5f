// SPDX-License-Identifier: Apache-2.0
#include "insight/span/node.h"

#include <cstdlib>

namespace bobbin::insight {

void NodeList::add(Node& node) {
  if (count_ == room_) {
    const uint32_t more = room_ == 0 ? 2 : 2 * room_;
    auto* grown = static_cast<Node**>(std::realloc(members_, more * sizeof(Node*)));
    if (grown == nullptr) return;
    members_ = grown;
    room_ = more;
  }
  members_[count_++] = use(&node);
}

void NodeList::clear() {
  for (uint32_t i = 0; i < count_; i++) drop(members_[i]);
  std::free(members_);
  members_ = nullptr;
  count_ = room_ = 0;
}

Node* make_node(Node* maker, Region* region, SiteNumber site) {
  Node* node = nodes.make();
  if (node == nullptr) return nullptr;
  node->site = node->work_site = site;
  node->maker = maker != nullptr ? use(maker) : nullptr;
  node->region = region;
  region->users++;
  if (maker != nullptr) {
    node->at = maker->at;
    node->barriers = maker->barriers;
    node->group = maker->group;
    if (node->group != nullptr) node->group->users++;
  }
  return node;
}

void drop(Node* node) {
  // No recursion along the makers.
  while (node != nullptr && --node->users == 0) {
    node->predecessors.clear();
    if (node->chunks != nullptr) chunk_pool.free(node->chunks);
    drop(node->group);
    drop(node->region);
    Node* maker = node->maker;
    nodes.free(node);
    node = maker;
  }
}

void drop(Region* region) {
  if (region != nullptr && --region->users == 0) regions.free(region);
}

void drop(Group* group) {
  while (group != nullptr && --group->users == 0) {
    Group* outer = group->outer;
    groups.free(group);
    group = outer;
  }
}

}  // namespace bobbin::insight
