// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by spawn and sync of bobbin.h: one spawn per child; each call returns its
// children's counts.
#include <bobbin/spawn.h>

#define LIBRARY "Bobbin"
#define TOOLCHAIN_FOUND
#include "by_library.h"

struct visit {
  struct node node;
  struct tally sum;
};

static void search(void* argument) {
  struct visit* visit = (struct visit*)argument;
  int children = child_count(searched, &visit->node);
  struct tally sum = {1, children == 0, visit->node.height};
  if (children > 0) {
    struct visit below[children];
    bobbin_scope scope = BOBBIN_SCOPE;
    for (int i = 0; i < children; i++) {
      below[i].node = child_of(&visit->node, i);
      bobbin_spawn(&scope, search, &below[i]);
    }
    bobbin_sync(&scope);
    for (int i = 0; i < children; i++) sum = together(sum, below[i].sum);
  }
  visit->sum = sum;
}

static struct tally search_tree(const struct node* root, int threads) {
  struct visit visit = {*root, {0, 0, 0}};
  bobbin_parallel(search, &visit, (unsigned)threads);
  return visit.sum;
}
