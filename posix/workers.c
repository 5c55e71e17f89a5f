/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that regions use again and again. */
#include <stdlib.h>

#include "team.h"

struct worker {
  pthread_t thread;
  pthread_cond_t wakes;
  struct worker* next;
  bool is_free;
  void (*work)(struct member*);
  struct member* member;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct worker* workers; /* in the order in which they were made */

static void* run(void* argument) {
  struct worker* worker = argument;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (worker->work == NULL) pthread_cond_wait(&worker->wakes, &lock);
    void (*work)(struct member*) = worker->work;
    struct member* member = worker->member;
    worker->work = NULL;
    pthread_mutex_unlock(&lock);
    work(member);
    /* Free before the region is over, so that the next one finds the same workers. */
    pthread_mutex_lock(&lock);
    worker->is_free = true;
    pthread_mutex_unlock(&lock);
    struct team* team = member->team;
    pthread_mutex_lock(&team->lock);
    ++team->ended;
    changed(team);
    pthread_mutex_unlock(&team->lock);
    pthread_mutex_lock(&lock);
  }
  return NULL;
}

struct worker* take_worker(void) {
  pthread_mutex_lock(&lock);
  struct worker** at = &workers;
  while (*at != NULL && !(*at)->is_free) at = &(*at)->next;
  struct worker* worker = *at;
  if (worker == NULL) {
    worker = allocate(sizeof *worker);
    pthread_cond_init(&worker->wakes, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, environment.stack_size);
    if (pthread_create(&worker->thread, &attributes, run, worker) == 0) {
      *at = worker;
    } else {
      free(worker);
      worker = NULL;
    }
    pthread_attr_destroy(&attributes);
  }
  if (worker != NULL) worker->is_free = false;
  pthread_mutex_unlock(&lock);
  return worker;
}

void start_worker(struct worker* worker, void (*work)(struct member*), struct member* member) {
  pthread_mutex_lock(&lock);
  worker->member = member;
  worker->work = work;
  pthread_cond_signal(&worker->wakes);
  pthread_mutex_unlock(&lock);
}
