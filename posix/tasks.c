/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks: how they begin, wait and end. dependences.c tells which ones wait for each other. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "team.h"

/* When so many tasks for each thread of a team have not completed, or the team has one thread, a
 * thread that has created another one executes it or others first. */
enum { kEnough = 64 };
/* But not if so many are on its stack. */
enum { kDeepest = 100 };

static unsigned last_id;

void bobbin_posix_init_implicit_task(struct member* member, const struct settings* settings) {
  member->implicit = (struct task){.team = member->team,
                                   .settings = *settings,
                                   .references = 1,
                                   .pending = 1, /* as long as the team exists */
                                   .id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED)};
  member->task = &member->implicit;
}

static void release(struct task* task) {
  if (--task->references != 0) return;
  free(task->data);
  free(task);
}

void bobbin_posix_make_ready(struct task* task) {
  struct team* team = task->team;
  struct task* before = team->queue_end;
  while (before != NULL && before->priority < task->priority) before = before->previous;
  task->previous = before;
  task->next = before != NULL ? before->next : team->queue;
  *(task->previous != NULL ? &task->previous->next : &team->queue) = task;
  *(task->next != NULL ? &task->next->previous : &team->queue_end) = task;
  bobbin_posix_tell_change();
}

static void take_from_queue(struct task* task) {
  struct team* team = task->team;
  *(task->previous != NULL ? &task->previous->next : &team->queue) = task->next;
  *(task->next != NULL ? &task->next->previous : &team->queue_end) = task->previous;
}

/* The task has run, or its event is fulfilled. */
static void finish(struct task* task) {
  if (--task->pending != 0) return;
  --task->parent->children;
  --task->team->tasks;
  if (task->created_in != NULL) --task->created_in->tasks;
  bobbin_posix_forget_dependences(task);
  bobbin_posix_tell_change();
  release(task->parent);
  release(task);
}

/* Is it in a region that is cancelled? */
static bool is_discarded(const struct task* task) {
  if (task->team->cancelled) return true;
  for (const struct group* group = task->created_in; group != NULL; group = group->around) {
    if (group->cancelled) return true;
  }
  return false;
}

/* The lock is held; it is not while the function is executed. */
static void execute(struct member* member, struct task* task) {
  if (!is_discarded(task)) {
    struct task* before = member->task;
    member->task = task;
    ++member->nested;
    bobbin_posix_release_lock();
    task->function(task->data);
    bobbin_posix_take_lock();
    --member->nested;
    member->task = before;
  } else if (task->has_event) {
    task->pending = 1;
    ++task->references; /* forever, because somebody may still fulfill its event */
  }
  finish(task);
}

/* Does the task descend from the other one, as far as that can be told? What may wait for the task
 * can always be told: a parent that has not completed, or a taskgroup. */
static bool is_within(const struct task* task, const struct task* ancestor) {
  const struct group* group = task->created_in;
  while (group != NULL && group->opener->depth > ancestor->depth) group = group->around;
  if (group != NULL && group->opener == ancestor) return true;
  const struct task* parent = task->parent;
  while (parent != NULL && parent != ancestor && parent->depth > ancestor->depth) {
    parent = parent->pending != 0 ? parent->parent : NULL;
  }
  return parent == ancestor;
}

/* The one that begins next, of those within the other task. Where no priorities tell, the youngest
 * ones are looked at first, because what a task waits for is young: tasks in a deep tree wait one
 * after the other, and none must look at what all tasks around it have created. */
static struct task* find_within(const struct team* team, const struct task* ancestor) {
  struct task* task = team->queue;
  if (task != NULL && task->priority == team->queue_end->priority) {
    task = team->queue_end;
    while (task != NULL && !is_within(task, ancestor)) task = task->previous;
  } else {
    while (task != NULL && !is_within(task, ancestor)) task = task->next;
  }
  return task;
}

bool bobbin_posix_execute_one(struct member* member, const struct task* within) {
  struct team* team = member->team;
  struct task* task = within != NULL ? find_within(team, within) : team->queue;
  if (task == NULL) return false;
  take_from_queue(task);
  execute(member, task);
  return true;
}

void omp_fulfill_event(omp_event_handle_t event) {
  struct task* task = (struct task*)event;
  bobbin_posix_take_lock();
  if (task->pending != 0) finish(task);
  bobbin_posix_release_lock();
}

/* The scheduling constraint: what a thread begins while its task waits descends from that task. */
static void work_until_zero(struct member* member, const unsigned* counter) {
  while (*counter != 0) {
    if (!bobbin_posix_execute_one(member, member->task)) bobbin_posix_await_change();
  }
}

void bobbin_omp_task_with(function_type* function, void* data, unsigned long size,
                          unsigned long alignment, const struct bobbin_omp_task_clauses* clauses) {
  struct member* member = bobbin_posix_locked_self();
  struct team* team = member->team;
  struct task* parent = member->task;
  struct task* task = bobbin_posix_allocate(sizeof *task);
  const bool is_undeferred = (clauses->flags & bobbin_omp_undeferred) != 0 || parent->is_final;
  *task = (struct task){.parent = parent,
                        .team = team,
                        .group = parent->group,
                        .created_in = parent->group,
                        .function = function,
                        .data = bobbin_omp_allocate(size, alignment, 16, 0),
                        .settings = parent->settings,
                        .references = 2, /* until complete, and the creator's */
                        .pending = clauses->event != NULL ? 2 : 1,
                        .id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED),
                        .depth = parent->depth + 1,
                        .creator = parent->id,
                        .priority = clauses->priority,
                        .is_final = parent->is_final || (clauses->flags & bobbin_omp_final) != 0,
                        .has_event = clauses->event != NULL};
  if (clauses->event != NULL) *clauses->event = *(void**)data = task;
  if (size != 0) memcpy(task->data, data, size);
  ++parent->references;
  ++parent->children;
  ++team->tasks;
  if (task->created_in != NULL) ++task->created_in->tasks;
  bobbin_posix_add_dependences(task, clauses->depend, clauses->dependences);
  if (is_undeferred) {
    work_until_zero(member, &task->predecessors);
    execute(member, task);
    work_until_zero(member, &task->pending);
  } else {
    task->is_deferred = true;
    if (task->predecessors == 0) bobbin_posix_make_ready(task);
    while ((team->size == 1 || team->tasks > kEnough * team->size) && member->nested < kDeepest &&
           bobbin_posix_execute_one(member, parent)) {
    }
  }
  release(task);
  bobbin_posix_release_lock();
}

void bobbin_omp_task(function_type* function, void* data, unsigned long size,
                     unsigned long alignment) {
  bobbin_omp_task_with(function, data, size, alignment, &(struct bobbin_omp_task_clauses){0});
}

/* With strict each task has as many iterations as the grainsize says, and the last one the rest.
 * Otherwise the first ones have one more than the others. */
int bobbin_omp_taskloop_chunk(unsigned long long count, unsigned flags, int division,
                              unsigned long long value, unsigned long long chunk,
                              unsigned long long* range) {
  number tasks = bobbin_posix_self()->team->size;
  if (value == 0) value = 1;
  if (division == bobbin_omp_num_tasks) tasks = value;
  if (division == bobbin_omp_grainsize) tasks = count < value ? 1 : count / value;
  const bool is_strict = division == bobbin_omp_grainsize && (flags & bobbin_omp_strict) != 0;
  return bobbin_posix_take_static(count, is_strict ? value : 0, tasks, chunk, &range[0], &range[1]);
}

void bobbin_omp_taskloop(function_type* function, void* data, unsigned long size,
                         unsigned long alignment, unsigned flags, int priority,
                         unsigned long long count, int division, unsigned long long value) {
  const struct bobbin_omp_task_clauses clauses = {.flags = flags, .priority = priority};
  if ((flags & bobbin_omp_nogroup) == 0) bobbin_omp_taskgroup_begin();
  number chunk = 0;
  while (bobbin_omp_taskloop_chunk(count, flags, division, value, chunk++, data)) {
    bobbin_omp_task_with(function, data, size, alignment, &clauses);
  }
  if ((flags & bobbin_omp_nogroup) == 0) bobbin_omp_taskgroup_end();
}

void bobbin_omp_taskwait(void) {
  struct member* member = bobbin_posix_locked_self();
  work_until_zero(member, &member->task->children);
  bobbin_posix_release_lock();
}

static void do_nothing(void* data) {}

void bobbin_omp_taskwait_depend(const struct bobbin_omp_dependence* depend,
                                unsigned long dependences, int nowait) {
  const struct bobbin_omp_task_clauses clauses = {
      .flags = nowait ? 0 : bobbin_omp_undeferred, .depend = depend, .dependences = dependences};
  bobbin_omp_task_with(do_nothing, NULL, 0, 1, &clauses);
}

void bobbin_omp_taskyield(void) {
  struct member* member = bobbin_posix_locked_self();
  bobbin_posix_execute_one(member, member->task);
  bobbin_posix_release_lock();
}

void bobbin_omp_taskgroup_begin(void) {
  struct member* member = bobbin_posix_self();
  struct group* group = bobbin_posix_allocate(sizeof *group);
  group->around = member->task->group;
  group->opener = member->task;
  member->task->group = group;
}

void bobbin_omp_taskgroup_end(void) {
  struct member* member = bobbin_posix_locked_self();
  struct group* group = member->task->group;
  work_until_zero(member, &group->tasks);
  bobbin_posix_release_lock();
  member->task->group = group->around;
  bobbin_posix_combine_reductions(group->reductions);
  free(group);
}
