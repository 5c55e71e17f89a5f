/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by tasks. A registration belongs to a taskgroup, so the tasks that may use it have
 * completed when that ends. A region's reduction is a taskgroup of each thread, which combines the
 * copies into the thread's own original. */
#include <stdlib.h>

#include "tasks.h"

struct reductions {
  unsigned long count;
  unsigned threads;
  unsigned long alignment;
  struct reductions* next; /* others of the taskgroup */
  struct bobbin_omp_reduction* items;
  void** copies; /* count for each thread; NULL: it has not used that one */
};

static void* make_copy(size_t size, size_t alignment) {
  void* copy = aligned_alloc(alignment, (size / alignment + 1) * alignment);
  if (copy == NULL) fatal("out of memory");
  return copy;
}

void bobbin_omp_task_reductions(const struct bobbin_omp_reduction* items, unsigned long count) {
  bobbin_omp_allocated_task_reductions(items, count, 0, 0);
}

/* All allocators are the C library's. */
void bobbin_omp_allocated_task_reductions(const struct bobbin_omp_reduction* items,
                                          unsigned long count, unsigned long minimum,
                                          unsigned long allocator) {
  (void)allocator;
  struct member* member = self();
  struct reductions* made = allocate(sizeof *made);
  made->count = count;
  made->threads = member->team->size;
  made->alignment = minimum > 64 ? minimum : 64;
  made->items = allocate(count * sizeof *items);
  for (unsigned long i = 0; i < count; ++i) made->items[i] = items[i];
  made->copies = allocate(made->threads * count * sizeof *made->copies);
  made->next = member->task->group->reductions;
  member->task->group->reductions = made;
}

void combine_reductions(struct reductions* reductions) {
  for (unsigned long i = 0; i < reductions->threads * reductions->count; ++i) {
    const struct bobbin_omp_reduction* item = &reductions->items[i % reductions->count];
    if (reductions->copies[i] == NULL) continue;
    item->combine(item->original, reductions->copies[i], item->size);
    free(reductions->copies[i]);
  }
  struct reductions* next = reductions->next;
  free(reductions->copies);
  free(reductions->items);
  free(reductions);
  if (next != NULL) combine_reductions(next);
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
static void** find(struct member* member, const void* name, struct reductions** found,
                   const struct bobbin_omp_reduction** item) {
  for (struct group* group = member->task->group; group != NULL; group = group->around) {
    for (struct reductions* one = group->reductions; one != NULL; one = one->next) {
      for (unsigned long i = 0; i < one->count; ++i) {
        if (!is_named(one, i, name)) continue;
        *found = one;
        *item = &one->items[i];
        return &one->copies[member->num * one->count + i];
      }
    }
  }
  fatal("in_reduction: no enclosing construct has a task reduction of the item");
}

void* bobbin_omp_own_copy(void* original) {
  struct member* member = self();
  const struct bobbin_omp_reduction* item;
  pthread_mutex_lock(&member->team->lock);
  struct reductions* reductions;
  void** copy = find(member, original, &reductions, &item);
  const bool is_new = *copy == NULL;
  if (is_new) *copy = make_copy(item->size, reductions->alignment);
  pthread_mutex_unlock(&member->team->lock);
  if (is_new) item->initialize(*copy, item->initial, item->size);
  return *copy;
}
