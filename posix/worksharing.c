/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, sections, single, masked, distribute, and what threads exchange at constructs. */
#include "team.h"

#include <stdlib.h>
#include <string.h>

/* The lock is held. The record of the construct that the thread meets now. */
static struct work* meet(struct member* member) {
  struct work* before = member->met;
  if (before->next == NULL) before->next = bobbin_posix_allocate(sizeof *before);
  struct work* work = before->next;
  member->met = work;
  if (++work->met == member->team->size) { /* then `before` is the oldest one */
    member->team->first = work;
    free(before);
  }
  return work;
}

/* The first of the blocks have one iteration more. */
bool bobbin_posix_take_static(number count, number chunk, number parts, number part, number* first,
                              number* last) {
  if (chunk == 0) {
    const number rest = count % parts;
    *first = part * (count / parts) + (part < rest ? part : rest);
    *last = *first + count / parts + (part < rest ? 1 : 0);
    return part < parts && *first < *last;
  }
  if (__builtin_mul_overflow(chunk, part, first) || *first >= count) return false;
  *last = count - *first < chunk ? count : *first + chunk;
  return true;
}

/* Added to the schedule of a loop with ordered(n): its chunks are executed one after the other. */
enum { kInOrder = 32 };

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

static void wait_for_turn(const struct member* member) {
  while (member->work->turn != member->first && !member->team->cancelled)
    bobbin_posix_await_change();
}

/* The lock is held. */
static void end_chunk(struct member* member) {
  struct work* work = member->work;
  if (!member->has_chunk) return;
  member->has_chunk = false;
  if ((work->schedule & bobbin_omp_ordered) != 0) {
    wait_for_turn(member);
    work->turn = member->last;
    bobbin_posix_tell_change();
  }
}

static int take_chunk(struct member* member, number* first, number* last) {
  struct work* work = member->work;
  if (work->cancelled || member->team->cancelled) return 0;
  const number size = member->team->size;
  member->has_chunk = (work->schedule & 15) != bobbin_omp_static
                          ? take_dynamic(member, work)
                          : bobbin_posix_take_static(work->count, work->chunk, size,
                                                     member->num + size * member->chunks++,
                                                     &member->first, &member->last);
  if (!member->has_chunk) return 0;
  if ((work->schedule & kInOrder) != 0) wait_for_turn(member);
  *first = member->first;
  *last = member->last;
  return 1;
}

int bobbin_omp_loop_begin(number count, unsigned schedule, number chunk, number* first,
                          number* last) {
  struct member* member = bobbin_posix_self();
  const struct settings* settings = &member->task->settings;
  if ((schedule & 15) == bobbin_omp_runtime) {
    const unsigned own = settings->schedule == kAuto ? bobbin_omp_static : settings->schedule;
    schedule = (schedule & ~15u) | own;
    chunk = settings->chunk;
  }
  bobbin_posix_take_lock();
  struct work* work = meet(member);
  work->count = count; /* all threads say the same */
  work->schedule = schedule;
  work->chunk = chunk;
  member->work = work;
  member->chunks = 0;
  const int has_chunk = take_chunk(member, first, last);
  bobbin_posix_release_lock();
  return has_chunk;
}

/* The iterations before those of a chunk have ended when it begins, so no iteration has to wait. */
int bobbin_omp_doacross_begin(unsigned loops, const number* counts, unsigned schedule, number chunk,
                              number* first, number* last) {
  return bobbin_omp_loop_begin(*counts, schedule | bobbin_omp_ordered | kInOrder, chunk, first,
                               last);
}
void bobbin_omp_doacross_post(const number* iteration) {}
void bobbin_omp_doacross_wait(const number* iteration) {}

int bobbin_omp_loop_next(number* first, number* last) {
  struct member* member = bobbin_posix_locked_self();
  end_chunk(member);
  const int has_chunk = take_chunk(member, first, last);
  bobbin_posix_release_lock();
  return has_chunk;
}

void bobbin_omp_loop_end(void) {
  struct member* member = bobbin_posix_locked_self();
  end_chunk(member);
  member->work = NULL;
  bobbin_posix_release_lock();
}

void bobbin_omp_static_begin(number count, number* first, number* last) {
  const struct member* member = bobbin_posix_self();
  bobbin_posix_take_static(count, 0, member->team->size, member->num, first, last);
}
int bobbin_omp_static_chunks_begin(number count, number chunk, number* first, number* last,
                                   number* distance) {
  const struct member* member = bobbin_posix_self();
  const number size = member->team->size;
  if (chunk == 0 || __builtin_mul_overflow(chunk, size, distance)) *distance = count;
  return bobbin_posix_take_static(count, chunk, size, member->num, first, last);
}
void bobbin_omp_static_end(void) {}

void bobbin_omp_ordered_begin(void) {
  const struct member* member = bobbin_posix_locked_self();
  if (member->work != NULL) wait_for_turn(member); /* null: a loop that one thread executes */
  bobbin_posix_release_lock();
}
void bobbin_omp_ordered_end(void) {}

unsigned bobbin_omp_sections_begin(unsigned count) {
  number range[2];
  return bobbin_omp_loop_begin(count, bobbin_omp_dynamic, 1, range, range + 1)
             ? (unsigned)*range + 1
             : 0;
}
unsigned bobbin_omp_sections_next(void) {
  number range[2];
  return bobbin_omp_loop_next(range, range + 1) ? (unsigned)*range + 1 : 0;
}

int bobbin_omp_single_begin(void) {
  struct member* member = bobbin_posix_locked_self();
  struct work* work = meet(member);
  const bool is_mine = !work->is_entered;
  work->is_entered = true;
  bobbin_posix_release_lock();
  return is_mine;
}
void bobbin_omp_single_end(void) {}

void bobbin_omp_copyprivate(void* data, void (*copy)(void* to, void* from), int executed) {
  struct member* member = bobbin_posix_self();
  if (executed) member->team->exchange[0] = data;
  if (!bobbin_posix_barrier(member)) return;
  if (!executed) copy(data, member->team->exchange[0]);
  bobbin_posix_barrier(member);
}

static void* const* exchange(bool is_cancellable, void* own, unsigned* thread, unsigned* threads) {
  struct member* member = bobbin_posix_self();
  *thread = member->num;
  *threads = member->team->size;
  member->team->exchange[member->num] = own;
  return bobbin_posix_barrier(member) || !is_cancellable ? member->team->exchange : NULL;
}
void* const* bobbin_omp_exchange_begin(void* own, unsigned* thread, unsigned* threads) {
  return exchange(false, own, thread, threads);
}
void* const* bobbin_omp_cancellable_exchange_begin(void* own, unsigned* thread, unsigned* threads) {
  return exchange(true, own, thread, threads);
}
void bobbin_omp_exchange_end(void) { bobbin_posix_barrier(bobbin_posix_self()); }

void* bobbin_omp_scan_memory(unsigned long long count, unsigned long size) {
  void* memory = calloc(count + 1, size);
  if (memory == NULL) bobbin_posix_fatal("out of memory for the values of a scan");
  return memory;
}
void bobbin_omp_scan_memory_free(void* memory) { free(memory); }

int bobbin_omp_masked_begin(int filter) { return (int)bobbin_posix_self()->num == filter; }
void bobbin_omp_masked_end(void) {}

int bobbin_omp_distribute_begin(number count, number chunk, number* first, number* last) {
  const struct team* team = bobbin_posix_self()->team;
  return bobbin_posix_take_static(count, chunk, team->num_teams, team->team_num, first, last);
}
int bobbin_omp_distribute_next(number count, number chunk, number* first, number* last) {
  const number teams = bobbin_posix_self()->team->num_teams;
  return chunk != 0 &&
         bobbin_posix_take_static(count, chunk, teams, *first / chunk + teams, first, last);
}
void bobbin_omp_distribute_end(void) {}
