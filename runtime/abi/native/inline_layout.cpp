// SPDX-License-Identifier: Apache-2.0
// Keeps the runtime's data in step with what is compiled into programs. What no assertion can
// express, tests/unit/abi/inline_layout_test.cpp checks.
#include "abi/kmp/tasks/task_image.h"
#include "bobbin/inline/layout.h"
#include "task/create/prepared.h"
#include "task/model/taskgroup.h"
#include "team/model/team.h"

namespace bobbin {

template <class Ours, class Theirs, size_t kOurs, size_t kTheirs>
constexpr bool same_place() {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): that of the field
  return kOurs == kTheirs && sizeof(Ours) == sizeof(Theirs);
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): names of fields
#define BOBBIN_SAME(ours, field, theirs, their_field)                               \
  static_assert(same_place<decltype(ours::field), decltype(theirs::their_field),    \
                           offsetof(ours, field), offsetof(theirs, their_field)>(), \
                #theirs "::" #their_field " is not where programs find it")

BOBBIN_SAME(Fiber, member, bobbin_thread_v1, member);
BOBBIN_SAME(Fiber, task, bobbin_thread_v1, task);
BOBBIN_SAME(Fiber, spare_blocks, bobbin_thread_v1, blocks);
BOBBIN_SAME(Fiber, number, bobbin_thread_v1, number);
BOBBIN_SAME(Fiber, free_group, bobbin_thread_v1, groups);
BOBBIN_SAME(Fiber, in_place, bobbin_thread_v1, in_place_from);
BOBBIN_SAME(Fiber, undeferred, bobbin_thread_v1, undeferred_from);

BOBBIN_SAME(InlinedPart, end_moved_task, bobbin_member_v1, end_moved_task);
BOBBIN_SAME(InlinedPart, batch, bobbin_member_v1, batch);
BOBBIN_SAME(InlinedPart, team_size, bobbin_member_v1, team_size);
BOBBIN_SAME(InlinedPart, num, bobbin_member_v1, thread_num);

BOBBIN_SAME(ChunkBatch, left, bobbin_batch_v1, left);
BOBBIN_SAME(ChunkBatch, begin, bobbin_batch_v1, begin);
BOBBIN_SAME(ChunkBatch, stride, bobbin_batch_v1, stride);
BOBBIN_SAME(ChunkBatch, step, bobbin_batch_v1, step);

BOBBIN_SAME(Taskgroup, state, bobbin_group_v1, state);
BOBBIN_SAME(Taskgroup, internal, bobbin_group_v1, internal);
BOBBIN_SAME(Taskgroup, previous, bobbin_group_v1, previous);
BOBBIN_SAME(Taskgroup, owner, bobbin_group_v1, owner);
BOBBIN_SAME(Taskgroup, reductions, bobbin_group_v1, reductions);
BOBBIN_SAME(Taskgroup, tasks, bobbin_group_v1, tasks);

static_assert(sizeof(Task) == sizeof(bobbin_task_v1) && alignof(Task) == alignof(bobbin_task_v1));
BOBBIN_SAME(Task, group, bobbin_task_v1, group);
BOBBIN_SAME(Task, icvs, bobbin_task_v1, icvs);
BOBBIN_SAME(Task, parent, bobbin_task_v1, parent);
BOBBIN_SAME(Task, extras, bobbin_task_v1, extras);
BOBBIN_SAME(Task, moved_to, bobbin_task_v1, extras);
BOBBIN_SAME(Task, children, bobbin_task_v1, children);
BOBBIN_SAME(Task, references, bobbin_task_v1, references);
BOBBIN_SAME(Task, depth, bobbin_task_v1, depth);
BOBBIN_SAME(Task, kind, bobbin_task_v1, kind);
BOBBIN_SAME(Task, tied, bobbin_task_v1, is_tied);
// The bits of the last bytes: the test has them.
static_assert(offsetof(bobbin_task_v1, kind) == 60 && offsetof(bobbin_task_v1, is_tied) == 63);
static_assert(static_cast<int>(TaskKind::Undeferred) == BOBBIN_UNDEFERRED_V1);

BOBBIN_SAME(kmp::TaskImage, shareds, bobbin_image_v1, shareds);
BOBBIN_SAME(kmp::TaskImage, routine, bobbin_image_v1, routine);
BOBBIN_SAME(kmp::TaskImage, part, bobbin_image_v1, part);
BOBBIN_SAME(kmp::TaskImage, flags, bobbin_image_v1, flags);
BOBBIN_SAME(kmp::TaskImage, size_words, bobbin_image_v1, size_words);
BOBBIN_SAME(SpareBlock, next, bobbin_block_v1, next);
static_assert(BOBBIN_IMAGE_V1 <= kSmallData);
// Behind the largest image of a small block is room for the descriptor of an undeferred task.
static_assert(kSmallData + 2 * sizeof(bobbin_task_v1) <= kSmallBlock);

}  // namespace bobbin
