// SPDX-License-Identifier: Apache-2.0
// Tasks that race with each other or with the task that made them, and the same tasks with the
// order that was missing. Each case is called by its name. With a capital letter in front of it, as
// in "Siblings", the order is there. On stderr the name of each case stands before its reports.
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 64 };

// Each case has its own, because LLVM's ThreadSanitizer reports one race only of an address.
static struct {
  int x, y, items[kMost];
} variables[32];
static int number;  // of the case
#define x variables[number].x
#define y variables[number].y
#define items variables[number].items

static int of_thread[kMost];
static int own;
#pragma omp threadprivate(own)

// The compiler cannot see into these.
__attribute__((noinline)) static void add(int* to) { (*to)++; }
__attribute__((noinline)) static void fill(int* to, int count) {
  for (int i = 0; i < count; i++) to[i] = i;
}

static void siblings(int right) {
#pragma omp task
  add(&x);
  if (right) {
#pragma omp taskwait
  }
#pragma omp task
  add(&x);
}

static void parent_and_child(int right) {
#pragma omp task
  {
#pragma omp task
    add(&x);
    if (right) {
#pragma omp taskwait
    }
    add(&x);
  }
}

static void grandchild(int right) {
#pragma omp taskgroup
  {
#pragma omp task
    {
#pragma omp task
      add(&x);
    }
    if (!right) {
#pragma omp taskwait
      add(&x);
    }
  }
  if (right) add(&x);
}

static void taskloops(int right) {
#pragma omp taskloop num_tasks(4) nogroup
  for (int i = 0; i < kMost; i++) add(&items[i]);
  if (right) {
#pragma omp taskwait
  }
#pragma omp taskloop num_tasks(3) nogroup
  for (int i = 0; i < kMost; i++) add(&items[i]);
}

static void chunks(int right) {
#pragma omp taskloop num_tasks(8)
  for (int i = 0; i < kMost; i++) add(&items[right ? i : i / 16]);
}

static void dependence(int right) {
#pragma omp task depend(out : x)
  add(&x);
  if (right) {
#pragma omp task depend(inout : x)
    add(&x);
  } else {
#pragma omp task depend(inout : y)
    add(&x);
  }
}

// Both read x, says the program, and one writes it.
static void kind_of_dependence(int right) {
#pragma omp task depend(out : x)
  x = 1;
  if (right) {
#pragma omp task depend(inout : x)
    add(&x);
  } else {
#pragma omp task depend(in : x)
    add(&x);
  }
#pragma omp task depend(in : x)
  y = x;
#pragma omp task depend(out : x)
  x = 2;
}

// The creator may know that the first task has completed, but does not follow it.
static void creator_after_dependence(int right) {
#pragma omp task depend(out : x)
  add(&x);
#pragma omp task depend(in : x) depend(out : y)
  y = x;
  if (right) {
#pragma omp taskwait depend(in : x)
  }
  add(&items[0]);
  printf("%d\n", right ? x : x + items[0]);
}

static void waited_for_other(int right) {
#pragma omp task depend(out : x)
  add(&x);
#pragma omp task depend(out : y)
  add(&y);
  if (right) {
#pragma omp taskwait depend(in : x, y)
  } else {
#pragma omp taskwait depend(in : y)
  }
  add(&x);
}

static void not_siblings(int right) {
#pragma omp task depend(out : x)
  {
#pragma omp task depend(out : x)
    add(&x);
    if (right) {
#pragma omp taskwait
    }
  }
#pragma omp task depend(out : x)
  {
#pragma omp task depend(out : x)
    add(&x);
  }
}

static void taskgroup(int right) {
#pragma omp taskgroup
  {
#pragma omp task
    add(&y);
    if (right) {
#pragma omp task
      add(&x);
    }
  }
  if (!right) {
#pragma omp task
    add(&x);
#pragma omp taskgroup
    {
#pragma omp task
      add(&y);
    }
  }
  add(&x);
}

static void exclusion(int right) {
  for (int i = 0; i < 4; i++) {
    if (right) {
#pragma omp task depend(mutexinoutset : x)
      add(&x);
    } else {
#pragma omp task depend(mutexinoutset : items[i])
      add(&x);
    }
  }
}

// Each task has a frame where others had theirs, and uses what belongs to the thread.
static void frames(int right) {
  for (int i = 0; i < 32; i++) {
#pragma omp task
    {
      int big[256];
      fill(big, 256);
      errno = big[7];
      own += big[3];
      if (right) of_thread[omp_get_thread_num()]++;
      int inner = 0;
#pragma omp task shared(inner)
      fill(&inner, 1);
#pragma omp taskwait
      add(&big[inner]);
      if (!right) add(&x);
    }
  }
}

static void event(int right) {
  omp_event_handle_t done = (omp_event_handle_t)0;
#pragma omp task detach(done) depend(out : x)
  add(&x);
#pragma omp task
  {
    if (right) add(&y);
    omp_fulfill_event(done);
    if (!right) add(&y);
  }
#pragma omp task depend(inout : x)
  {
    add(&x);
    add(&y);
  }
}

// The one that fulfils the event does not follow the detached task's block.
static void fulfilled(int right) {
  omp_event_handle_t done = (omp_event_handle_t)0;
#pragma omp task detach(done)
  add(&x);
#pragma omp task
  {
    omp_fulfill_event(done);
    if (!right) add(&x);
  }
#pragma omp taskwait
  add(&x);
}

static void deep(int depth, int right) {
  if (depth == 0) {
    if (!right) add(&x);
    return;
  }
#pragma omp task
  deep(depth - 1, right);
#pragma omp task
  deep(depth - 1, right);
#pragma omp taskwait
}
// More tasks inside of each other than there is room for on one stack.
static void chain(int depth, int right) {
  int room[64];
  fill(room, 64);
  if (depth == 0) {
    if (!right) add(&x);
    return;
  }
#pragma omp task
  chain(depth - 1, right);
#pragma omp taskwait
  add(&room[depth % 64]);
}
static void chains(int right) {
  if (right) {
    chain(20000, right);
  } else {
    deep(1, right);
  }
}

// The table of one task's children is freed by another one that ends later.
static void tables(int right) {
  for (int i = 0; i < 20; i++) {
#pragma omp task
    {
      for (int k = 0; k < 4; k++) {
#pragma omp task depend(inout : items[i])
        add(right ? &items[i] : &x);
      }
    }
  }
}

static void tree(int right) { deep(6, right); }

static void undeferred(int right) {
#pragma omp task if (0)
  add(&x);
#pragma omp task final(1)
  {
#pragma omp task
    add(&y);
    add(&y);
  }
  if (right) {
#pragma omp taskwait
  }
  add(&x);
  add(&y);
}

static void many(int right) {
  for (int i = 0; i < 100; i++) {
#pragma omp task
    if (i == 0 || i == 99) add(right ? &items[i % 2] : &x);
  }
}

static const struct {
  const char* name;
  void (*run)(int right);
} cases[] = {
    {"siblings", siblings},
    {"parent_and_child", parent_and_child},
    {"grandchild", grandchild},
    {"taskloops", taskloops},
    {"chunks", chunks},
    {"dependence", dependence},
    {"kind_of_dependence", kind_of_dependence},
    {"creator_after_dependence", creator_after_dependence},
    {"waited_for_other", waited_for_other},
    {"not_siblings", not_siblings},
    {"taskgroup", taskgroup},
    {"exclusion", exclusion},
    {"frames", frames},
    {"event", event},
    {"fulfilled", fulfilled},
    {"chains", chains},
    {"tables", tables},
    {"tree", tree},
    {"undeferred", undeferred},
    {"many", many},
};

static void run(const char* name) {
  const int right = name[0] < 'a';
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (strcmp(name + 1, cases[i].name + 1) != 0 || (name[0] | 32) != cases[i].name[0]) continue;
    fprintf(stderr, "case %s\n", name);
    number = (int)i;
#pragma omp parallel
    {
      if (omp_get_thread_num() == 0) cases[i].run(right);
    }
    return;
  }
  printf("no case %s\n", name);
  exit(2);
}

int main(int argc, char** argv) {
  for (int word = 1; word < argc; word++) run(argv[word]);
  puts("done");
  return 0;
}
