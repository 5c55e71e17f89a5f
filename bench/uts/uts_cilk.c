// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by OpenCilk: one spawn per child; each call returns its children's counts.
#define LIBRARY "OpenCilk"
#include "by_library.h"

#ifdef TOOLCHAIN_FOUND

#include <cilk/cilk.h>

#include "cilk_workers.h"

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
  begin_with_workers(threads);
  return search(*root);
}

#endif
