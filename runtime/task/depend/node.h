// SPDX-License-Identifier: Apache-2.0
// A node is the place of a task in the order of dependences. Some nodes stand for no task.
#pragma once

#include "platform/atomic.h"
#include "platform/locks/spinlock.h"
#include "platform/watchers/happens_before.h"
#include "sched/queues/inbox.h"
#include "task/depend/order.h"
#include "task/memory/bulk.h"
#include "team/model/thread.h"

namespace bobbin {

struct DependNode;
struct DependTable;
struct Exclusion;
struct GraphPort;

// Names a node in a list: in a predecessor's list of successors, or in a generation of an address.
// Links lie in the node that they name.
struct DependLink {
  DependLink* next;
  DependNode* node;
};

enum class DependNodeKind : uint32_t {
  Task,
  Join,                // a point in the order between a generation of several and the next: no task
  Waiter,              // a thread that waits for tasks to complete
  ContinuationWaiter,  // a task that has left its thread to wait:
                       // task/modes/continuation_stealing.h
  Entry,               // the way into a transparent task, for one address: no task (graph_ports.h)
};

// The mutexinoutset dependences of one task: see exclusion.h. They lie apart from the node, because
// few nodes have any.
struct ExclusionRequest {
  SpinLock* lock;  // of the table
  DependNode* next_waiting;
  uint32_t count;
  bool held;

  Exclusion** wanted() { return reinterpret_cast<Exclusion**>(this + 1); }
};

// What remains of a dependent task when only its place in the order is of interest. It outlives the
// task for as long as a generation of its parent's table names it. order.h tells the protocol of
// `successors` and `blockers`; any thread accesses both. All other fields are constant after
// registration, or are accessed only by the owner: the thread that executes the parent.
//
// The owner also recycles nodes (pool.h). Once no generation names a node, nobody registers with it
// any more; once it has completed, nobody else touches it.
struct DependNode {
  static constexpr uint32_t kMostLinks = (1u << 24) - 1;
  static constexpr uint32_t kMostInSlab = 128;  // links of a node; larger ones stand alone

  union {
    Task* task;
    Thread* waiter;
    Continuation* continuation;
    GraphPort* port;
  };
  Inbox<DependLink> successors;
  Atomic<uint32_t> blockers{0};
  uint32_t uses = 0;           // how many generations name it
  uint32_t mark = 0;           // the last registration that found it to be a predecessor
  uint32_t capacity : 24 = 0;  // links that follow
  uint32_t kind_bits : 3 = 0;
  uint32_t has_annex : 1 = 0;
  uint32_t brief : 1 = 0;        // it is brief, and so is all that it waits for
  uint32_t unused_bits : 3 = 0;  // declared, so that no write has to keep old bits

  // Fields that few nodes need, in the place of the first link.
  struct Annex {
    DependLink* links;  // further links
    ExclusionRequest* exclusion;
  };

  // Links for predecessors' lists are taken from the front, next to what a completing predecessor
  // writes. Links for generations are taken from the back. The last link is never in a
  // predecessor's list.
  DependLink* links() { return reinterpret_cast<DependLink*>(this + 1); }
  DependLink& last_link() { return links()[capacity - 1]; }
  Annex& annex() { return reinterpret_cast<Annex&>(links()[0]); }
  DependNodeKind kind() const { return static_cast<DependNodeKind>(kind_bits); }
  bool completed() const {
    if (!successors.closed()) return false;
    maker_happens_after(&successors);
    return true;
  }
  // It has completed, and what the owner makes next follows it in any case. With strands it has to
  // be a predecessor of that.
  bool dispensable() const { return completed() && !has_strands(); }
  // The bulk of its task, as long as that has not completed: task/memory/bulk.h.
  uint64_t bulk() const {
    return capacity <= kMostInSlab ? 0 : bulk_units(capacity * sizeof(DependLink));
  }
};
static_assert(sizeof(DependNode) == 32 && sizeof(DependNode::Annex) == sizeof(DependLink));

}  // namespace bobbin
