// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by Taskflow: a subflow a node, the children's counts returned.
#include <omp.h>

#if __has_include(<taskflow/taskflow.hpp>)
#include <taskflow/taskflow.hpp>
#define TOOLCHAIN_FOUND
#endif

#include "tally.h"

static const char kUsage[] =
    "uts_taskflow [tree=T3] [hashes=1] [threads=0]\n"
    "threads  0: as OMP_NUM_THREADS says\n";

#ifdef TOOLCHAIN_FOUND

namespace {

const tree* searched;

tally search(const node& parent, tf::Subflow& subflow) {
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

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  searched = tree_argument(argc, argv);
  int threads = static_cast<int>(arg_number(argc, argv, "threads", 0));
  if (threads == 0) threads = omp_get_max_threads();
  tf::Executor executor(static_cast<std::size_t>(threads));
  tf::Taskflow flow;
  node root = root_of(searched);
  tally sum = {0, 0, 0};
  flow.emplace([&](tf::Subflow& subflow) { sum = search(root, subflow); });
  double start = seconds();
  executor.run(flow).wait();
  double took = seconds() - start;
  report_search(searched, sum, took);
  passed();
  return 0;
}

#else

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  printf("check=skipped what=\"Taskflow not found when this was built\"\n");
  return 0;
}

#endif
