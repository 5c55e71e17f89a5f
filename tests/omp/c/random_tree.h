/* SPDX-License-Identifier: Apache-2.0
 * A random tree of tasks drawn from a seed, and the conditions that hold in any execution of it:
 * the sequential half of task_random.c. */
#pragma once

#include <omp.h>
#include <stdint.h>

#include "check.h"

#if defined(__clang__) || __GNUC__ > 12
#define NEWER_KINDS 1
#endif

enum { kNodes = 500, kCells = 5, kKinds = 4, kDepsOfAKind = 2, kBig = 40 };

/* The construct that makes a task. */
typedef enum {
  kPlain,
  kUntied,
  kMergeable,
  kIf,
  kFinal,
  kPriority,
  kBigData,
  kAffinity,
  kDepend,
  kDependUntied,
  kDependPriority,
  kDependIf,
  kDepobj,
  kAllMemory,
  kDetach,
  kDetachDepend,
  kInReduction,
  kInReductionDepend,
  kShapes
} Shape;

/* The construct around a task's children. */
typedef enum {
  kNothing,
  kWait,
  kGroup,
  kGroupReduction,
  kLoop,
  kLoopNogroup,
  kInner,
  kBodies
} Body;

/* The construct between two children. */
typedef enum { kGoOn, kTaskwait, kTaskwaitDepend, kTaskyield } Between;

typedef enum { kBySelf, kByParent, kAfterNext, kByPthread } Fulfils;

enum { kIn, kOut, kMutex, kInoutset };

typedef struct Node Node;
struct Node {
  Node *parent, *children, *reduction; /* reduction: the innermost group that reduces */
  int count, depth, tag;
  Shape shape;
  Body body;
  Between after; /* after the creation of the task */
  Fulfils fulfils;
  int condition, priority, work, wait_cell;
  int final; /* it and its descendants are final */
  int cancels, may_be_cancelled, steered;
  int dep_count[kKinds];
  unsigned char dep[kKinds][kDepsOfAKind];
  char cells[kCells];
  /* Used while it runs. */
  int runs, begin, end, fulfilled, created;
  long sum;
  omp_event_handle_t event;
  Node* below; /* on the stack of this thread's tied tasks */
};

static Node nodes[kNodes];
static int node_count, now;
static uint64_t random_state;

static int stamp(void) { return add_one(&now); }

static int below(int n) {
  random_state += 0x9e3779b97f4a7c15u;
  uint64_t x = random_state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (int)((x ^ (x >> 31)) >> 8 & 0xffffff) % n;
}

static int one_in(int n) { return below(n) == 0; }

/* --- The tree. */

static int depends(const Node* n) {
  return n->shape == kDepend || n->shape == kDependUntied || n->shape == kDependPriority ||
         n->shape == kDependIf || n->shape == kDepobj || n->shape == kDetachDepend ||
         n->shape == kInReductionDepend || n->shape == kAllMemory;
}
static int detaches(const Node* n) { return n->shape == kDetach || n->shape == kDetachDepend; }
static int is_tied(const Node* n) { return n->shape != kUntied && n->shape != kDependUntied; }
static int loops(const Node* n) { return n->body == kLoop || n->body == kLoopNogroup; }
static int in_final(const Node* parent) { return parent->final && parent->body != kInner; }
static int undeferred(const Node* n) {
  return in_final(n->parent) || ((n->shape == kIf || n->shape == kDependIf) && !n->condition);
}

static void draw_dependences(Node* n) {
  for (int kind = 0; kind < kKinds; kind++) n->dep_count[kind] = 0;
  if (!depends(n) || n->shape == kAllMemory) return;
  for (int left = 1 + below(3); left > 0; left--) {
    int kind = below(kKinds);
#ifndef NEWER_KINDS
    if (kind == kInoutset) kind = kOut;
#endif
    if (n->shape == kDepobj && kind == kInoutset) kind = kMutex;
    if (n->dep_count[kind] < kDepsOfAKind)
      n->dep[kind][n->dep_count[kind]++] = (unsigned char)below(kCells);
  }
}

static void draw_shape(Node* n) {
  const Node* parent = n->parent;
  n->shape = (Shape)below(kShapes);
#ifdef __clang__
  /* clang assumes that the item's address is null where it is reached through a pointer. */
  n->reduction = NULL;
#endif
  if (n->reduction == NULL && (n->shape == kInReduction || n->shape == kInReductionDepend))
    n->shape = kDepend;
  if (loops(parent)) n->shape = kPlain; /* a loop's children are its iterations */
#ifndef NEWER_KINDS
  if (n->shape == kAllMemory) n->shape = kDepobj;
#endif
  /* A discarded task has no event on which a program could rely. */
  if (detaches(n) && n->may_be_cancelled) n->shape = kDepend;
  n->condition = below(2);
  n->priority = below(6);
  n->final = in_final(parent) || (n->shape == kFinal && one_in(3));
  n->fulfils = in_final(parent) ? kBySelf : (Fulfils)below(4);
  n->after = one_in(3) ? (Between)below(4) : kGoOn;
  n->wait_cell = below(kCells);
  n->work = one_in(40) ? 20000 : one_in(4) ? 500 : 0;
  draw_dependences(n);
}

static void draw_body(Node* n) {
  n->body = one_in(3) ? kNothing : (Body)below(kBodies);
  if (n->body == kInner && (n->depth > 2 || one_in(2))) n->body = kWait;
  n->steered = 0;
  if (n->body == kGroup && one_in(4)) n->steered = 1 + below(2);
}

static Node* new_node(Node* parent) {
  Node* n = &nodes[node_count];
  memset(n, 0, sizeof *n);
  n->tag = 1 + node_count * 7;
  n->parent = parent;
  node_count++;
  return n;
}

/* Nothing may wait for an event before it is fulfilled. */
static void settle_events(Node* n) {
  for (int i = 0; i < n->count; i++) {
    Node *child = &n->children[i], *next = i + 1 < n->count ? child + 1 : NULL;
    if (child->fulfils == kAfterNext && (next == NULL || undeferred(next) || child->after != kGoOn))
      child->fulfils = kByParent;
  }
}

/* Breadth first, so children are neighbours. */
static void draw_tree(int seed) {
  random_state = (uint64_t)seed * 0x9e3779b97f4a7c15u;
  node_count = 0;
  now = 0;
  int most = 20 + below(kNodes - 20), bushy = 1 + below(12);
  draw_body(new_node(NULL));
  for (int at = 0; at < node_count; at++) {
    Node* n = &nodes[at];
    n->count = at == 0 ? 2 + below(20) : below(one_in(10) ? 30 : bushy + 1);
    if (n->count > most - node_count) n->count = most - node_count;
    n->children = &nodes[node_count];
    int cancelled = n->body == kGroup && n->steered != 2 && one_in(5) ? below(n->count + 1) : -1;
    for (int i = 0; i < n->count; i++) {
      Node* child = new_node(n);
      child->depth = n->depth + 1;
      child->reduction = n->body == kInner ? NULL : n->reduction;
      if (n->body == kGroupReduction) child->reduction = n;
      child->may_be_cancelled = n->may_be_cancelled || cancelled >= 0;
      child->cancels = i == cancelled;
      draw_shape(child);
      draw_body(child);
    }
    settle_events(n);
  }
}

/* --- The conditions that must hold. */

static int all_memory(const Node* n) { return n->shape == kAllMemory; }

static int names(const Node* n, int kind, int cell) {
  for (int i = 0; i < n->dep_count[kind]; i++)
    if (n->dep[kind][i] == cell) return 1;
  return 0;
}

/* Of two siblings: must the second one wait for the first? */
static int ordered(const Node* a, const Node* b) {
  if (!depends(a) || !depends(b)) return 0;
  if (all_memory(a) || all_memory(b)) return 1;
  for (int cell = 0; cell < kCells; cell++)
    for (int x = 0; x < kKinds; x++)
      for (int y = 0; y < kKinds; y++)
        if ((x != y || x == kOut) && names(a, x, cell) && names(b, y, cell)) return 1;
  return 0;
}

static int exclusive(const Node* a, const Node* b) {
  for (int cell = 0; cell < kCells; cell++)
    if (names(a, kMutex, cell) && names(b, kMutex, cell)) return 1;
  return 0;
}

static int completion(const Node* n) {
  int end = load(&n->end);
  if (!detaches(n)) return end;
  int fulfilled = load(&n->fulfilled);
  if (end == 0 || fulfilled == 0) return 0;
  return max_int(end, fulfilled);
}

/* A task that was not discarded. */
static int begun(const Node* n) {
  return load(&n->begin) != 0 || !n->may_be_cancelled || !omp_get_cancellation();
}

static void expect_completed(const Node* n, int line) {
  if (!begun(n) || completion(n) != 0) return;
  char text[200];
  snprintf(text, sizeof text, "task %d (shape %d, body %d) has not completed", n->tag, n->shape,
           n->body);
  check_report(__FILE__, line, text);
}
#define EXPECT_COMPLETED(n) expect_completed(n, __LINE__)

static void expect_completed_tree(const Node* n) {
  if (!begun(n)) return;
  CHECK(completion(n) != 0);
  if (n->body == kInner || load(&n->begin) == 0) return;
  for (int i = 0; i < n->count; i++)
    if (load(&n->children[i].created)) expect_completed_tree(&n->children[i]);
}

/* The first `made` children have been created. */
static void expect_children(const Node* n, int made) {
  for (int i = 0; i < made; i++) EXPECT_COMPLETED(&n->children[i]);
}

static void expect_predecessors(const Node* n, int made, int cell) {
  for (int i = 0; i < made; i++) {
    const Node* child = &n->children[i];
    if (!depends(child)) continue;
    if (all_memory(child) || names(child, kIn, cell) || names(child, kOut, cell) ||
        names(child, kMutex, cell) || names(child, kInoutset, cell))
      EXPECT_COMPLETED(child);
  }
}

static void check_tree(void) {
  for (int i = 1; i < node_count; i++) {
    const Node* n = &nodes[i];
    if (begun(n)) {
      CHECK_EQ(n->runs, 1);
      CHECK(completion(n) != 0);
    } else {
      CHECK_EQ(n->runs, 0);
    }
  }
  for (int at = 0; at < node_count; at++)
    for (int j = 1; j < nodes[at].count; j++)
      for (int i = 0; i < j && !loops(&nodes[at]); i++) {
        const Node *a = &nodes[at].children[i], *b = &nodes[at].children[j];
        if (a->begin == 0 || b->begin == 0) continue;
        if (ordered(a, b)) {
          CHECK(completion(a) < b->begin);
        } else if (exclusive(a, b)) {
          CHECK(completion(a) < b->begin || completion(b) < a->begin);
        }
      }
}
