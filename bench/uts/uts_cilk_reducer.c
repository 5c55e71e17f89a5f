// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by OpenCilk with a reducer: no call returns a count, and none waits for
// its children's. The reducer gives each worker a view of the tally, and adds the views.
#define LIBRARY "OpenCilk"
#include "by_library.h"

#ifdef TOOLCHAIN_FOUND

#include <cilk/cilk.h>

#include "cilk_workers.h"

static void clear_tally(void* view) { *(struct tally*)view = (struct tally){0, 0, 0}; }

static void add_tally(void* left, void* right) {
  *(struct tally*)left = together(*(struct tally*)left, *(struct tally*)right);
}

static struct tally cilk_reducer(clear_tally, add_tally) counted;

static void search(struct node node) {
  int children = child_count(searched, &node);
  count_node(&counted, &node, children);
  for (int i = 0; i < children; i++) cilk_spawn search(child_of(&node, i));
  // At its end a function waits for what it has spawned.
}

static struct tally search_tree(const struct node* root, int threads) {
  begin_with_workers(threads);
  search(*root);
  return counted;
}

#endif
