// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by spawns in one scope, with a single sync at the end. Each thread counts
// the nodes that it finds.
#include <bobbin/spawn.h>

#define LIBRARY "Bobbin"
#define TOOLCHAIN_FOUND
#include "by_library.h"

int omp_get_thread_num(void);

enum { kMostThreads = 1024 };
static struct {
  struct tally tally;
  char rest_of_line[128 - sizeof(struct tally)];  // no two threads count in the same cache line
} tallies[kMostThreads];

static bobbin_scope scope = BOBBIN_SCOPE;

static void search(void* argument) {
  const struct node* node = (const struct node*)argument;
  int children = child_count(searched, node);
  count_node(&tallies[omp_get_thread_num()].tally, node, children);
  for (int i = 0; i < children; i++) {
    struct node child = child_of(node, i);
    bobbin_spawn_copy(&scope, search, &child, sizeof child);
  }
}

static void search_all(void* root) {
  search(root);
  bobbin_sync(&scope);
}

static struct tally search_tree(const struct node* root, int threads) {
  require(threads <= kMostThreads, "at most 1024 threads");
  struct node copy = *root;
  bobbin_parallel(search_all, &copy, (unsigned)threads);
  struct tally sum = {0, 0, 0};
  for (int i = 0; i < threads; i++) sum = together(sum, tallies[i].tally);
  return sum;
}
