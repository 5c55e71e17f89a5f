// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by Taskflow: a subflow a node, the children's counts returned.
#if __has_include(<taskflow/taskflow.hpp>)
#include <taskflow/taskflow.hpp>
#define TOOLCHAIN_FOUND
#endif

#define LIBRARY "Taskflow"
#include "by_library.h"

#ifdef TOOLCHAIN_FOUND

static tally search(const node& parent, tf::Subflow& subflow) {
  int children = child_count(searched, &parent);
  tally sum = {1, children == 0, parent.height};
  if (children == 0) return sum;
  tally below[children];
  for (int i = 0; i < children; i++) {
    node child = child_of(&parent, i);
    subflow.emplace(
        [child, result = &below[i]](tf::Subflow& inner) { *result = search(child, inner); });
  }
  subflow.join();
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

static tally search_tree(const node* root, int threads) {
  tf::Executor executor(static_cast<std::size_t>(threads));
  tf::Taskflow flow;
  tally sum = {0, 0, 0};
  flow.emplace([&](tf::Subflow& subflow) { sum = search(*root, subflow); });
  executor.run(flow).wait();
  return sum;
}

#endif
