/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with ordered(n): each chunk tells the last iteration that has been posted in it. */
#include <stdlib.h>
#include <string.h>

#include "worksharing.h"

struct doacross {
  struct doacross* next;
  number first; /* iterations of the outermost loop */
  number last;
  bool has_ended;
  bool has_posted;
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
  member->doacross->has_ended = true;
  member->doacross = NULL;
  changed(member->team);
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
  struct member* member = self();
  struct team* team = member->team;
  pthread_mutex_lock(&team->lock);
  if (member->doacross != NULL) {
    memcpy(member->doacross->posted, iteration, member->work->loops * sizeof(number));
    member->doacross->has_posted = true;
    changed(team);
  }
  pthread_mutex_unlock(&team->lock);
}

static bool is_reached(const struct doacross* chunk, const number* iteration, unsigned loops) {
  if (chunk->has_ended) return true;
  if (!chunk->has_posted) return false;
  for (unsigned i = 0; i < loops; ++i) {
    if (chunk->posted[i] != iteration[i]) return chunk->posted[i] > iteration[i];
  }
  return true;
}

void bobbin_omp_doacross_wait(const number* iteration) {
  struct member* member = self();
  struct team* team = member->team;
  pthread_mutex_lock(&team->lock);
  while (member->doacross != NULL && !team->cancelled) {
    const struct work* work = member->work;
    const struct doacross* chunk = work->chunks;
    while (chunk != NULL && (iteration[0] < chunk->first || iteration[0] >= chunk->last)) {
      chunk = chunk->next;
    }
    if (chunk != NULL && is_reached(chunk, iteration, work->loops)) break;
    pthread_cond_wait(&team->changed, &team->lock);
  }
  pthread_mutex_unlock(&team->lock);
}
