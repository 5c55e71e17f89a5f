/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that regions use again and again. */
#include <stdlib.h>

#include "team.h"

static struct worker* workers; /* in the order in which they were made */

static void* run(void* argument) {
  struct worker* worker = argument;
  take_lock();
  for (;;) {
    while (worker->member == NULL) await_change();
    release_lock();
    take_part(worker->member);
    take_lock();
    ++worker->member->team->ended;
    worker->member = NULL;
    worker->is_taken = false;
    tell_change();
  }
  return NULL;
}

struct worker* take_worker(void) {
  struct worker** at = &workers;
  while (*at != NULL && (*at)->is_taken) at = &(*at)->next;
  if (*at == NULL) {
    struct worker* worker = allocate(sizeof *worker);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, environment.stack_size);
    const bool is_made = pthread_create(&thread, &attributes, run, worker) == 0;
    pthread_attr_destroy(&attributes);
    if (!is_made) return free(worker), NULL;
    *at = worker;
  }
  (*at)->is_taken = true;
  return *at;
}
