/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that regions use again and again. */
#include <stdlib.h>

#include "team.h"

struct worker {
  struct worker* next;
  struct member* member; /* null: it has nothing to do */
};

static struct worker* workers; /* in the order in which they were made */

static void* run(void* argument) {
  struct worker* worker = argument;
  bobbin_posix_take_lock();
  for (;;) {
    while (worker->member == NULL || !worker->member->team->has_begun) bobbin_posix_await_change();
    bobbin_posix_release_lock();
    bobbin_posix_take_part(worker->member);
    bobbin_posix_take_lock();
    ++worker->member->team->ended;
    worker->member = NULL;
    bobbin_posix_tell_change();
  }
  return NULL;
}

bool bobbin_posix_take_worker(struct member* member) {
  struct worker** at = &workers;
  while (*at != NULL && (*at)->member != NULL) at = &(*at)->next;
  if (*at == NULL) {
    struct worker* worker = bobbin_posix_allocate(sizeof *worker);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, bobbin_posix_environment.stack_size);
    const bool is_made = pthread_create(&thread, &attributes, run, worker) == 0;
    pthread_attr_destroy(&attributes);
    if (!is_made) return free(worker), false;
    *at = worker;
  }
  (*at)->member = member;
  return true;
}
