// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by oneTBB: one task_group per node; each call returns its children's
// counts.
#if __has_include(<tbb/task_group.h>)
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#define TOOLCHAIN_FOUND
#endif

#define LIBRARY "oneTBB"
#include "by_library.h"

#ifdef TOOLCHAIN_FOUND

static tally search(const node& parent) {
  int children = child_count(searched, &parent);
  tally sum = {1, children == 0, parent.height};
  if (children == 0) return sum;
  tally below[children];
  tbb::task_group group;
  for (int i = 0; i < children; i++) {
    node child = child_of(&parent, i);
    group.run([child, result = &below[i]] { *result = search(child); });
  }
  group.wait();
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

static tally search_tree(const node* root, int threads) {
  tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                           static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  tally sum = {0, 0, 0};
  arena.execute([&] { sum = search(*root); });
  return sum;
}

#endif
