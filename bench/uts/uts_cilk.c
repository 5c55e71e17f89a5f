// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by OpenCilk: a spawn a child, the children's counts returned. The number
// of threads is CILK_NWORKERS.
#define LIBRARY "OpenCilk"
#include "by_library.h"

#ifdef TOOLCHAIN_FOUND

#include <cilk/cilk.h>

static struct tally search(struct node node) {
  int children = child_count(searched, &node);
  struct tally sum = {1, children == 0, node.height};
  if (children == 0) return sum;
  struct tally below[children];
  for (int i = 0; i < children; i++) below[i] = cilk_spawn search(child_of(&node, i));
  cilk_sync;
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

static struct tally search_tree(const struct node* root, int threads) {
  (void)threads;
  return search(*root);
}

#endif
