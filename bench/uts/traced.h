// SPDX-License-Identifier: Apache-2.0
// The searches by tasks again, with stamps around every hash and the number of the thread that made
// it in every task. They show where the time goes, and how the scheduler treats the tasks. An
// untied task may be another thread's after each task construct and each taskwait, so its thread is
// asked for anew there.
#pragma once

#include <omp.h>

#include "clock.h"
#include "tally.h"

enum { kMostThreads = 1024 };

static struct {
  struct tally tally;
  long hash_ticks;
  long tasks;
  long tasks_of_others;
  long moves_at_task;
  long moves_at_wait;
  char rest_of_line[128 - sizeof(struct tally) - 5 * sizeof(long)];
} traces[kMostThreads];

static const struct tree* traced_tree;
static long stamp_ticks;  // time that a stamp adds between two stamps

static inline void begin_trace(const struct tree* tree) {
  traced_tree = tree;
  choose_clock();
  stamp_ticks = 1 << 30;
  for (int i = 0; i < 1000; i++) {
    long between = (long)-stamp();
    between += (long)stamp();
    if (between < stamp_ticks) stamp_ticks = between;
  }
}

static inline struct node traced_child(const struct node* parent, int i) {
  long start = (long)stamp();
  struct node child = child_of(parent, i);
  traces[omp_get_thread_num()].hash_ticks += (long)stamp() - start - stamp_ticks;
  return child;
}

static inline int traced_begin(const struct node* node, int maker) {
  int me = omp_get_thread_num();
  int children = child_count(traced_tree, node);
  traces[me].tasks++;
  traces[me].tasks_of_others += maker != me;
  count_node(&traces[me].tally, node, children);
  return children;
}

// Called behind a point at which thread `before` may have left the task.
static inline int moved_from(int before) { return omp_get_thread_num() != before; }

static void traced_with_tasks(const struct node* node, int maker) {
  int children = traced_begin(node, maker);
  for (int i = 0; i < children; i++) {
    struct node child = traced_child(node, i);
    int me = omp_get_thread_num();
#pragma omp task TIEDNESS firstprivate(child, me)
    traced_with_tasks(&child, me);
    if (moved_from(me)) traces[omp_get_thread_num()].moves_at_task++;
  }
}

static struct tally traced_with_waits(const struct node* node, int maker) {
  int children = traced_begin(node, maker);
  struct tally sum = {1, children == 0, node->height};
  if (children == 0) return sum;
  struct tally below[children];
  for (int i = 0; i < children; i++) {
    struct node child = traced_child(node, i);
    int me = omp_get_thread_num();
#pragma omp task TIEDNESS firstprivate(child, i, me) shared(below)
    below[i] = traced_with_waits(&child, me);
    if (moved_from(me)) traces[omp_get_thread_num()].moves_at_task++;
  }
  int waiter = omp_get_thread_num();
#pragma omp taskwait
  if (moved_from(waiter)) traces[omp_get_thread_num()].moves_at_wait++;
  for (int i = 0; i < children; i++) sum = together(sum, below[i]);
  return sum;
}

static inline struct tally traced_search_by_tasks(const struct node* root) {
  struct tally sum = {0, 0, 0};
#pragma omp parallel
#pragma omp single
  traced_with_tasks(root, omp_get_thread_num());
  for (int i = 0; i < kMostThreads; i++) sum = together(sum, traces[i].tally);
  return sum;
}

static inline struct tally traced_search_by_waits(const struct node* root) {
  struct tally sum = {0, 0, 0};
#pragma omp parallel
#pragma omp single
  sum = traced_with_waits(root, omp_get_thread_num());
  return sum;
}

static inline void report_trace(struct tally sum, double took) {
  int threads = omp_get_max_threads();
  long most_nodes = 0, nodes = 0, tasks = 0, tasks_of_others = 0;
  long moves_at_task = 0, moves_at_wait = 0;
  double hashing = 0;
  for (int i = 0; i < threads; i++) {
    nodes += traces[i].tally.nodes;
    tasks += traces[i].tasks;
    tasks_of_others += traces[i].tasks_of_others;
    moves_at_task += traces[i].moves_at_task;
    moves_at_wait += traces[i].moves_at_wait;
    hashing += (double)traces[i].hash_ticks / (1e9 * ticks_per_ns);
    if (traces[i].tally.nodes > most_nodes) most_nodes = traces[i].tally.nodes;
    print_metric_of("nodes", (double)traces[i].tally.nodes, "nodes", "thread=%d", i);
  }
  require(nodes == sum.nodes && tasks == sum.nodes, "every node was some thread's");
  // Shares of the processors' time, minus the time of the stamps themselves.
  int processors = threads < omp_get_num_procs() ? threads : omp_get_num_procs();
  double time = took * processors - 2 * (double)stamp_ticks * (double)nodes / (1e9 * ticks_per_ns);
  print_metric("outside_hashing", 100 * (1 - hashing / time), "%");
  print_metric("imbalance_loss", 100 * (1 - (double)nodes / threads / (double)most_nodes), "%");
  print_metric("tasks_of_others", (double)tasks_of_others, "tasks");
  print_metric("tasks_of_others_share", 100 * (double)tasks_of_others / (double)tasks, "%");
#ifndef UNTIED
  require(moves_at_task + moves_at_wait == 0, "a tied task stays with its thread");
#endif
  print_metric("moves_at_task", (double)moves_at_task, "moves");
  print_metric("moves_at_wait", (double)moves_at_wait, "moves");
}
