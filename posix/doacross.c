/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with ordered(n): each chunk tells the last iteration that has been posted in it. */
#include <stdlib.h>
#include <string.h>

#include "team.h"

struct doacross {
  struct doacross* next;
  number first; /* iterations of the outermost loop */
  number last;
  bool has_posted; /* or has ended: then the numbers are greater than any iteration's */
  number posted[]; /* one number of each loop */
};

void begin_doacross_chunk(struct member* member, struct work* work) {
  struct doacross* chunk = allocate(sizeof *chunk + work->loops * sizeof(number));
  chunk->first = member->first;
  chunk->last = member->last;
  chunk->next = work->chunks;
  work->chunks = chunk;
  member->doacross = chunk;
}

void end_doacross_chunk(struct member* member) {
  if (member->doacross == NULL) return;
  memset(member->doacross->posted, 0xff, member->work->loops * sizeof(number));
  member->doacross->has_posted = true;
  member->doacross = NULL;
  tell_change();
}

void free_work(struct work* work) {
  while (work->chunks != NULL) {
    struct doacross* chunk = work->chunks;
    work->chunks = chunk->next;
    free(chunk);
  }
  free(work);
}

void bobbin_omp_doacross_post(const number* iteration) {
  struct member* member = locked_self();
  if (member->doacross != NULL) {
    memcpy(member->doacross->posted, iteration, member->work->loops * sizeof(number));
    member->doacross->has_posted = true;
    tell_change();
  }
  release_lock();
}

static bool is_reached(const struct doacross* chunk, const number* iteration, unsigned loops) {
  if (!chunk->has_posted) return false;
  for (unsigned i = 0; i < loops; ++i) {
    if (chunk->posted[i] != iteration[i]) return chunk->posted[i] > iteration[i];
  }
  return true;
}

void bobbin_omp_doacross_wait(const number* iteration) {
  struct member* member = locked_self();
  struct team* team = member->team;
  while (member->doacross != NULL && !team->cancelled) {
    const struct work* work = member->work;
    const struct doacross* chunk = work->chunks;
    while (chunk != NULL && (iteration[0] < chunk->first || iteration[0] >= chunk->last)) {
      chunk = chunk->next;
    }
    if (chunk != NULL && is_reached(chunk, iteration, work->loops)) break;
    await_change();
  }
  release_lock();
}
