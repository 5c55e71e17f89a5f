/* SPDX-License-Identifier: Apache-2.0 */
/* Which tasks wait for which. A task waits for each sibling before it that has not completed and
 * names the same address, unless both only read there. It counts the pairs of dependences that make
 * it wait; a sibling that completes finds the same pairs again. */
#include <stdlib.h>
#include <string.h>

#include "team.h"

struct dependence {
  struct dependence* next;
  struct task* task;
  struct bobbin_omp_dependence is;
};

static bool have_order(const struct dependence* before, const struct dependence* after) {
  if (before->task == after->task || before->task->creator != after->task->creator) return false;
  const bool is_same = before->is.address == after->is.address || before->is.address == NULL ||
                       after->is.address == NULL; /* NULL: omp_all_memory */
  if (!is_same) return false;
  const bool may_overlap =
      before->is.kind == after->is.kind &&
      (after->is.kind == bobbin_omp_in || after->is.kind == bobbin_omp_inoutset);
  return !may_overlap; /* those that exclude each other have an order, too */
}

void bobbin_posix_add_dependences(struct task* task, const struct bobbin_omp_dependence* depend,
                                  unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) {
    struct dependence* own = bobbin_posix_allocate(sizeof *own);
    *own = (struct dependence){task->team->dependences, task, depend[i]};
    task->team->dependences = own;
    for (const struct dependence* one = own->next; one != NULL; one = one->next) {
      task->predecessors += have_order(one, own);
    }
  }
}

void bobbin_posix_forget_dependences(struct task* task) {
  struct dependence** at = &task->team->dependences;
  while (*at != NULL) {
    struct dependence* own = *at;
    if (own->task != task) {
      at = &own->next;
      continue;
    }
    for (const struct dependence* later = task->team->dependences; later != own;
         later = later->next) {
      struct task* waiting = later->task;
      if (have_order(own, later) && --waiting->predecessors == 0 && waiting->is_deferred) {
        bobbin_posix_make_ready(waiting);
      }
    }
    *at = own->next;
    free(own);
  }
}

/* An omp_depend_t need not be aligned. */
static struct bobbin_omp_dependence* kept_in(const void* object) {
  struct bobbin_omp_dependence* kept;
  memcpy(&kept, object, sizeof kept);
  if (kept == NULL) bobbin_posix_fatal("depobj: the object has been destroyed");
  return kept;
}

void bobbin_omp_depobj_set(void* object, const struct bobbin_omp_dependence* dependence) {
  struct bobbin_omp_dependence* kept = bobbin_posix_allocate(sizeof *kept);
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
  if (list->items == NULL) bobbin_posix_fatal("out of memory for the dependences of a taskloop");
}

void bobbin_omp_dependence_list_free(struct bobbin_omp_dependence_list* list) { free(list->items); }
