/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, sections, single, masked, distribute, and what threads exchange at constructs. */
#include "worksharing.h"

#include <stdlib.h>
#include <string.h>

/* The lock is held. The record of the construct that the thread meets now. */
static struct work* meet(struct member* member) {
  struct work* before = member->met;
  if (before->next == NULL) before->next = allocate(sizeof *before);
  struct work* work = before->next;
  member->met = work;
  if (++work->met == member->team->size) { /* then `before` is the oldest one */
    member->team->first = work;
    free_work(before);
  }
  return work;
}

/* The part of `count` iterations that comes to one of `parts`; the first ones get one more. */
static void block(number count, number parts, number part, number* first, number* last) {
  const number each = count / parts;
  const number rest = count % parts;
  *first = part * each + (part < rest ? part : rest);
  *last = *first + each + (part < rest ? 1 : 0);
}

/* The first chunk of one of `parts`. chunk: 0 if each has one block. False: it has none. */
static bool first_chunk(number count, number chunk, number parts, number part, number* first,
                        number* last) {
  if (chunk == 0) {
    block(count, parts, part, first, last);
    return *first < *last;
  }
  if (__builtin_mul_overflow(chunk, part, first) || *first >= count) return false;
  *last = count - *first < chunk ? count : *first + chunk;
  return true;
}

/* The chunk of the same part after [*first, *last). */
static bool next_chunk(number count, number chunk, number parts, number* first, number* last) {
  number distance;
  if (chunk == 0 || __builtin_mul_overflow(chunk, parts, &distance) ||
      __builtin_add_overflow(*first, distance, first) || *first >= count) {
    return false;
  }
  *last = count - *first < chunk ? count : *first + chunk;
  return true;
}

static bool take_static(struct member* member, const struct work* work) {
  const number size = member->team->size;
  if (!member->is_first_chunk)
    return next_chunk(work->count, work->chunk, size, &member->first, &member->last);
  member->is_first_chunk = false;
  return first_chunk(work->count, work->chunk, size, member->num, &member->first, &member->last);
}

static bool take_dynamic(struct member* member, struct work* work) {
  const number left = work->count - work->taken;
  number chunk = work->chunk == 0 ? 1 : work->chunk;
  if ((work->schedule & 15) == bobbin_omp_guided) {
    const number share = left / member->team->size;
    if (share > chunk) chunk = share;
  }
  if (left == 0) return false;
  member->first = work->taken;
  member->last = member->first + (left < chunk ? left : chunk);
  work->taken = member->last;
  return true;
}

/* The lock is held. */
static void end_chunk(struct member* member, struct work* work) {
  struct team* team = member->team;
  if (!member->has_chunk) return;
  member->has_chunk = false;
  if ((work->schedule & bobbin_omp_ordered) != 0) {
    while (work->turn != member->first && !team->cancelled) {
      pthread_cond_wait(&team->changed, &team->lock);
    }
    work->turn = member->last;
    changed(team);
  }
  end_doacross_chunk(member);
}

static int take_chunk(struct member* member, struct work* work, number* first, number* last) {
  if (work->cancelled || member->team->cancelled) return 0;
  member->has_chunk = (work->schedule & 15) == bobbin_omp_static ? take_static(member, work)
                                                                 : take_dynamic(member, work);
  if (!member->has_chunk) return 0;
  if (work->loops != 0) begin_doacross_chunk(member, work);
  *first = member->first;
  *last = member->last;
  return 1;
}

static int begin_loop(unsigned loops, number count, unsigned schedule, number chunk, number* first,
                      number* last) {
  struct member* member = self();
  const struct settings* settings = &member->task->settings;
  if ((schedule & 15) == bobbin_omp_runtime) {
    const unsigned own = settings->schedule == kAuto ? bobbin_omp_static : settings->schedule;
    schedule = (schedule & bobbin_omp_ordered) | own;
    chunk = settings->chunk;
  }
  pthread_mutex_lock(&member->team->lock);
  struct work* work = meet(member);
  work->count = count; /* all threads say the same */
  work->schedule = schedule;
  work->chunk = chunk;
  work->loops = loops;
  member->work = work;
  member->is_first_chunk = true;
  const int has_chunk = take_chunk(member, work, first, last);
  pthread_mutex_unlock(&member->team->lock);
  return has_chunk;
}

int bobbin_omp_loop_begin(number count, unsigned schedule, number chunk, number* first,
                          number* last) {
  return begin_loop(0, count, schedule, chunk, first, last);
}

int bobbin_omp_doacross_begin(unsigned loops, const number* counts, unsigned schedule, number chunk,
                              number* first, number* last) {
  return begin_loop(loops, counts[0], schedule, chunk, first, last);
}

int bobbin_omp_loop_next(number* first, number* last) {
  struct member* member = self();
  pthread_mutex_lock(&member->team->lock);
  end_chunk(member, member->work);
  const int has_chunk = take_chunk(member, member->work, first, last);
  pthread_mutex_unlock(&member->team->lock);
  return has_chunk;
}

void bobbin_omp_loop_end(void) {
  struct member* member = self();
  pthread_mutex_lock(&member->team->lock);
  end_chunk(member, member->work);
  member->work = NULL;
  pthread_mutex_unlock(&member->team->lock);
}

void bobbin_omp_static_begin(number count, number* first, number* last) {
  const struct member* member = self();
  block(count, member->team->size, member->num, first, last);
}
int bobbin_omp_static_chunks_begin(number count, number chunk, number* first, number* last,
                                   number* distance) {
  const struct member* member = self();
  const number size = member->team->size;
  if (chunk == 0 || __builtin_mul_overflow(chunk, size, distance)) *distance = count;
  return first_chunk(count, chunk, size, member->num, first, last);
}
void bobbin_omp_static_end(void) {}

void bobbin_omp_ordered_begin(void) {
  struct member* member = self();
  struct team* team = member->team;
  if (member->work == NULL) return; /* a loop that one thread executes */
  pthread_mutex_lock(&team->lock);
  while (member->work->turn != member->first && !team->cancelled) {
    pthread_cond_wait(&team->changed, &team->lock);
  }
  pthread_mutex_unlock(&team->lock);
}
void bobbin_omp_ordered_end(void) {}

unsigned bobbin_omp_sections_begin(unsigned count) {
  number first;
  number last;
  return begin_loop(0, count, bobbin_omp_dynamic, 1, &first, &last) ? (unsigned)first + 1 : 0;
}
unsigned bobbin_omp_sections_next(void) {
  number first;
  number last;
  return bobbin_omp_loop_next(&first, &last) ? (unsigned)first + 1 : 0;
}

int bobbin_omp_single_begin(void) {
  struct member* member = self();
  pthread_mutex_lock(&member->team->lock);
  struct work* work = meet(member);
  const bool is_mine = !work->is_entered;
  work->is_entered = true;
  pthread_mutex_unlock(&member->team->lock);
  return is_mine;
}
void bobbin_omp_single_end(void) {}

void bobbin_omp_copyprivate(void* data, void (*copy)(void* to, void* from), int executed) {
  struct member* member = self();
  if (executed) __atomic_store_n(&member->team->copyprivate, data, __ATOMIC_RELAXED);
  if (!barrier(member, false)) return;
  if (!executed) copy(data, __atomic_load_n(&member->team->copyprivate, __ATOMIC_RELAXED));
  barrier(member, false);
}

void* const* bobbin_omp_exchange_begin(void* own, unsigned* thread, unsigned* threads) {
  struct member* member = self();
  *thread = member->num;
  *threads = member->team->size;
  member->team->exchange[member->num] = own;
  barrier(member, false);
  return member->team->exchange;
}
void* const* bobbin_omp_cancellable_exchange_begin(void* own, unsigned* thread, unsigned* threads) {
  void* const* all = bobbin_omp_exchange_begin(own, thread, threads);
  struct team* team = self()->team;
  pthread_mutex_lock(&team->lock);
  const bool is_cancelled = team->cancelled;
  pthread_mutex_unlock(&team->lock);
  return is_cancelled ? NULL : all;
}
void bobbin_omp_exchange_end(void) { barrier(self(), false); }

void* bobbin_omp_scan_memory(unsigned long long count, unsigned long size) {
  void* memory = calloc(count + 1, size);
  if (memory == NULL) fatal("out of memory for the values of a scan");
  return memory;
}
void bobbin_omp_scan_memory_free(void* memory) { free(memory); }

int bobbin_omp_masked_begin(int filter) { return (int)self()->num == filter; }
void bobbin_omp_masked_end(void) {}

int bobbin_omp_distribute_begin(number count, number chunk, number* first, number* last) {
  const struct team* team = self()->team;
  return first_chunk(count, chunk, team->num_teams, team->team_num, first, last);
}
int bobbin_omp_distribute_next(number count, number chunk, number* first, number* last) {
  return next_chunk(count, chunk, self()->team->num_teams, first, last);
}
void bobbin_omp_distribute_end(void) {}
