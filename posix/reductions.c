/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by tasks. An item belongs to a taskgroup, so the tasks that may use it have completed
 * when that ends. A region's reduction is a taskgroup of each thread, which combines the copies
 * into the thread's own original. */
#include <stdlib.h>

#include "team.h"

struct reduction {
  struct reduction* next; /* others of the taskgroup */
  struct bobbin_omp_reduction item;
  unsigned long minimum; /* alignment */
  unsigned threads;
  void* copies[]; /* one for each thread; NULL: it has not used the item */
};

void bobbin_omp_task_reductions(const struct bobbin_omp_reduction* items, unsigned long count) {
  bobbin_omp_allocated_task_reductions(items, count, 0, 0);
}

void bobbin_omp_allocated_task_reductions(const struct bobbin_omp_reduction* items,
                                          unsigned long count, unsigned long minimum,
                                          unsigned long allocator) {
  const struct member* member = bobbin_posix_self();
  const unsigned threads = member->team->size;
  for (unsigned long i = count; i-- > 0;) { /* so the first one is found first */
    struct reduction* made = bobbin_posix_allocate(sizeof *made + threads * sizeof *made->copies);
    *made = (struct reduction){member->task->group->reductions, items[i], minimum, threads};
    member->task->group->reductions = made;
  }
}

void bobbin_posix_combine_reductions(struct reduction* reduction) {
  while (reduction != NULL) {
    struct reduction* next = reduction->next;
    const struct bobbin_omp_reduction* item = &reduction->item;
    for (unsigned i = 0; i < reduction->threads; ++i) {
      if (reduction->copies[i] == NULL) continue;
      item->combine(item->original, reduction->copies[i], item->size);
      free(reduction->copies[i]);
    }
    free(reduction);
    reduction = next;
  }
}

void bobbin_omp_region_reductions_begin(const struct bobbin_omp_reduction* items,
                                        unsigned long count) {
  bobbin_omp_taskgroup_begin();
  bobbin_omp_task_reductions(items, count);
}

void bobbin_omp_region_reductions_end(void) { bobbin_omp_taskgroup_end(); }

static bool is_named(const struct reduction* reduction, const void* name) {
  if (reduction->item.original == name || reduction->item.initial == name) return true;
  for (unsigned i = 0; i < reduction->threads; ++i) {
    if (reduction->copies[i] == name) return true;
  }
  return false;
}

/* The lock is held. The innermost one. */
static struct reduction* find(const struct member* member, const void* name) {
  for (struct group* group = member->task->group; group != NULL; group = group->around) {
    for (struct reduction* one = group->reductions; one != NULL; one = one->next) {
      if (is_named(one, name)) return one;
    }
  }
  bobbin_posix_fatal("in_reduction: no enclosing construct has a task reduction of the item");
}

void* bobbin_omp_own_copy(void* original) {
  const struct member* member = bobbin_posix_locked_self();
  struct reduction* reduction = find(member, original);
  const struct bobbin_omp_reduction* item = &reduction->item;
  void** copy = &reduction->copies[member->num];
  const bool is_new = *copy == NULL;
  if (is_new) *copy = bobbin_omp_allocate(item->size, 64, reduction->minimum, 0);
  bobbin_posix_release_lock();
  if (is_new) item->initialize(*copy, item->initial, item->size);
  return *copy;
}
