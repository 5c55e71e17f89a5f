// SPDX-License-Identifier: Apache-2.0
// Unbalanced Tree Search: one task per child, with several ways to count. The same search is also
// done serially, or by hand-written work stealing with chunks, which a user would have to write to
// do without tasks.
#include <omp.h>

#include "steal.h"
#include "traced.h"

static const char kUsage[] =
    "uts [tree=T3] [mode=tasks|threadprivate|wait|if|serial|steal] [hashes=1] [chunk=8]\n"
    "    [in_place=50] [trace=no|yes]\n"
    "tree    T1, T2, T3, T4, T5, T1L, T3L, or the small S1, S3; nodes, depth and leaves are "
    "checked\n"
    "mode    tasks          no taskwait; counts in an array, by thread\n"
    "        threadprivate  the same with counters that are threadprivate\n"
    "        wait           sums what the children return, behind a taskwait\n"
    "        if             as wait; `in_place` per cent of the tasks, perhaps a fraction of one, "
    "are\n"
    "                       undeferred by their if clause\n"
    "        steal          threads with stacks of their own, which share and steal `chunk` nodes\n"
    "hashes  computed for a node\n"
    "trace   with mode=tasks or wait: the share of time outside hashing, nodes for each thread,\n"
    "        what imbalance costs, tasks begun by another thread than their maker, and how often\n"
    "        a suspended task went on with another thread\n";

static const struct tree* tree;
static uint64_t deferred_from;  // the first word of a state from which the task is deferred
static struct {
  struct tally tally;
  char rest_of_line[128 - sizeof(struct tally)];  // no two threads count in the same cache line
} tallies[kMostThreads];

static struct tally mine;
#pragma omp threadprivate(mine)

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
#pragma omp task TIEDNESS firstprivate(child)
    with_tasks(&child);
  }
}

static void with_threadprivate(const struct node* node) {
  int children = child_count(tree, node);
  count_node(&mine, node, children);
  for (int i = 0; i < children; i++) {
    struct node child = child_of(node, i);
#pragma omp task TIEDNESS firstprivate(child)
    with_threadprivate(&child);
  }
}

static struct tally with_waits(const struct node* node) {
  int children = child_count(tree, node);
  struct tally sum = {1, children == 0, node->height};
  if (children == 0) return sum;
  struct tally below[children];
  for (int i = 0; i < children; i++) {
    struct node child = child_of(node, i);
#pragma omp task TIEDNESS firstprivate(child, i) shared(below)
    below[i] = with_waits(&child);
  }
#pragma omp taskwait
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

// Each node's hash decides which tasks are undeferred, so the choice is the same in every run.
static struct tally with_if(const struct node* node) {
  int children = child_count(tree, node);
  struct tally sum = {1, children == 0, node->height};
  if (children == 0) return sum;
  struct tally below[children];
  for (int i = 0; i < children; i++) {
    struct node child = child_of(node, i);
#pragma omp task TIEDNESS firstprivate(child, i) shared(below) if (child.state[0] >= deferred_from)
    below[i] = with_if(&child);
  }
#pragma omp taskwait
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

static struct tally search_by_tasks(const struct node* root) {
  struct tally sum = {0, 0, 0};
#pragma omp parallel
#pragma omp single
  with_tasks(root);
  for (int i = 0; i < kMostThreads; i++) sum = together(sum, tallies[i].tally);
  return sum;
}

static struct tally search_by_threadprivate(const struct node* root) {
  struct tally sum = {0, 0, 0};
#pragma omp parallel
  {
#pragma omp single
    with_threadprivate(root);
#pragma omp critical
    sum = together(sum, mine);
  }
  return sum;
}

static struct tally search_by_waits(const struct node* root,
                                    struct tally (*search)(const struct node*)) {
  struct tally sum = {0, 0, 0};
#pragma omp parallel
#pragma omp single
  sum = search(root);
  return sum;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  tree = tree_argument(argc, argv);
  const char* mode = arg_text(argc, argv, "mode", "tasks");
  long chunk = (long)arg_number(argc, argv, "chunk", 8);
  int trace = strcmp(arg_text(argc, argv, "trace", "no"), "yes") == 0;
  const double in_place = arg_number(argc, argv, "in_place", 50);
  require(in_place >= 0 && in_place <= 100, "in_place is a per cent");
  deferred_from = (uint64_t)(in_place / 100 * 4294967296.0);
  require(omp_get_max_threads() <= kMostThreads, "at most 1024 threads");
  require(!trace || strcmp(mode, "tasks") == 0 || strcmp(mode, "wait") == 0,
          "trace goes with mode=tasks or mode=wait");
  if (trace) begin_trace(tree);

  struct node root = root_of(tree);
  struct tally sum = {0, 0, 0};
  double start = seconds();
  if (strcmp(mode, "tasks") == 0)
    sum = trace ? traced_search_by_tasks(&root) : search_by_tasks(&root);
  else if (strcmp(mode, "threadprivate") == 0)
    sum = search_by_threadprivate(&root);
  else if (strcmp(mode, "wait") == 0)
    sum = trace ? traced_search_by_waits(&root) : search_by_waits(&root, with_waits);
  else if (strcmp(mode, "if") == 0)
    sum = search_by_waits(&root, with_if);
  else if (strcmp(mode, "steal") == 0)
    sum = search_by_stealing(tree, &root, chunk);
  else if (strcmp(mode, "serial") == 0)
    sum = serial(&root);
  else
    require(0, "mode is tasks, threadprivate, wait, if, serial or steal");
  double took = seconds() - start;
  report_search(tree, sum, took);
  if (trace) report_trace(sum, took);
  passed();
  return 0;
}
