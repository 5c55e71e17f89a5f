/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks: how they begin, wait and end. dependences.c tells which ones wait for each other. */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

/* When so many tasks of a team have not completed, a thread that creates another one executes it or
 * others first. */
enum { kEnough = 64 };
/* But not if so many are on its stack. */
enum { kDeepest = 100 };

static unsigned last_id;

void init_implicit_task(struct member* member, const struct settings* settings) {
  member->implicit = (struct task){.team = member->team,
                                   .settings = *settings,
                                   .references = 1,
                                   .id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED)};
  member->task = &member->implicit;
}

static void release(struct task* task) {
  while (--task->references == 0) {
    struct task* parent = task->parent;
    free(task->copy);
    free(task);
    task = parent;
  }
}

static void make_ready(struct task* task) {
  struct team* team = task->team;
  struct task** at = &team->queue;
  if (team->last != NULL && team->last->priority >= task->priority) at = &team->last->next;
  while (*at != NULL && (*at)->priority >= task->priority) at = &(*at)->next;
  task->next = *at;
  *at = task;
  if (task->next == NULL) team->last = task;
  changed(team);
}

static void complete(struct task* task) {
  task->is_complete = true;
  if (!task->is_orphan) --task->parent->children;
  --task->team->tasks;
  if (task->created_in != NULL) --task->created_in->tasks;
  forget_dependences(task);
  while (task->successors != NULL) {
    struct edge* edge = task->successors;
    task->successors = edge->next;
    if (--edge->task->predecessors == 0 && edge->task->is_deferred) make_ready(edge->task);
    free(edge);
  }
  changed(task->team);
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
  struct team* team = task->team;
  if (!is_discarded(task)) {
    struct task* before = member->task;
    member->task = task;
    ++member->nested;
    pthread_mutex_unlock(&team->lock);
    task->function(task->data);
    pthread_mutex_lock(&team->lock);
    --member->nested;
    member->task = before;
  } else if (task->has_event) {
    task->is_fulfilled = true;
    ++task->references; /* forever, because somebody may still fulfill its event */
  }
  task->has_run = true;
  if (!task->has_event || task->is_fulfilled) complete(task);
}

/* The nearest ancestor that has not completed. The others are let go, because chains of tasks of
 * which each creates the next one have no end. */
static struct task* ancestor_of(struct task* task) {
  while (task->parent->is_complete) {
    struct task* parent = task->parent;
    task->parent = parent->parent;
    task->is_orphan = true;
    ++task->parent->references;
    release(parent);
  }
  return task->parent;
}

static bool is_within(struct task* task, const struct task* ancestor) {
  while (task->depth > ancestor->depth) task = ancestor_of(task);
  return task == ancestor;
}

bool execute_one(struct member* member, const struct task* within) {
  struct team* team = member->team;
  struct task* before = NULL;
  struct task* task = team->queue;
  while (task != NULL && within != NULL && !is_within(task, within)) {
    before = task;
    task = task->next;
  }
  if (task == NULL) return false;
  *(before != NULL ? &before->next : &team->queue) = task->next;
  if (team->last == task) team->last = before;
  execute(member, task);
  return true;
}

void fulfill(struct task* task) {
  struct team* team = task->team;
  pthread_mutex_lock(&team->lock);
  task->is_fulfilled = true;
  if (task->has_run && !task->is_complete) complete(task);
  pthread_mutex_unlock(&team->lock);
}

/* The scheduling constraint: what a thread begins while its task waits descends from that task. */
static void work_until_zero(struct member* member, const unsigned* counter) {
  while (*counter != 0) {
    if (!execute_one(member, member->task)) {
      pthread_cond_wait(&member->team->changed, &member->team->lock);
    }
  }
}

static void create(const struct new_task* wanted) {
  struct member* member = self();
  struct team* team = member->team;
  struct task* parent = member->task;
  struct task* task = allocate(sizeof *task);
  const bool is_undeferred = (wanted->flags & bobbin_omp_undeferred) != 0 || parent->is_final;
  *task = (struct task){.parent = parent,
                        .team = team,
                        .group = parent->group,
                        .created_in = parent->group,
                        .function = wanted->function,
                        .data = wanted->data,
                        .settings = parent->settings,
                        .depth = parent->depth + 1,
                        .references = 2, /* until complete, and the creator's */
                        .id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED),
                        .priority = wanted->priority,
                        .is_final = parent->is_final || (wanted->flags & bobbin_omp_final) != 0,
                        .has_event = wanted->event != NULL};
  if (wanted->event != NULL) {
    *wanted->event = task;
    *(void**)wanted->data = task;
  }
  pthread_mutex_lock(&team->lock);
  if (is_discarded(task)) {
    pthread_mutex_unlock(&team->lock);
    if (!task->has_event) free(task); /* somebody may still fulfill its event */
    return;
  }
  ++parent->references;
  ++parent->children;
  ++team->tasks;
  if (task->created_in != NULL) ++task->created_in->tasks;
  add_dependences(task, wanted->depend, wanted->dependences);
  const bool may_nest = !is_undeferred && member->nested < kDeepest;
  while (may_nest && team->tasks > kEnough * team->size && execute_one(member, parent)) {
  }
  const bool is_at_once =
      is_undeferred || (may_nest && task->predecessors == 0 &&
                        (team->size == 1 || team->tasks > kEnough * team->size));
  if (is_at_once && !wanted->is_copied) {
    work_until_zero(member, &task->predecessors);
    execute(member, task);
    while (is_undeferred && !task->is_complete) {
      if (!execute_one(member, parent)) pthread_cond_wait(&team->changed, &team->lock);
    }
  } else {
    size_t alignment = wanted->alignment < 16 ? 16 : wanted->alignment;
    if (wanted->size != 0) {
      task->copy = aligned_alloc(alignment, (wanted->size + alignment - 1) / alignment * alignment);
      if (task->copy == NULL) fatal("out of memory for a task");
      memcpy(task->copy, wanted->data, wanted->size);
    }
    task->data = task->copy;
    if (is_at_once) {
      work_until_zero(member, &task->predecessors);
      execute(member, task);
    } else {
      task->is_deferred = true;
      if (task->predecessors == 0) make_ready(task);
    }
  }
  release(task);
  pthread_mutex_unlock(&team->lock);
}

void bobbin_omp_task(function_type* function, void* data, unsigned long size,
                     unsigned long alignment) {
  create(
      &(struct new_task){.function = function, .data = data, .size = size, .alignment = alignment});
}

void bobbin_omp_task_with(function_type* function, void* data, unsigned long size,
                          unsigned long alignment, const struct bobbin_omp_task_clauses* clauses) {
  create(&(struct new_task){.function = function,
                            .data = data,
                            .size = size,
                            .alignment = alignment,
                            .flags = clauses->flags,
                            .priority = clauses->priority,
                            .depend = clauses->depend,
                            .dependences = clauses->dependences,
                            .event = clauses->event});
}

/* With strict each task has as many iterations as the grainsize says, and the last one the rest.
 * Otherwise the first ones have one more than the others. */
int bobbin_omp_taskloop_chunk(unsigned long long count, unsigned flags, int division,
                              unsigned long long value, unsigned long long chunk,
                              unsigned long long* range) {
  number tasks = self()->team->size;
  if (division != bobbin_omp_no_division && value == 0) value = 1;
  if (division == bobbin_omp_num_tasks) tasks = value;
  if (division == bobbin_omp_grainsize) tasks = count < value ? 1 : count / value;
  const bool is_strict = division == bobbin_omp_grainsize && (flags & bobbin_omp_strict) != 0;
  if (is_strict) tasks = count / value + (count % value != 0);
  if (tasks > count) tasks = count;
  if (chunk >= tasks) return 0;
  const number each = is_strict ? value : count / tasks;
  const number rest = is_strict ? 0 : count % tasks;
  range[0] = chunk * each + (chunk < rest ? chunk : rest);
  const number length = each + (chunk < rest);
  range[1] = count - range[0] < length ? count : range[0] + length;
  return 1;
}

void bobbin_omp_taskloop(function_type* function, void* data, unsigned long size,
                         unsigned long alignment, unsigned flags, int priority,
                         unsigned long long count, int division, unsigned long long value) {
  if (count == 0) return;
  struct new_task wanted = {.function = function,
                            .data = data,
                            .size = size,
                            .alignment = alignment,
                            .flags = flags,
                            .priority = priority,
                            .is_copied = true};
  if ((flags & bobbin_omp_nogroup) == 0) bobbin_omp_taskgroup_begin();
  number chunk = 0;
  while (bobbin_omp_taskloop_chunk(count, flags, division, value, chunk++, data)) create(&wanted);
  if ((flags & bobbin_omp_nogroup) == 0) bobbin_omp_taskgroup_end();
}

void bobbin_omp_taskwait(void) {
  struct member* member = self();
  pthread_mutex_lock(&member->team->lock);
  work_until_zero(member, &member->task->children);
  pthread_mutex_unlock(&member->team->lock);
}

static void do_nothing(void* data) { (void)data; }

void bobbin_omp_taskwait_depend(const struct bobbin_omp_dependence* depend,
                                unsigned long dependences, int nowait) {
  create(&(struct new_task){.function = do_nothing,
                            .flags = nowait ? 0 : bobbin_omp_undeferred,
                            .depend = depend,
                            .dependences = dependences});
}

void bobbin_omp_taskyield(void) {
  struct member* member = self();
  pthread_mutex_lock(&member->team->lock);
  execute_one(member, member->task);
  pthread_mutex_unlock(&member->team->lock);
}

void bobbin_omp_taskgroup_begin(void) {
  struct member* member = self();
  struct group* group = allocate(sizeof *group);
  group->around = member->task->group;
  member->task->group = group;
}

void bobbin_omp_taskgroup_end(void) {
  struct member* member = self();
  struct group* group = member->task->group;
  pthread_mutex_lock(&member->team->lock);
  work_until_zero(member, &group->tasks);
  pthread_mutex_unlock(&member->team->lock);
  member->task->group = group->around;
  if (group->reductions != NULL) combine_reductions(group->reductions);
  free(group);
}

/* A policy changes no result. */
void bobbin_omp_taskgroup_policy(const char* policy) { (void)policy; }

void bobbin_omp_taskgroup_scheduler(const void* scheduler, void* user) {
  (void)scheduler, (void)user;
  fatal("a scheduler of the program's own needs Bobbin");
}

void bobbin_omp_transparent(int impex) {
  if (impex != bobbin_omp_not_impex) fatal("transparent tasks need Bobbin");
}
