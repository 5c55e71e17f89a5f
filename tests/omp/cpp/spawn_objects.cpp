// SPDX-License-Identifier: Apache-2.0
// Spawn and sync with function objects (bobbin/spawn.hpp).
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bobbin/bobbin.h"
#include "bobbin/spawn.hpp"
#include "check.h"

namespace {

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  bobbin::Scope scope;
  scope.spawn([&] { a = fib(n - 1); });
  long b = fib(n - 2);
  scope.sync();
  return a + b;
}

void recursion() {
  CHECK_EQ(fib(18), 2584);
  long result = 0;
  bobbin::parallel([&] { result = fib(20); });
  CHECK_EQ(result, 6765);
  bobbin::parallel([&] { result = omp_get_num_threads(); }, 3);
  CHECK_EQ(result, 3);
#pragma omp parallel
  CHECK_EQ(fib(14), 377);
}

// The number of living objects.
struct Counted {
  static std::atomic<int> alive;
  Counted() { alive++; }
  Counted(const Counted&) { alive++; }
  ~Counted() { alive--; }
};
std::atomic<int> Counted::alive{0};

// Captured objects live until they have been used, and no longer. The scope's end syncs.
void captures() {
  constexpr int kCount = 200;
  std::vector<std::string> results(kCount);
  auto spawn_all = [&] {
    bobbin::Scope scope;
    for (int i = 0; i < kCount; i++) {
      std::string text(static_cast<std::size_t>(i), 'x');
      auto number = std::make_unique<int>(i);
      Counted counted;
      scope.spawn([&results, text, number = std::move(number), counted] {
        results[static_cast<std::size_t>(*number)] += text;
      });
    }
  };
  spawn_all();
  bobbin::parallel(spawn_all);
  CHECK_EQ(bobbin_set_task_policy("creation=breadth-first"), 0);
  bobbin::parallel(spawn_all);
  CHECK_EQ(bobbin_set_task_policy(nullptr), 0);
  for (int i = 0; i < kCount; i++) {
    CHECK_EQ(results[static_cast<std::size_t>(i)].size(), 3 * i);
  }
  CHECK_EQ(Counted::alive.load(), 0);
}

// An object passed by name is copied, with its value at that time.
void objects_by_name() {
  int sum = 0;
  bobbin::parallel([&] {
    bobbin::Scope scope;
    for (int i = 1; i <= 100; i++) {
      auto add = [&sum, i] { __atomic_add_fetch(&sum, i, __ATOMIC_RELAXED); };
      scope.spawn(add);
    }
  });
  CHECK_EQ(sum, 5050);
}

struct alignas(64) Aligned {
  int value = 7;
};

void alignment() {
  int wrong = 0;
  bobbin::parallel([&] {
    bobbin::Scope scope;
    for (int i = 0; i < 100; i++) {
      Aligned aligned;
      scope.spawn([&wrong, aligned] {
        bool right = reinterpret_cast<std::uintptr_t>(&aligned) % 64 == 0 && aligned.value == 7;
        if (!right) add_one(&wrong);
      });
    }
  });
  CHECK_EQ(wrong, 0);
}

void exceptions_inside() {
  std::atomic<int> caught{0};
  bobbin::parallel([&] {
    bobbin::Scope scope;
    for (int i = 0; i < 50; i++) {
      scope.spawn([&] {
        try {
          throw 7;
        } catch (int) {
          caught++;
        }
      });
    }
    scope.sync();
  });
  CHECK_EQ(caught.load(), 50);
}

}  // namespace

int main() {
  CHECK_BEGIN();
  RUN(recursion);
  RUN(captures);
  RUN(objects_by_name);
  RUN(alignment);
  RUN(exceptions_inside);
  return check_end();
}
