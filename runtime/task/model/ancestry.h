// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"

// The chain of parents from a task up the tree, and how completed tasks are taken out of it, so
// that it gets no longer than the tasks under way require.
//
// A completed task stays in memory for the tasks that name it as their parent. If only one child
// still refers to it, and that child has completed, too, the child names the next ancestor instead,
// and takes over the reference to that ancestor; so no count changes. Otherwise tasks that each
// make the next one would keep all that came before them.
//
// Invariant: `parent` changes only once, when the task completes, from one ancestor to another. All
// ancestors that are skipped have completed. So the thread that executes the task, and a thread
// that finds it in a queue, may rely on its parent. A task that a thread is in stays on all chains
// that lead to it.
//
// A thief walks up from a task that it has not claimed. If the task can still be claimed in the
// end, its ancestors up to the first one that completes meanwhile were there during the walk. But
// those above may have been skipped, and their memory used for other tasks, before the thief
// reached them. The team's `shortened` tells the thief: it is increased after the parent was
// changed and before the memory can be used again. If it has changed, the thief begins anew.
namespace bobbin {

// `Node` is Task, except in tests/model.
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

// `to` is alive. If `from` is gone, the answer may be wrong.
template <class Node>
bool descends(const Node& from, const Node& to, const Atomic<uint64_t>& shortened) {
  const Node* parent = from.parent;
  if (parent == &to) return true;
  while (true) {
    const uint64_t before = shortened.load(acquire);
    const bool answer = leads_up_to(from, to);
    fence(acquire);  // a read from memory that was used again makes the new number visible
    if (shortened.load(relaxed) == before) return answer;
  }
}

// The task has completed and is still there. Skips the ancestors for which for_one_child(Node&)
// says that they have completed and have no other reference, and passes them to free(Node*).
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
