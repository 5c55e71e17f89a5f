// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by OpenCilk: one spawn per child; each call returns its children's counts.
#define LIBRARY "OpenCilk"
#include "by_library.h"

#ifdef TOOLCHAIN_FOUND

#include <cilk/cilk.h>

// OpenCilk starts its workers before main begins, as many as the environment says at that time.
static void begin_with_workers(int threads) {
  char wanted[16];
  snprintf(wanted, sizeof wanted, "%d", threads);
  const char* given = getenv("CILK_NWORKERS");
  if (given != NULL && strcmp(given, wanted) == 0) return;
  setenv("CILK_NWORKERS", wanted, 1);
  execv("/proc/self/exe", command_line);
  require(0, "CILK_NWORKERS can be set");
}

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
