// SPDX-License-Identifier: Apache-2.0
// The counts of a search, and the common end of all versions: a check against the tree's known
// counts.
#pragma once

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

static inline struct tally together(struct tally a, struct tally b) {
  a.nodes += b.nodes;
  a.leaves += b.leaves;
  if (b.depth > a.depth) a.depth = b.depth;
  return a;
}

static inline const struct tree* tree_argument(int argc, char** argv) {
  const struct tree* tree = find_tree(arg_text(argc, argv, "tree", "T3"));
  require(tree != NULL, "tree is one of T1 T2 T3 T4 T5 T1L T3L S1 S3");
  hashes_per_node = (int)arg_number(argc, argv, "hashes", 1);
  require(hashes_per_node >= 1, "hashes is at least 1");
  return tree;
}

static inline void report_search(const struct tree* tree, struct tally sum, double took) {
  printf("tree=%s nodes=%ld depth=%d leaves=%ld\n", tree->name, sum.nodes, sum.depth, sum.leaves);
  require(sum.nodes == tree->nodes, "the number of nodes");
  require(sum.leaves == tree->leaves, "the number of leaves");
  require(sum.depth == tree->depth, "the depth");
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("node_ns", 1e9 * took / (double)sum.nodes, "ns");
  print_metric("rate_mnodes", 1e-6 * (double)sum.nodes / took, "Mnodes/s");
}
