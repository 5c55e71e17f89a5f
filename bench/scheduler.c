// SPDX-License-Identifier: Apache-2.0
// A scheduler of the program's own: the example for bobbin_set_taskgroup_scheduler of bobbin.h.
//
// A program of several components processes every block of an array, component by component, one
// task each. The array is larger than the caches, so in that order each component fetches it again.
// The tasks have no dependences, so no runtime can know which of them belong together. The program
// tells it by a hint, the number of the block, and its scheduler keeps one list of tasks per block.
// A thread empties the list of one block before it turns to another block that no other thread
// processes.
#include <bobbin/bobbin.h>
#include <pthread.h>

#include "common.h"
#include "statistics.h"

// Weak, so that the program links with any OpenMP runtime.
#pragma weak bobbin_set_taskgroup_scheduler
#pragma weak bobbin_set_task_hint

static const char kUsage[] =
    "scheduler [blocks=128] [kilobytes=384] [components=8] [reps=9]\n"
    "Alternates between the runtime's scheduler and the program's, and prints both medians. "
    "Checked\n"
    "against the serial computation.\n";

enum { kMostThreads = 1024, kLine = 1024 };

// --- The scheduler.

struct job {
  bobbin_task task;
  int next;  // number of the next job of the same block; -1: none
};

struct by_block {
  pthread_mutex_t lock;
  struct job* jobs;  // free jobs are linked by `next`
  int free_jobs;
  int* first;  // first job of each block's list
  int* owned;  // is a thread processing the block?
  int blocks, next_block;
  int block_of[kMostThreads];  // block that the thread processes; -1: none
};

static void init_by_block(struct by_block* s, int blocks, int tasks) {
  pthread_mutex_init(&s->lock, NULL);
  s->jobs = malloc((size_t)tasks * sizeof *s->jobs);
  s->first = malloc((size_t)blocks * sizeof *s->first);
  s->owned = calloc((size_t)blocks, sizeof *s->owned);
  require(s->jobs != NULL && s->first != NULL && s->owned != NULL, "memory for the scheduler");
  for (int i = 0; i < tasks; i++) s->jobs[i].next = i + 1 < tasks ? i + 1 : -1;
  s->free_jobs = 0;
  for (int b = 0; b < blocks; b++) s->first[b] = -1;
  for (int t = 0; t < kMostThreads; t++) s->block_of[t] = -1;
  s->blocks = blocks;
  s->next_block = 0;
}

static void free_by_block(struct by_block* s) {
  pthread_mutex_destroy(&s->lock);
  free(s->jobs);
  free(s->first);
  free(s->owned);
}

static void ready(void* user, int thread, bobbin_task task, const bobbin_task_facts* facts) {
  struct by_block* s = user;
  (void)thread;
  pthread_mutex_lock(&s->lock);
  int job = s->free_jobs, block = (int)facts->hint;
  s->free_jobs = s->jobs[job].next;
  s->jobs[job] = (struct job){task, s->first[block]};
  s->first[block] = job;
  pthread_mutex_unlock(&s->lock);
}

// Takes a job from the block's list, which is not empty.
static bobbin_task take(struct by_block* s, int block) {
  int job = s->first[block];
  s->first[block] = s->jobs[job].next;
  s->jobs[job].next = s->free_jobs;
  s->free_jobs = job;
  return s->jobs[job].task;
}

// Returns the next block, in block order, that has tasks; with `shared`, also a block that another
// thread processes.
static int choose(struct by_block* s, int shared) {
  for (int i = 0; i < s->blocks; i++) {
    int block = (s->next_block + i) % s->blocks;
    if (s->first[block] < 0 || (s->owned[block] && !shared)) continue;
    s->next_block = block;
    return block;
  }
  return -1;
}

static bobbin_task next(void* user, int thread) {
  struct by_block* s = user;
  bobbin_task task = 0;
  pthread_mutex_lock(&s->lock);
  int block = s->block_of[thread];
  if (block < 0 || s->first[block] < 0) {
    if (block >= 0) s->owned[block] = 0;
    block = choose(s, 0);
    if (block < 0) block = choose(s, 1);
    s->block_of[thread] = block;
    if (block >= 0) s->owned[block] = 1;
  }
  if (block >= 0) task = take(s, block);
  pthread_mutex_unlock(&s->lock);
  return task;
}

static const bobbin_scheduler kByBlock = {ready, next, NULL};

// --- The program.

static int blocks, lines, components;

typedef struct {
  float cells[kLine];
} line;

static void count(const line* block, int component, int* result) {
  float level = (float)(component + 1) / (float)(components + 1);
  int above = 0;
  for (int i = 0; i < lines; i++)
    for (int k = 0; k < kLine; k++) above += block[i].cells[k] > level;
  *result = above;
}

static void submit(const line* cells, int* results, int block, int component) {
  const line* at = cells + (size_t)block * (size_t)lines;
  int* result = &results[block * components + component];
#pragma omp task firstprivate(at, component, result)
  count(at, component, result);
}

static double run(const line* cells, int* results, int with_hook) {
  struct by_block scheduler;
  init_by_block(&scheduler, blocks, blocks * components);
  double start = seconds();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    if (with_hook)
      require(bobbin_set_taskgroup_scheduler(&kByBlock, &scheduler) == 0,
              "a scheduler that is set");
    for (int c = 0; c < components; c++)
      for (int b = 0; b < blocks; b++) {
        if (with_hook) bobbin_set_task_hint((unsigned)b);
        submit(cells, results, b, c);
      }
  }
  double took = seconds() - start;
  free_by_block(&scheduler);
  return took;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  blocks = (int)arg_number(argc, argv, "blocks", 128);
  lines = (int)(arg_number(argc, argv, "kilobytes", 384) * 1024 / sizeof(line));
  components = (int)arg_number(argc, argv, "components", 8);
  int reps = (int)arg_number(argc, argv, "reps", 9);
  require(blocks >= 1 && lines >= 1 && components >= 1, "a block is at least 4 KB");
  require(reps >= 1 && reps <= 1000, "1 to 1000 repetitions");
  size_t tasks = (size_t)blocks * (size_t)components;
  line* cells = malloc((size_t)blocks * (size_t)lines * sizeof *cells);
  int *expected = malloc(tasks * sizeof(int)), *results = malloc(tasks * sizeof(int));
  double* took[2] = {malloc((size_t)reps * sizeof(double)), malloc((size_t)reps * sizeof(double))};
  require(cells && expected && results && took[0] && took[1], "memory");
  for (size_t i = 0; i < (size_t)blocks * (size_t)lines; i++)
    for (int k = 0; k < kLine; k++)
      cells[i].cells[k] = (float)((i * kLine + (size_t)k) * 2654435761u % 65536) / 65536;
  for (int b = 0; b < blocks; b++)
    for (int c = 0; c < components; c++)
      count(cells + (size_t)b * (size_t)lines, c, &expected[b * components + c]);

  int hooks = bobbin_set_taskgroup_scheduler != NULL;
  for (int r = 0; r < reps; r++)
    for (int hook = 0; hook <= hooks; hook++) {
      memset(results, -1, tasks * sizeof(int));
      took[hook][r] = run(cells, results, hook);
      require(memcmp(results, expected, tasks * sizeof(int)) == 0, "the serial counts");
    }
  print_metric_of("time_ms", 1e3 * summarise(took[0], reps).median, "ms", "order=runtime");
  if (hooks)
    print_metric_of("time_ms", 1e3 * summarise(took[1], reps).median, "ms", "order=program");
  passed();
  return 0;
}
