// SPDX-License-Identifier: Apache-2.0
// The hand-written search: each thread searches depth first on its own stack. It keeps the older
// part of the stack, in whole chunks, where others may take a chunk under a lock.
#pragma once

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common.h"
#include "tally.h"

// Any thread may take nodes[first, own) under the lock; nodes[own, top) belong to the owner alone.
// `first` and `own` change under the lock and are read without it.
struct stack {
  _Atomic long first;
  _Atomic long own;
  omp_lock_t lock;
  struct node* nodes;
  long top __attribute__((aligned(128)));
} __attribute__((aligned(128)));

enum { kStackNodes = 1 << 20 };

static inline long shared_nodes(const struct stack* stack) {
  return atomic_load_explicit(&stack->own, memory_order_relaxed) -
         atomic_load_explicit(&stack->first, memory_order_relaxed);
}

static inline long steal_chunk(struct stack* from, struct stack* to, long chunk) {
  long taken = 0;
  omp_set_lock(&from->lock);
  if (shared_nodes(from) >= chunk) {
    memcpy(to->nodes + to->top, from->nodes + from->first, (size_t)chunk * sizeof(struct node));
    from->first += chunk;
    taken = chunk;
  }
  omp_unset_lock(&from->lock);
  to->top += taken;
  return taken;
}

// Called when the owner's part is empty: takes back its own youngest shared chunk, or starts again
// at the bottom.
static inline void take_back(struct stack* mine, long chunk) {
  omp_set_lock(&mine->lock);
  if (shared_nodes(mine) >= chunk)
    mine->own -= chunk;
  else
    mine->first = mine->own = mine->top = 0;
  omp_unset_lock(&mine->lock);
}

static inline void share_chunk(struct stack* mine, long chunk) {
  omp_set_lock(&mine->lock);
  mine->own += chunk;
  omp_unset_lock(&mine->lock);
}

// Takes a chunk from a thread that shares one. Returns 0 when no thread has work left. `hungry`
// counts the threads without work. When it has reached the number of threads, no stack holds a
// node, because a thread that tries to steal is not counted as hungry until the attempt has failed.
static inline long find_work(struct stack* stacks, int me, int threads, atomic_int* hungry,
                             long chunk) {
  atomic_fetch_add(hungry, 1);
  for (;;) {
    for (int i = 1; i < threads; i++) {
      struct stack* other = &stacks[(me + i) % threads];
      if (shared_nodes(other) < chunk) continue;
      atomic_fetch_sub(hungry, 1);
      long got = steal_chunk(other, &stacks[me], chunk);
      if (got > 0) return got;
      atomic_fetch_add(hungry, 1);
    }
    if (atomic_load(hungry) == threads) return 0;
    if (threads > omp_get_num_procs()) sched_yield();
  }
}

// The count of one thread until no work is left anywhere.
static inline struct tally search_share(const struct tree* tree, struct stack* stacks, int me,
                                        int threads, atomic_int* hungry, long chunk) {
  struct stack* mine = &stacks[me];
  struct tally tally = {0, 0, 0};
  do {
    while (mine->top > mine->own) {
      struct node node = mine->nodes[--mine->top];
      int children = child_count(tree, &node);
      count_node(&tally, &node, children);
      require(mine->top + children < kStackNodes, "the stack is large enough");
      for (int i = 0; i < children; i++) mine->nodes[mine->top++] = child_of(&node, i);
      while (mine->top - mine->own > 2 * chunk) share_chunk(mine, chunk);
      if (mine->top == mine->own) take_back(mine, chunk);
    }
  } while (find_work(stacks, me, threads, hungry, chunk) > 0);
  return tally;
}

static inline struct tally search_by_stealing(const struct tree* tree, const struct node* root,
                                              long chunk) {
  int threads = omp_get_max_threads();
  struct stack* stacks = aligned_alloc(128, (size_t)threads * sizeof(struct stack));
  for (int i = 0; i < threads; i++) {
    omp_init_lock(&stacks[i].lock);
    stacks[i].nodes = malloc(kStackNodes * sizeof(struct node));
    stacks[i].first = stacks[i].own = stacks[i].top = 0;
    require(stacks[i].nodes != NULL, "memory for the stacks");
  }
  stacks[0].nodes[stacks[0].top++] = *root;
  atomic_int hungry = 0;
  long nodes = 0, leaves = 0;
  int depth = 0;
#pragma omp parallel num_threads(threads) reduction(+ : nodes, leaves) reduction(max : depth)
  {
    require(omp_get_num_threads() == threads, "every thread came");
    struct tally tally = search_share(tree, stacks, omp_get_thread_num(), threads, &hungry, chunk);
    nodes += tally.nodes;
    leaves += tally.leaves;
    if (tally.depth > depth) depth = tally.depth;
  }
  for (int i = 0; i < threads; i++) {
    omp_destroy_lock(&stacks[i].lock);
    free(stacks[i].nodes);
  }
  free(stacks);
  struct tally sum = {nodes, leaves, depth};
  return sum;
}
