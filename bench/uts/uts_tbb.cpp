// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search by oneTBB: a task_group a node, the children's counts returned.
#include <omp.h>

#if __has_include(<tbb/task_group.h>)
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#define TOOLCHAIN_FOUND
#endif

#include "tally.h"

static const char kUsage[] =
    "uts_tbb [tree=T3] [hashes=1] [threads=0]\n"
    "threads  0: as OMP_NUM_THREADS says\n";

#ifdef TOOLCHAIN_FOUND

namespace {

const tree* searched;

tally search(const node& parent) {
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

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  searched = tree_argument(argc, argv);
  int threads = static_cast<int>(arg_number(argc, argv, "threads", 0));
  if (threads == 0) threads = omp_get_max_threads();
  tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                           static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  node root = root_of(searched);
  tally sum = {0, 0, 0};
  double start = seconds();
  arena.execute([&] { sum = search(root); });
  double took = seconds() - start;
  report_search(searched, sum, took);
  passed();
  return 0;
}

#else

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  printf("check=skipped what=\"oneTBB not found when this was built\"\n");
  return 0;
}

#endif
