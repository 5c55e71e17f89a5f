/* SPDX-License-Identifier: Apache-2.0 */
/* Which tasks wait for which. A task waits for each sibling before it that has not completed and
 * names the same address, unless both only read there. */
#include <stdlib.h>
#include <string.h>

#include "tasks.h"

struct dependence {
  struct dependence* next;
  struct task* task;
  const volatile void* address;
  unsigned char kind;
};

static bool have_order(const struct dependence* before, const struct bobbin_omp_dependence* after) {
  const bool is_same = before->address == after->address || before->address == NULL ||
                       after->address == NULL; /* NULL: omp_all_memory */
  if (!is_same) return false;
  const bool may_overlap = before->kind == after->kind &&
                           (after->kind == bobbin_omp_in || after->kind == bobbin_omp_inoutset);
  return !may_overlap; /* those that exclude each other have an order, too */
}

static void let_wait(struct task* task, struct task* predecessor) {
  struct edge* edge = allocate(sizeof *edge);
  edge->task = task;
  edge->next = predecessor->successors;
  predecessor->successors = edge;
  ++task->predecessors;
}

void add_dependences(struct task* task, const struct bobbin_omp_dependence* depend,
                     unsigned long count) {
  struct task* parent = task->parent;
  for (unsigned long i = 0; i < count; ++i) {
    for (struct dependence* one = parent->dependences; one != NULL; one = one->next) {
      if (have_order(one, &depend[i])) let_wait(task, one->task);
    }
  }
  for (unsigned long i = 0; i < count; ++i) {
    struct dependence* own = allocate(sizeof *own);
    own->task = task;
    own->address = depend[i].address;
    own->kind = depend[i].kind;
    own->next = parent->dependences;
    parent->dependences = own;
  }
}

static void forget(struct dependence** list, const struct task* task) {
  while (*list != NULL) {
    struct dependence* one = *list;
    if (task == NULL || one->task == task) {
      *list = one->next;
      free(one);
    } else {
      list = &one->next;
    }
  }
}

void forget_dependences(struct task* task) {
  forget(&task->dependences, NULL); /* it has its last child */
  if (!task->is_orphan) forget(&task->parent->dependences, task);
}

/* An omp_depend_t need not be aligned. */
static struct bobbin_omp_dependence* kept_in(const void* object) {
  struct bobbin_omp_dependence* kept;
  memcpy(&kept, object, sizeof kept);
  if (kept == NULL) fatal("depobj: the object has been destroyed");
  return kept;
}

void bobbin_omp_depobj_set(void* object, const struct bobbin_omp_dependence* dependence) {
  struct bobbin_omp_dependence* kept = allocate(sizeof *kept);
  *kept = *dependence;
  memcpy(object, &kept, sizeof kept);
}

void bobbin_omp_depobj_update(void* object, int kind) {
  kept_in(object)->kind = (unsigned char)kind;
}

struct bobbin_omp_dependence bobbin_omp_depobj_get(const void* object) { return *kept_in(object); }

void bobbin_omp_depobj_destroy(void* object) {
  free(kept_in(object));
  memset(object, 0, sizeof(void*));
}

void bobbin_omp_dependence_list_grow(struct bobbin_omp_dependence_list* list) {
  list->capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
  list->items = realloc(list->items, list->capacity * sizeof *list->items);
  if (list->items == NULL) fatal("out of memory for the dependences of a taskloop");
}

void bobbin_omp_dependence_list_free(struct bobbin_omp_dependence_list* list) { free(list->items); }
