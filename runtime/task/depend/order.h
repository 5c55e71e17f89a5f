// SPDX-License-Identifier: Apache-2.0
// The lock-free order among dependent tasks: registration with a predecessor, concurrent with the
// completion of that predecessor.
//
// Every dependent task has a node. `successors` is the list of links by which later nodes
// registered with it. The list is closed when the node is completed. `blockers` counts units: one
// for each predecessor that the node was found to have.
//
// Invariant: each unit of S.blockers is held by exactly one of
//   - a link of S in the open list of a predecessor,
//   - a link of S in a list that a completing thread has closed and is going through,
//   - the thread that registers S.
// The holder of a unit gives it back once, as its last access to S. The holder that gives back the
// last units owns S: it makes S ready. It sees that its units are the last by loading the count,
// which then equals the number of units that it holds. At that point no other holder is left, so it
// need not subtract. Only a waiter, which reads the word itself, needs the subtraction.
//
// The registering thread counts the predecessors that are still open, stores the count (published
// by the pushes), then pushes. If a push is refused because the list was closed meanwhile, the
// registering thread keeps that unit. It gives back all such units together, at the end. If none
// was refused, it holds nothing after the last push, and S may run already.
//
// The pairs of release and acquire:
//   - push (release) with close (acquire): the completing thread sees the links.
//   - close (release) with a refused push, or with closed() (acquire): S sees what its predecessor
//     did.
//   - give_back (release) with the load or subtraction of the last holder (acquire): S sees what
//     its other predecessors did.
//
// For a race detector, the address of a node stands for what the node waits for, and the address of
// its list for its completion.
#pragma once

#include <cstdint>

#include "platform/watchers/happens_before.h"
#include "sched/queues/inbox.h"
#include "team/model/task.h"

namespace bobbin {

// Gives back `units`. True: they were the last, the caller owns the node now.
template <class Node>
bool give_back(Node& node, uint32_t units) {
  if (node.blockers.load(acquire) == units) return true;
  return node.blockers.fetch_sub(units, acq_rel) == units;
}

// The same for a node whose thread reads the word. Returns the thread if it sleeps and these units
// were the last: the node may be gone by then.
template <class Node>
auto give_back_to_waiter(Node& node) {
  auto* waiter = node.waiter;
  uint32_t before = node.blockers.fetch_sub(1, acq_rel);
  return before == (kWaiter | 1) ? waiter : nullptr;
}

// Registers `node`, which nobody knows yet, with `count` predecessors. link_to(i, predecessor) sets
// the i-th predecessor and returns the link to use for it. True: nothing blocks the node any more.
template <class Node, class LinkTo>
bool register_with(Node& node, uint32_t count, LinkTo&& link_to) {
  happens_before(&node);
  if (count == 0) return true;
  node.blockers.store(count, relaxed);
  uint32_t refused = 0;
  for (uint32_t i = 0; i < count; i++) {
    Node* predecessor;
    auto* link = link_to(i, predecessor);
    link->node = &node;
    if (predecessor->successors.push(link) == Pushed::Closed) {
      refused++;
      pass_order(&predecessor->successors, &node);
    }
  }
  if (refused == count) return true;
  return refused != 0 && give_back(node, refused);
}

// `node` has completed. Calls visit(successor) for each node registered with it; visit gives back
// one unit of that node. `node` is not touched after its list has been closed, and a link not after
// its unit was given back.
template <class Node, class Visit>
void complete_node(Node& node, Visit&& visit) {
  happens_before(&node.successors);
  for (auto* link = node.successors.close(); link != nullptr;) {
    Node& successor = *link->node;
    link = link->next;
    happens_before(&successor);
    visit(successor);
  }
}

}  // namespace bobbin
