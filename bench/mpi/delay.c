/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands for a network: with MPI_DELAY_US=N each message of MPI_Send and MPI_Isend begins its way
 * N microseconds later. The data are copied, so a send is complete at once, and a thread
 * of this library sends the copies in their order. Without the variable the calls are the
 * library's.
 *
 * The benchmarks are linked with this library, before MPI. So it comes behind the layer of `bobbin
 * run --mpi`, which calls it as it would call MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct Message {
  struct Message* next;
  double due;
  int size, to, tag;
  MPI_Comm comm;
  char packed[];
} Message;

static double delay = -1; /* in seconds; less than zero: not known yet */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Message *first, **end = &first; /* guarded by the mutex */
static int ending, under_way;          /* guarded by the mutex */
static pthread_t sender;

static int (*real_send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
static int (*real_isend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
static int (*real_finalize)(void);

static void sleep_until(double due) {
  for (double left = due - MPI_Wtime(); left > 0; left = due - MPI_Wtime()) {
    const struct timespec rest = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
  }
}

static void* send_all(void* unused) {
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (first == NULL && !ending) pthread_cond_wait(&changed, &mutex);
    Message* message = first;
    if (message == NULL) break;
    first = message->next;
    if (first == NULL) end = &first;
    pthread_mutex_unlock(&mutex);
    sleep_until(message->due);
    real_send(message->packed, message->size, MPI_PACKED, message->to, message->tag, message->comm);
    free(message);
    pthread_mutex_lock(&mutex);
    if (--under_way == 0) pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void prepare(void) {
  void* found = dlsym(RTLD_NEXT, "PMPI_Send");
  __builtin_memcpy(&real_send, &found, sizeof found);
  found = dlsym(RTLD_NEXT, "PMPI_Isend");
  __builtin_memcpy(&real_isend, &found, sizeof found);
  found = dlsym(RTLD_NEXT, "PMPI_Finalize");
  __builtin_memcpy(&real_finalize, &found, sizeof found);
  const char* text = getenv("MPI_DELAY_US");
  const double wanted = text != NULL ? atof(text) * 1e-6 : 0;
  if (wanted > 0 && pthread_create(&sender, NULL, send_all, NULL) != 0) abort();
  delay = wanted;
}

static void send_later(const void* data, int count, MPI_Datatype type, int to, int tag,
                       MPI_Comm comm) {
  int size, at = 0;
  MPI_Pack_size(count, type, comm, &size);
  Message* message = malloc(sizeof *message + (size_t)size);
  if (message == NULL) abort();
  MPI_Pack(data, count, type, message->packed, size, &at, comm);
  message->size = at;
  message->to = to;
  message->tag = tag;
  message->comm = comm;
  message->next = NULL;
  message->due = MPI_Wtime() + delay;
  pthread_mutex_lock(&mutex);
  *end = message;
  end = &message->next;
  under_way++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

int PMPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  pthread_once(&once, prepare);
  if (delay <= 0 || to == MPI_PROC_NULL) return real_send(data, count, type, to, tag, comm);
  send_later(data, count, type, to, tag, comm);
  return MPI_SUCCESS;
}

int PMPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  pthread_once(&once, prepare);
  if (delay <= 0 || to == MPI_PROC_NULL) {
    return real_isend(data, count, type, to, tag, comm, request);
  }
  send_later(data, count, type, to, tag, comm);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int PMPI_Finalize(void) {
  pthread_once(&once, prepare);
  if (delay > 0) {
    pthread_mutex_lock(&mutex);
    while (under_way != 0) pthread_cond_wait(&changed, &mutex);
    ending = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(sender, NULL);
  }
  return real_finalize();
}

int MPI_Send(const void*, int, MPI_Datatype, int, int, MPI_Comm)
    __attribute__((alias("PMPI_Send")));
int MPI_Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)
    __attribute__((alias("PMPI_Isend")));
int MPI_Finalize(void) __attribute__((alias("PMPI_Finalize")));
