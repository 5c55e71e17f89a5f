// SPDX-License-Identifier: Apache-2.0
// The search by hand: each thread goes depth first on a stack of its own and keeps the older part
// of it, in whole chunks, where others may take a chunk under a lock.
#pragma once

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common.h"
#include "tree.h"

struct tally {
  long nodes;
  long leaves;
  int depth;
};

static inline void count_node(struct tally* tally, const struct node* node, int children) {
  tally->nodes++;
  tally->leaves += children == 0;
  if (node->height > tally->depth) tally->depth = node->height;
}

// nodes[first, own) may be taken by anyone under the lock; nodes[own, top) are the owner's alone.
struct stack {
  omp_lock_t lock;
  struct node* nodes;
  long first;
  _Atomic long own;
  long top;
} __attribute__((aligned(128)));

enum { kStackNodes = 1 << 20 };

static inline long steal_chunk(struct stack* from, struct stack* to, long chunk) {
  long taken = 0;
  if (atomic_load_explicit(&from->own, memory_order_relaxed) == 0) return 0;
  omp_set_lock(&from->lock);
  if (from->own - from->first >= chunk) {
    memcpy(to->nodes + to->top, from->nodes + from->first, (size_t)chunk * sizeof(struct node));
    from->first += chunk;
    taken = chunk;
  }
  omp_unset_lock(&from->lock);
  to->top += taken;
  return taken;
}

// The owner's part is empty: takes its own youngest shared chunk back, or starts again at the
// bottom.
static inline void take_back(struct stack* mine, long chunk) {
  omp_set_lock(&mine->lock);
  if (mine->own - mine->first >= chunk)
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

// What a thread counts until nothing is left anywhere. `hungry` counts those who found nothing.
static inline struct tally search_share(const struct tree* tree, struct stack* stacks, int me,
                                        int threads, atomic_int* hungry, long chunk) {
  struct stack* mine = &stacks[me];
  struct tally tally = {0, 0, 0};
  for (;;) {
    while (mine->top > mine->own) {
      struct node node = mine->nodes[--mine->top];
      int children = child_count(tree, &node);
      count_node(&tally, &node, children);
      require(mine->top + children < kStackNodes, "the stack is large enough");
      for (int i = 0; i < children; i++) mine->nodes[mine->top++] = child_of(&node, i);
      while (mine->top - mine->own > 2 * chunk) share_chunk(mine, chunk);
    }
    take_back(mine, chunk);
    if (mine->top > mine->own) continue;
    atomic_fetch_add(hungry, 1);
    long got = 0;
    for (int i = 1; got == 0; i++) {
      if (atomic_load(hungry) == threads) return tally;
      if (i % threads == 0) continue;
      // Not hungry while it holds what it stole, so that nobody ends too early.
      atomic_fetch_sub(hungry, 1);
      got = steal_chunk(&stacks[(me + i) % threads], mine, chunk);
      if (got == 0) atomic_fetch_add(hungry, 1);
    }
  }
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
