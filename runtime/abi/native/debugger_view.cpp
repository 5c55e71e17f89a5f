// SPDX-License-Identifier: Apache-2.0
// What a debugger must know of the runtime's data: `bobbin_debugger_v1`, a constant table of names
// with addresses, offsets in bytes, and other numbers. debugger/bobbin_gdb/ reads it, in a process
// or a core file, and insight/live/ in a process, because the library has no debug information. The
// runtime itself never uses it.
//
// The number in the name is that of this format: pairs of a name and a value, the last one with a
// null name. What the names are may change with every version, because a library and its scripts
// belong together. Scripts say which name they miss.
#include <cstddef>

#include "abi/export.h"
#include "abi/kmp/tasks/task_image.h"
#include "construct/locks/critical.h"
#include "construct/wait_address.h"
#include "fiber/context/context.h"
#include "platform/clocks/coarse_clock.h"
#include "sched/workers/pool_state.h"
#include "task/depend/table.h"
#include "task/model/continuation.h"
#include "task/model/extras.h"
#include "task/model/taskgroup.h"
#include "team/model/root.h"

namespace bobbin {

// A name and its value. The member tells which of the two constants it was made of.
struct DebuggerEntry {
  const char* name;
  union {
    uint64_t number;
    const void* address;
  };
};

// The classes whose private members are named here have it for a friend.
struct DebuggerView {
  [[gnu::visibility("default"),
    gnu::used]] static const DebuggerEntry entries[] __asm__("bobbin_debugger_v1");
};

}  // namespace bobbin

using namespace bobbin;

// For classes with bases or access control the standard leaves offsetof to the compiler. GCC and
// clang define it.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
// NOLINTBEGIN(*-macro-usage): names of fields
#define BOBBIN_FIELD(type, field)               \
  {                                             \
    #type "." #field, { offsetof(type, field) } \
  }
#define BOBBIN_NUMBER(name, value)         \
  {                                        \
    name, { static_cast<uint64_t>(value) } \
  }
#define BOBBIN_ADDRESS(name, object) \
  {                                  \
    name, { .address = &(object) }   \
  }
// NOLINTEND(*-macro-usage)

constinit const DebuggerEntry DebuggerView::entries[] = {
    // Where everything begins: the workers, among them those of the roots.
    BOBBIN_ADDRESS("pool.registry", pool.registry),
    BOBBIN_ADDRESS("pool.highest", pool.highest),
    // The registers of a suspended fiber: those that the unwind information finds from here,
    // with Fiber.sp for the stack pointer.
    BOBBIN_ADDRESS("bobbin_context_resumes", bobbin_context_resumes),
    BOBBIN_FIELD(Worker, kind),
    BOBBIN_NUMBER("WorkerKind.Root", WorkerKind::Root),
    BOBBIN_FIELD(Worker, group),
    BOBBIN_FIELD(Worker, kernel_thread),
    BOBBIN_FIELD(Worker, idle),
    BOBBIN_FIELD(Group, root),

    BOBBIN_FIELD(Fiber, sp),
    BOBBIN_FIELD(Fiber, tls),
    BOBBIN_FIELD(Fiber, worker),
    BOBBIN_FIELD(Fiber, state),
    BOBBIN_NUMBER("FiberState.Waiting", FiberState::Waiting),
    BOBBIN_FIELD(Fiber, member),
    BOBBIN_FIELD(Fiber, task),
    // Since when. Both clocks at start-up, and when they were read last.
    BOBBIN_FIELD(Fiber, waits_since),
    BOBBIN_FIELD(ClockReading, ticks),
    BOBBIN_FIELD(ClockReading, ns),
    BOBBIN_ADDRESS("clocks_at_start", clocks_at_start),
    BOBBIN_ADDRESS("coarse_clock.ticks", coarse_clock.ticks_),
    BOBBIN_ADDRESS("coarse_clock.ns", coarse_clock.ns_),

    BOBBIN_FIELD(Team, size),
    BOBBIN_FIELD(Team, level),
    BOBBIN_FIELD(Team, code),
    BOBBIN_FIELD(Team, function),
    BOBBIN_FIELD(Team, members),
    BOBBIN_FIELD(Team, encountering),
    BOBBIN_FIELD(Team, region),
    BOBBIN_FIELD(Team, unbegun.words_),
    BOBBIN_FIELD(Team, unbegun.stride_),
    BOBBIN_FIELD(Team, priority_tasks.by_order),
    BOBBIN_FIELD(Team, mode),
    BOBBIN_FIELD(Mode, next),
    BOBBIN_FIELD(Mode, tasks.by_order),

    BOBBIN_FIELD(Member, team),
    BOBBIN_FIELD(Member, thread),
    BOBBIN_FIELD(Member, rested),
    BOBBIN_FIELD(Member, tasks.top_),
    BOBBIN_FIELD(Member, tasks.bottom_),
    BOBBIN_FIELD(Member, tasks.array_),
    BOBBIN_FIELD(Member, tasks.bounded_),
    BOBBIN_FIELD(Member, tasks.by_data_),
    BOBBIN_FIELD(Deque<Task>::Array, mask),
    BOBBIN_NUMBER("sizeof Deque<Task>::Array", sizeof(Deque<Task>::Array)),

    BOBBIN_FIELD(Task, function),
    BOBBIN_FIELD(Task, data),
    BOBBIN_FIELD(Task, group),
    BOBBIN_FIELD(Task, parent),
    BOBBIN_FIELD(Task, extras),
    BOBBIN_FIELD(Task, children),
    BOBBIN_FIELD(Task, kind),
    BOBBIN_NUMBER("TaskKind.Implicit", TaskKind::Implicit),
    BOBBIN_NUMBER("TaskKind.Deferred", TaskKind::Deferred),
    BOBBIN_NUMBER("kWaiter", kWaiter),
    BOBBIN_NUMBER("kContinuationWaiter", kContinuationWaiter),
    BOBBIN_FIELD(TaskExtras, node),
    BOBBIN_FIELD(TaskExtras, detached),
    BOBBIN_FIELD(TaskExtras, table),
    BOBBIN_FIELD(TaskExtras, event.mark),
    BOBBIN_FIELD(TaskExtras, block_ended),
    BOBBIN_NUMBER("Event::Mark.BlockEnded", Event::Mark::BlockEnded),
    BOBBIN_FIELD(TaskExtras, next_sibling),
    BOBBIN_FIELD(TaskExtras, family.by_order.before),
    BOBBIN_FIELD(TaskExtras, family.by_order.after),
    BOBBIN_FIELD(Taskgroup, tasks),
    BOBBIN_FIELD(kmp::TaskImage, routine),

    // Tasks that have left their thread.
    BOBBIN_ADDRESS("newest_continuation", newest_continuation),
    BOBBIN_FIELD(Continuation, made_before),
    BOBBIN_FIELD(Continuation, waits_since),
    BOBBIN_FIELD(Continuation, sp),
    BOBBIN_FIELD(Continuation, task),

    // The dependences among the children of a task.
    BOBBIN_FIELD(DependTable, entries.slots_),
    BOBBIN_FIELD(DependTable, entries.mask_),
    BOBBIN_FIELD(DependTable, nodes.retired_),
    BOBBIN_NUMBER("DependPool.kClasses", DependPool::kClasses),
    BOBBIN_NUMBER("sizeof DependPool::Queue", sizeof(DependPool::Queue)),
    BOBBIN_FIELD(DependPool::Queue, oldest),
    BOBBIN_FIELD(DependEntry, key),
    BOBBIN_FIELD(DependEntry, members),
    BOBBIN_FIELD(DependEntry, before),
    BOBBIN_NUMBER("sizeof DependEntry", sizeof(DependEntry)),
    BOBBIN_FIELD(DependLink, next),
    BOBBIN_FIELD(DependLink, node),
    BOBBIN_FIELD(DependNode, task),
    BOBBIN_FIELD(DependNode, successors.head_),
    BOBBIN_NUMBER("sizeof DependNode", sizeof(DependNode)),
    BOBBIN_NUMBER("sizeof DependLink", sizeof(DependLink)),
    // The word of bit-fields. The capacity is in its bits 0 to 23, the kind in 24 to 26.
    BOBBIN_NUMBER("DependNode.kind", offsetof(DependNode, mark) + sizeof(DependNode::mark)),
    BOBBIN_NUMBER("DependNodeKind.Task", DependNodeKind::Task),

    // Who waits for a lock, for its turn in ordered or doacross.
    BOBBIN_ADDRESS("wait_buckets", wait_buckets),
    BOBBIN_NUMBER("kWaitBuckets", kWaitBuckets),
    BOBBIN_NUMBER("sizeof WaitBucket", sizeof(WaitBucket)),
    BOBBIN_FIELD(WaitBucket, first),
    BOBBIN_FIELD(WaitNode, key.address),
    BOBBIN_FIELD(WaitNode, thread),
    BOBBIN_FIELD(WaitNode, next),
    BOBBIN_NUMBER("Lock.kStateBits", Lock::kStateBits),
    BOBBIN_ADDRESS("unnamed_critical", unnamed_critical),
    BOBBIN_ADDRESS("atomic_fallback", atomic_fallback),
    BOBBIN_ADDRESS("combining", combining),
    {nullptr, {}},
};
