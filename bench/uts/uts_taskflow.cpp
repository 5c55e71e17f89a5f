// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by Taskflow: one subflow per node; each call returns its children's
// counts.
#if __has_include(<taskflow/taskflow.hpp>)
#include <taskflow/taskflow.hpp>
#define TOOLCHAIN_FOUND
#endif

#define LIBRARY "Taskflow"
#include "by_library.h"

#ifdef TOOLCHAIN_FOUND

#include <pthread.h>

// A worker that joins a subflow meanwhile runs other nodes, each on top of the one before. So its
// stack grows as deep as a tree of 1,572 levels, and deeper. Address space costs nothing.
static void make_room_for_nested_joins() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{4} << 30);
  require(pthread_setattr_default_np(&attributes) == 0, "stacks for the workers");
  pthread_attr_destroy(&attributes);
}

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
  make_room_for_nested_joins();
  tf::Executor executor(static_cast<std::size_t>(threads));
  tf::Taskflow flow;
  tally sum = {0, 0, 0};
  flow.emplace([&](tf::Subflow& subflow) { sum = search(*root, subflow); });
  executor.run(flow).wait();
  return sum;
}

#endif
