// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

// The way from a task up the tree to those that it descends from, and how it stays as short as what
// is under way.
//
// A task that has completed stays for those that name it as their parent. If it is there for one
// child alone, and that has completed, too, the child names the next ancestor instead, and takes
// over the reference to it; so nothing is counted anew. Tasks that each make the next one would
// else keep all that came before them.
//
// Invariant: `parent` changes once, when the task completes, from one ancestor to another; those
// that are passed by have completed. So whoever executes the task, and whoever finds it in a queue,
// may rely on its parent; and the task that somebody is in stays on all ways that lead to it.
//
// A thief goes up from a task that he has not claimed. If it is still to be had in the end, its
// ancestors up to the first one that completes meanwhile have been there; but those above may have
// been passed by and made other tasks before he came to them. `shortened` of the team, increased
// after the parent was changed and before the memory can be used again, tells him: he begins anew.
namespace bobbin {

// `Node` is Task, but for tests/model.
template <class Node>
bool leads_up_to(const Node& from, const Node& to) {
  const uint32_t wanted = to.depth;
  const Node* ancestor = &from;
  for (uint32_t depth = from.depth; depth > wanted;) {
    ancestor = ancestor->parent;
    if (ancestor == nullptr || ancestor->depth >= depth) return false;
    depth = ancestor->depth;
  }
  return ancestor == &to;
}

// `to` is there. Of a `from` that is gone the answer may be wrong.
template <class Node>
bool descends(const Node& from, const Node& to, const Atomic<uint64_t>& shortened) {
  const Node* parent = from.parent;
  if (parent == &to) return true;
  while (true) {
    const uint64_t before = shortened.load(acquire);
    const bool answer = leads_up_to(from, to);
    fence(acquire);  // what was written into memory used again comes with the number
    if (shortened.load(relaxed) == before) return answer;
  }
}

// The task has completed and is still there. Passes by those above it of which for_one_child(Node&)
// says that they have completed and have no other reference; free(Node*) gets them.
template <class Node, class ForOneChild, class Free>
void shorten(Node& task, Atomic<uint64_t>& shortened, ForOneChild&& for_one_child, Free&& free) {
  Node* passed = task.parent;
  Node* ancestor = passed;
  while (for_one_child(*ancestor)) ancestor = ancestor->parent;
  if (ancestor == passed) return;
  task.parent = ancestor;
  shortened.fetch_add(1, acq_rel);
  fence(seq_cst);  // before any store into their memory
  while (passed != ancestor) {
    Node* next = passed->parent;
    free(passed);
    passed = next;
  }
}

}  // namespace bobbin
