/* SPDX-License-Identifier: Apache-2.0
 * A program whose functions are compiled half by g++, half by clang++. Every case runs with each
 * half as the outer one and each as the inner one: the constructs of one half meet regions, tasks
 * and locks of the other. */
#include <string.h>
#include <sys/wait.h>

#include "check.h"
#include "half.h"
#include "one_pool.h"

namespace {

const Half* outer;
const Half* inner;
int threads;

template <class F>
void call(void* data) {
  (*static_cast<F*>(data))();
}
template <class F>
void call_item(void* data, int index) {
  (*static_cast<F*>(data))(index);
}

template <class F>
void region(const Half* half, int count, F body) {
  half->region(count, call<F>, &body);
}
template <class F>
void single(const Half* half, F body) {
  half->single(call<F>, &body);
}

void numbers() {
  int seen[512] = {};
  region(outer, threads, [&] {
    int me = outer->thread_num();
    CHECK_EQ(inner->thread_num(), me);
    CHECK_EQ(inner->num_threads(), threads);
    CHECK_EQ(inner->level(), 1);
    add_one(&seen[me]);
  });
  for (int t = 0; t < 512; t++) CHECK_EQ(seen[t], t < threads);
}

void nested() {
  omp_set_max_active_levels(3);
  int count = 0, width = min_int(threads, 6);
  region(outer, width, [&] {
    int parent = outer->thread_num();
    region(inner, 3, [&] {
      CHECK_EQ(outer->num_threads(), 3);
      CHECK_EQ(inner->level(), 2);
      CHECK_EQ(omp_get_ancestor_thread_num(1), parent);
      inner->barrier();
      region(outer, 2, [&] {
        CHECK_EQ(inner->level(), 3);
        outer->barrier();
        add_one(&count);
      });
      outer->barrier();
    });
  });
  CHECK_EQ(count, width * 3 * 2);
}

void worksharing() {
  enum { kCount = 100 };
  static int hits[kCount];
  memset(hits, 0, sizeof hits);
  int next = 0, order = 0;
  auto hit = [&](int i) { add_one(&hits[i]); };
  auto in_order = [&](int i) { CHECK_EQ(order++, i); };
  auto step = [&](int) { add_one(&next); };
  typedef decltype(hit) Hit;
  region(outer, threads, [&] {
    inner->for_static(kCount, call_item<Hit>, &hit);
    outer->for_dynamic(kCount, call_item<Hit>, &hit);
    inner->for_dynamic(kCount, call_item<Hit>, &hit);
    inner->for_guided_nowait(kCount, call_item<Hit>, &hit);
    outer->for_guided_nowait(kCount, call_item<Hit>, &hit);
    inner->for_guided_nowait(kCount, call_item<Hit>, &hit);
    outer->barrier();
    inner->for_ordered(kCount, call_item<decltype(in_order)>, &in_order);
    inner->sections(call_item<decltype(step)>, &step);
    outer->sections(call_item<decltype(step)>, &step);
    single(inner, [&] { add_one(&next); });
    single(outer, [&] { add_one(&next); });
    CHECK_EQ(inner->sum_for(kCount, call_item<Hit>, &hit), kCount * (kCount - 1) / 2);
    CHECK_EQ(outer->sum_for(kCount, call_item<Hit>, &hit), kCount * (kCount - 1) / 2);
    auto at_zero = [&] { CHECK_EQ(outer->thread_num(), 0); };
    inner->masked(call<decltype(at_zero)>, &at_zero);
  });
  for (int i = 0; i < kCount; i++) CHECK_EQ(hits[i], 8);
  CHECK_EQ(order, kCount);
  CHECK_EQ(next, 3 + 3 + 1 + 1);
}

void exclusion() {
  long plain = 0, named = 0, atomic = 0;
  int inside = 0, each = repeats(2000);
  auto add = [&] {
    CHECK_EQ(add_one(&inside), 1);
    plain++;
    __atomic_fetch_sub(&inside, 1, __ATOMIC_ACQ_REL);
  };
  auto add_named = [&] { named++; };
  region(outer, threads, [&] {
    for (int i = 0; i < each; i++) {
      inner->critical(call<decltype(add)>, &add);
      inner->critical_named(call<decltype(add_named)>, &add_named);
      outer->atomic_add(&atomic, 1);
      inner->atomic_add(&atomic, 1);
    }
  });
  CHECK_EQ(plain, (long)each * threads);
  CHECK_EQ(named, (long)each * threads);
  CHECK_EQ(atomic, 2L * each * threads);
}

/* Sections of one name exclude each other, and so do those without a name, whichever compiler made
 * them. */
void shared_critical() {
  if (!on_bobbin()) return; /* libomp has a lock for each compiler's sections */
  long plain = 0, named = 0;
  int each = repeats(4000);
  auto add = [&] { plain++; };
  auto add_named = [&] { named++; };
  region(outer, threads, [&] {
    for (int i = 0; i < each; i++) {
      const Half* half = (i + outer->thread_num()) % 2 ? outer : inner;
      half->critical(call<decltype(add)>, &add);
      half->critical_named(call<decltype(add_named)>, &add_named);
    }
  });
  CHECK_EQ(plain, (long)each * threads);
  CHECK_EQ(named, (long)each * threads);
}

/* One half makes the tasks, and both take them. */
void locks() {
  SharedLock simple, nest;
  long simple_count = 0, nest_count = 0;
  int each = repeats(2000);
  outer->init_lock(&simple);
  outer->init_nest_lock(&nest);
  region(inner, threads, [&] {
    for (int i = 0; i < each; i++) {
      const Half* half = (i + inner->thread_num()) % 2 ? outer : inner;
      const Half* other = half == outer ? inner : outer;
      half->set_lock(&simple);
      CHECK(!other->test_lock(&simple));
      simple_count++;
      other->unset_lock(&simple);
      half->set_nest_lock(&nest);
      CHECK_EQ(other->test_nest_lock(&nest), 2);
      other->set_nest_lock(&nest);
      nest_count++;
      half->unset_nest_lock(&nest);
      other->unset_nest_lock(&nest);
      half->unset_nest_lock(&nest);
    }
  });
  CHECK_EQ(simple_count, (long)each * threads);
  CHECK_EQ(nest_count, (long)each * threads);
  inner->destroy_lock(&simple);
  inner->destroy_nest_lock(&nest);
}

struct Tree {
  int depth;
  int* count;
};

void grow(void* data) {
  Tree tree = *static_cast<Tree*>(data);
  add_one(tree.count);
  if (tree.depth == 0) return;
  Tree left = {tree.depth - 1, tree.count}, right = left;
  inner->task(grow, &left);
  outer->task(grow, &right);
  const Half* waits = tree.depth % 2 ? inner : outer;
  waits->taskwait();
}

void tasks() {
  int count = 0, deep = 0;
  Tree root = {7, &deep};
  auto bump = [&] { add_one(&count); };
  typedef decltype(bump) Bump;
  region(outer, threads, [&] {
    inner->task(call<Bump>, &bump);
    outer->task(call<Bump>, &bump);
    single(inner, [&] {
      for (int i = 0; i < 50; i++) {
        inner->task(call<Bump>, &bump);
        outer->task(call<Bump>, &bump);
        inner->task_if_0(call<Bump>, &bump);
        outer->taskyield();
      }
      inner->taskwait();
      CHECK(load(&count) >= 150);
      grow(&root);
    });
  });
  CHECK_EQ(count, 2 * threads + 150);
  CHECK_EQ(deep, 255);
}

/* The taskgroup of one half waits for the other's tasks at any depth. */
void taskgroups() {
  int count = 0;
  auto bump = [&] { add_one(&count); };
  auto both = [&] {
    inner->task(call<decltype(bump)>, &bump);
    outer->task(call<decltype(bump)>, &bump);
  };
  auto group = [&] {
    for (int i = 0; i < 20; i++) {
      inner->task(call<decltype(both)>, &both);
      outer->task(call<decltype(both)>, &both);
    }
  };
  region(outer, threads, [&] {
    single(outer, [&] {
      for (int round = 1; round <= 3; round++) {
        (round % 2 ? inner : outer)->taskgroup(call<decltype(group)>, &group);
        CHECK_EQ(load(&count), 80 * round);
      }
    });
  });
}

/* One chain through tasks of both halves. */
void dependences() {
  int cell = 0, expected = 0;
  auto link = [&] { CHECK_EQ(cell++, expected++); };
  region(outer, threads, [&] {
    single(outer, [&] {
      for (int i = 0; i < 100; i++) {
        (i % 3 ? inner : outer)->task_inout(&cell, call<decltype(link)>, &link);
      }
      inner->taskwait();
      CHECK_EQ(cell, 100);
    });
  });
}

void taskloops() {
  enum { kCount = 60 };
  int hits[kCount] = {};
  auto hit = [&](int i) { add_one(&hits[i]); };
  auto pair = [&](int i) {
    add_one(&hits[i]);
    if (i < 10) inner->taskloop(6, call_item<decltype(hit)>, &hit);
  };
  region(outer, threads, [&] {
    single(outer, [&] { outer->taskloop(kCount, call_item<decltype(pair)>, &pair); });
  });
  for (int i = 0; i < kCount; i++) CHECK_EQ(hits[i], i < 6 ? 11 : 1);
}

/* Tasks of both take part in the reduction of LLVM. That of GCC only its own tasks know how to take
   part in (docs/conformance.md). */
void task_reductions() {
  if (outer == &gnu_half && inner == &llvm_half) return;
  constexpr int kRounds = 30; /* in a long */
  long sum = 0, product = 0;
  auto add = [&] {
    for (int i = 0; i < kRounds; i++) {
      inner->add_task(&sum, i);
      outer->add_task(&sum, 1);
    }
  };
  auto multiply = [&] {
    for (int i = 0; i < kRounds; i++) {
      outer->multiply_task(&product, 3);
      inner->multiply_task(&product, -1);
    }
  };
  long power = 1;
  for (int i = 0; i < kRounds; i++) power *= 3;
  region(outer, threads, [&] {
    single(outer, [&] {
      for (int round = 0; round < 10; round++) {
        sum = 7;
        outer->sum_group(&sum, call<decltype(add)>, &add);
        CHECK_EQ(sum, 7 + kRounds * (kRounds - 1) / 2 + kRounds);
        product = 5;
        outer->product_group(&product, call<decltype(multiply)>, &multiply);
        CHECK_EQ(product, 5 * power);
      }
    });
  });
}

/* An error is reported, instead of a wrong sum. */
void refused_reduction() {
  if (!on_bobbin()) return;
  pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stderr) == nullptr) _exit(0);
    long sum = 0;
    auto add = [&] { llvm_half.add_task(&sum, 1); };
    gnu_half.sum_group(&sum, call<decltype(add)>, &add);
    _exit(0);
  }
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(status != 0);
}

/* A thread keeps each half's variable from region to region, whichever half forks. */
void threadprivates() {
  region(outer, threads, [&] {
    *outer->threadprivate() = 100 + outer->thread_num();
    *inner->threadprivate() = 200 + outer->thread_num();
  });
  for (int round = 0; round < 3; round++) {
    region(round % 2 ? outer : inner, threads, [&] {
      inner->barrier();
      CHECK_EQ(*outer->threadprivate(), (outer == inner ? 200 : 100) + inner->thread_num());
      CHECK_EQ(*inner->threadprivate(), 200 + inner->thread_num());
    });
  }
}

void exceptions() {
  int caught = 0;
  region(outer, threads, [&] {
    try {
      auto thrower = [&] { throw 42; };
      try {
        thrower();
      } catch (int) {
        region(inner, 2, [&] {
          try {
            throw 43;
          } catch (int value) {
            CHECK_EQ(value, 43);
            add_one(&caught);
          }
        });
        throw;
      }
    } catch (int value) {
      CHECK_EQ(value, 42);
      add_one(&caught);
    }
  });
  CHECK_EQ(caught, 3 * threads);
}

void leagues() {
  int count = 0;
  auto body = [&] {
    region(inner, 2, [&] { inner->barrier(); });
    add_one(&count);
  };
  outer->teams(3, call<decltype(body)>, &body);
  CHECK(count >= 1 && count <= 3);
}

void memory() {
  region(outer, threads, [&] {
    void* block = inner->alloc(1000);
    CHECK(block != nullptr);
    memset(block, 1, 1000);
    outer->free(block);
  });
}

void one_pool() {
  check_one_pool([] {
    region(&gnu_half, 2, [] {});
    region(&llvm_half, 2, [] {});
  });
}

}  // namespace

#define RUN_ALL_WAYS(function)                      \
  do {                                              \
    const Half* halves[] = {&gnu_half, &llvm_half}; \
    for (int way = 0; way < 4; way++) {             \
      outer = halves[way / 2];                      \
      inner = halves[way % 2];                      \
      RUN(function);                                \
    }                                               \
  } while (0)

int main() {
  CHECK_BEGIN();
  CHECK(strcmp(gnu_half.name, "gnu") == 0 && strcmp(llvm_half.name, "llvm") == 0);
  threads = omp_get_max_threads();
  RUN_ALL_WAYS(numbers);
  RUN_ALL_WAYS(nested);
  RUN_ALL_WAYS(worksharing);
  RUN_ALL_WAYS(exclusion);
  RUN_ALL_WAYS(shared_critical);
  RUN_ALL_WAYS(locks);
  RUN_ALL_WAYS(tasks);
  RUN_ALL_WAYS(taskgroups);
  RUN_ALL_WAYS(dependences);
  RUN_ALL_WAYS(taskloops);
  RUN_ALL_WAYS(task_reductions);
  RUN(refused_reduction);
  RUN_ALL_WAYS(threadprivates);
  RUN_ALL_WAYS(exceptions);
  RUN_ALL_WAYS(leagues);
  RUN_ALL_WAYS(memory);
  RUN(one_pool);
  return check_end();
}
