/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by tasks. A registration belongs to a taskgroup, so the tasks that may use it have
 * completed when that ends. A region's reduction is a taskgroup of each thread, which combines the
 * copies into the thread's own original. */
#include <stdlib.h>

#include "tasks.h"

struct reductions {
  unsigned long count;
  unsigned threads;
  struct bobbin_omp_reduction* items;
  void** copies; /* count for each thread; NULL: it has not used that one */
};

static void* make_copy(size_t size) {
  void* copy = aligned_alloc(64, (size / 64 + 1) * 64);
  if (copy == NULL) fatal("out of memory");
  return copy;
}

void bobbin_omp_task_reductions(const struct bobbin_omp_reduction* items, unsigned long count) {
  struct member* member = self();
  struct reductions* made = allocate(sizeof *made);
  made->count = count;
  made->threads = member->team->size;
  made->items = allocate(count * sizeof *items);
  for (unsigned long i = 0; i < count; ++i) made->items[i] = items[i];
  made->copies = allocate(made->threads * count * sizeof *made->copies);
  member->task->group->reductions = made;
}

void combine_reductions(struct reductions* reductions) {
  for (unsigned long i = 0; i < reductions->threads * reductions->count; ++i) {
    const struct bobbin_omp_reduction* item = &reductions->items[i % reductions->count];
    if (reductions->copies[i] == NULL) continue;
    item->combine(item->original, reductions->copies[i], item->size);
    free(reductions->copies[i]);
  }
  free(reductions->copies);
  free(reductions->items);
  free(reductions);
}

void bobbin_omp_region_reductions_begin(const struct bobbin_omp_reduction* items,
                                        unsigned long count) {
  bobbin_omp_taskgroup_begin();
  bobbin_omp_task_reductions(items, count);
}

void bobbin_omp_region_reductions_end(void) { bobbin_omp_taskgroup_end(); }

static bool is_named(const struct reductions* reductions, unsigned long item, const void* name) {
  if (reductions->items[item].original == name || reductions->items[item].initial == name) {
    return true;
  }
  for (unsigned thread = 0; thread < reductions->threads; ++thread) {
    if (reductions->copies[thread * reductions->count + item] == name) return true;
  }
  return false;
}

/* The copy's place in the innermost registration with the item. The lock is held. */
static void** find(struct member* member, const void* name,
                   const struct bobbin_omp_reduction** item) {
  for (struct group* group = member->task->group; group != NULL; group = group->around) {
    struct reductions* reductions = group->reductions;
    if (reductions == NULL) continue;
    for (unsigned long i = 0; i < reductions->count; ++i) {
      if (!is_named(reductions, i, name)) continue;
      *item = &reductions->items[i];
      return &reductions->copies[member->num * reductions->count + i];
    }
  }
  fatal("in_reduction: no enclosing construct has a task reduction of the item");
}

void* bobbin_omp_own_copy(void* original) {
  struct member* member = self();
  const struct bobbin_omp_reduction* item;
  pthread_mutex_lock(&member->team->lock);
  void** copy = find(member, original, &item);
  const bool is_new = *copy == NULL;
  if (is_new) *copy = make_copy(item->size);
  pthread_mutex_unlock(&member->team->lock);
  if (is_new) item->initialize(*copy, item->initial, item->size);
  return *copy;
}
