// SPDX-License-Identifier: Apache-2.0
// The trees of the Unbalanced Tree Search benchmark: a node's hash alone determines the number of
// its children.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sha1.h"

struct node {
  uint32_t state[5];
  int height;
};

enum tree_kind { kBinomial, kGeometric, kHybrid };
enum tree_shape { kLinear, kExpDec, kCyclic, kFixed };

struct tree {
  const char* name;
  enum tree_kind kind;
  enum tree_shape shape;
  int depth_limit;
  double root_branching;
  uint32_t seed;
  double q;
  int m;
  // The counts of a correct search.
  long nodes;
  int depth;
  long leaves;
};

static const struct tree kTrees[] = {
    {"T1", kGeometric, kFixed, 10, 4, 19, 0, 0, 4130071, 10, 3305118},
    {"T2", kGeometric, kCyclic, 16, 6, 502, 0, 0, 4117769, 81, 2342762},
    {"T3", kBinomial, kLinear, 0, 2000, 42, 0.124875, 8, 4112897, 1572, 3599034},
    {"T4", kHybrid, kLinear, 16, 6, 1, 0.234375, 4, 4132453, 134, 3108986},
    {"T5", kGeometric, kLinear, 20, 4, 34, 0, 0, 4147582, 20, 2181318},
    {"T1L", kGeometric, kFixed, 13, 4, 29, 0, 0, 102181082, 13, 81746377},
    // Small trees for tests, which are not part of the benchmark. The serial search counted them.
    {"S1", kGeometric, kFixed, 7, 4, 19, 0, 0, 63914, 7, 51124},
    {"S3", kBinomial, kLinear, 0, 200, 42, 0.124, 8, 193585, 333, 169411},
    {"T3L", kBinomial, kLinear, 0, 2000, 7, 0.200014, 5, 111345631, 17844, 89076904},
};

static inline const struct tree* find_tree(const char* name) {
  for (size_t i = 0; i < sizeof kTrees / sizeof kTrees[0]; i++)
    if (strcmp(kTrees[i].name, name) == 0) return &kTrees[i];
  return NULL;
}

static inline struct node root_of(const struct tree* tree) {
  const uint32_t seed[5] = {0, 0, 0, 0, tree->seed};
  struct node root;
  root.height = 0;
  sha1_of_words(root.state, seed, 5);
  return root;
}

// The grain: how many times the hash of a node is computed.
static int hashes_per_node = 1;

static inline struct node child_of(const struct node* parent, int i) {
  uint32_t message[6];
  for (int k = 0; k < 5; k++) message[k] = parent->state[k];
  message[5] = (uint32_t)i;
  struct node child;
  child.height = parent->height + 1;
  int hashes = 0;
  do {
    sha1_of_words(child.state, message, 6);
    __asm__ volatile("" ::: "memory");  // forces every repetition
  } while (++hashes < hashes_per_node);
  return child;
}

static inline double geometric_target(const struct tree* tree, int height) {
  const double b = tree->root_branching;
  const double d = tree->depth_limit;
  const double h = height;
  if (height == 0) return b;
  switch (tree->shape) {
    case kLinear:
      return b * (1 - h / d);
    case kExpDec:
      return b * pow(h, -log(b) / log(d));
    case kCyclic:
      return h > 5 * d ? 0 : pow(b, sin(2 * 3.141592653589793 * h / d));
    case kFixed:
      return h < d ? b : 0;
  }
  return 0;
}

static inline int child_count(const struct tree* tree, const struct node* node) {
  const double u = (double)(node->state[4] & 0x7fffffff) / 2147483648.0;
  const int upper_half = node->height < 0.5 * tree->depth_limit;
  if (tree->kind == kGeometric || (tree->kind == kHybrid && upper_half)) {
    const double target = geometric_target(tree, node->height);
    if (target <= 0) return 0;
    const double p = 1 / (1 + target);
    const int count = (int)floor(log(1 - u) / log(1 - p));
    return count > 100 ? 100 : count;
  }
  if (node->height == 0 && tree->kind == kBinomial) return (int)tree->root_branching;
  return u < tree->q ? tree->m : 0;
}
