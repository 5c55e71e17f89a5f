// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search: a task for every child, or the same search serially, or by hand-written
// work stealing with chunks (what a user would have to write to do without tasks).
#include <omp.h>

#include "common.h"
#include "steal.h"
#include "tree.h"

static const char kUsage[] =
    "uts [tree=T3] [mode=tasks|wait|serial|steal] [chunk=20]\n"
    "`tasks` ends at the region's barrier and counts per thread; `wait` sums what the children\n"
    "return behind a taskwait. Nodes, depth and leaves are checked.\n";

enum { kMostThreads = 1024 };

static const struct tree* tree;
static struct {
  struct tally tally;
  char rest_of_line[128 - sizeof(struct tally)];  // no two threads count in one line
} tallies[kMostThreads];

static struct tally together(struct tally a, struct tally b) {
  a.nodes += b.nodes;
  a.leaves += b.leaves;
  if (b.depth > a.depth) a.depth = b.depth;
  return a;
}

static struct tally serial(const struct node* node) {
  int children = child_count(tree, node);
  struct tally sum = {1, children == 0, node->height};
  for (int i = 0; i < children; i++) {
    struct node child = child_of(node, i);
    sum = together(sum, serial(&child));
  }
  return sum;
}

static void with_tasks(const struct node* node) {
  int children = child_count(tree, node);
  count_node(&tallies[omp_get_thread_num()].tally, node, children);
  for (int i = 0; i < children; i++) {
    struct node child = child_of(node, i);
#pragma omp task firstprivate(child)
    with_tasks(&child);
  }
}

static struct tally with_waits(const struct node* node) {
  int children = child_count(tree, node);
  struct tally sum = {1, children == 0, node->height};
  if (children == 0) return sum;
  struct tally below[children];
  for (int i = 0; i < children; i++) {
    struct node child = child_of(node, i);
#pragma omp task firstprivate(child, i) shared(below)
    below[i] = with_waits(&child);
  }
#pragma omp taskwait
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  tree = find_tree(arg_text(argc, argv, "tree", "T3"));
  const char* mode = arg_text(argc, argv, "mode", "tasks");
  long chunk = (long)arg_number(argc, argv, "chunk", 20);
  require(tree != NULL, "tree is one of T1 T2 T3 T4 T5 T1L T3L");
  require(omp_get_max_threads() <= kMostThreads, "at most 1024 threads");

  struct node root = root_of(tree);
  struct tally sum = {0, 0, 0};
  double start = seconds();
  if (strcmp(mode, "serial") == 0) {
    sum = serial(&root);
  } else if (strcmp(mode, "wait") == 0) {
#pragma omp parallel
#pragma omp single
    sum = with_waits(&root);
  } else if (strcmp(mode, "steal") == 0) {
    sum = search_by_stealing(tree, &root, chunk);
  } else {
    require(strcmp(mode, "tasks") == 0, "mode is tasks, wait, serial or steal");
#pragma omp parallel
#pragma omp single
    with_tasks(&root);
    for (int i = 0; i < kMostThreads; i++) sum = together(sum, tallies[i].tally);
  }
  double took = seconds() - start;

  printf("tree=%s nodes=%ld depth=%d leaves=%ld\n", tree->name, sum.nodes, sum.depth, sum.leaves);
  require(sum.nodes == tree->nodes, "the number of nodes");
  require(sum.leaves == tree->leaves, "the number of leaves");
  require(sum.depth == tree->depth, "the depth");
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("node_ns", 1e9 * took / (double)sum.nodes, "ns");
  passed();
  return 0;
}
