// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by OpenCilk: a spawn a child, the children's counts returned. The number
// of threads is CILK_NWORKERS.
#ifdef TOOLCHAIN_FOUND
#include <cilk/cilk.h>
#endif

#include "tally.h"

static const char kUsage[] = "uts_cilk [tree=T3] [hashes=1]\n";

#ifdef TOOLCHAIN_FOUND

static const struct tree* tree;

static struct tally search(struct node node) {
  int children = child_count(tree, &node);
  struct tally sum = {1, children == 0, node.height};
  if (children == 0) return sum;
  struct tally below[children];
  for (int i = 0; i < children; i++) below[i] = cilk_spawn search(child_of(&node, i));
  cilk_sync;
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  tree = tree_argument(argc, argv);
  double start = seconds();
  struct tally sum = search(root_of(tree));
  double took = seconds() - start;
  report_search(tree, sum, took);
  passed();
  return 0;
}

#else

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  printf("check=skipped what=\"OpenCilk not found when this was built\"\n");
  return 0;
}

#endif
