// SPDX-License-Identifier: Apache-2.0
// Boehm's garbage collector stops all registered threads by a signal whose handler waits on the
// thread's own stack. It then scans the stacks, and finds what the threads use.
#define GC_THREADS
#include <gc.h>

#include "../common/abuse.h"

enum { kDepth = 8, kNodes = (2 << kDepth) - 1, kRegions = 10, kRounds = 3 };

struct node {
  struct node *left, *right;
};

static struct node* tree(int depth) {
  struct node* made = GC_MALLOC(sizeof *made);
  CHECK(made != NULL);
  if (depth > 0) {
    made->left = tree(depth - 1);
    made->right = tree(depth - 1);
  }
  return made;
}

static int count(const struct node* node) {
  return node != NULL ? 1 + count(node->left) + count(node->right) : 0;
}

// A thread is registered once, with its permanent stack.
static void enter(void) {
  static _Thread_local int registered;
  struct GC_stack_base base;
  if (registered) return;
  registered = 1;
  CHECK(GC_get_stack_base(&base) == GC_SUCCESS);
  const int answer = GC_register_my_thread(&base);
  CHECK(answer == GC_SUCCESS || answer == GC_DUPLICATE);
}

static void region_of(int threads) {
#pragma omp parallel num_threads(threads)
  {
    enter();
    for (int round = 0; round < kRounds; round++) {
      struct node* mine = tree(kDepth);
#pragma omp barrier
#pragma omp single nowait
      GC_gcollect();
      CHECK(count(mine) == kNodes);
    }
  }
}

static void collect_with(int threads) {
  GC_INIT();
  GC_allow_register_threads();
  for (int i = 0; i < kRegions; i++) {
    region_of(threads);
    struct node* mine = tree(kDepth);
    GC_gcollect();  // the other threads have no part in a region
    CHECK(count(mine) == kNodes);
  }
}

static void few(void) { collect_with(2); }
static void some(void) { collect_with(8); }
static void many(void) { collect_with(32); }

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"few", few},
      {"some", some},
      {"many", many},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
