// SPDX-License-Identifier: Apache-2.0
// Loops over C++ iterators, pointers and ranges, in templates, lambdas and member functions.
#include <array>
#include <deque>
#include <list>
#include <numeric>
#include <vector>

#include "check.h"

namespace {

template <typename Container>
long sum_of(const Container& container) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 3)
  for (auto i = container.begin(); i < container.end(); ++i) sum += *i;
  long again = 0;
#pragma omp parallel for reduction(+ : again) schedule(static)
  for (auto i = container.end() - 1; i >= container.begin(); i -= 1) again += *i;
  CHECK_EQ(sum, again);
  long other = 0;
#pragma omp parallel for reduction(+ : other)
  for (auto i = container.begin(); i != container.end(); i++) other += *i;
  CHECK_EQ(sum, other);
  return sum;
}

void random_access() {
  std::vector<int> vector(200);
  std::iota(vector.begin(), vector.end(), 1);
  std::deque<short> deque(vector.begin(), vector.end());
  CHECK_EQ(sum_of(vector), 20100);
  CHECK_EQ(sum_of(deque), 20100);
}

void ranges() {
  std::vector<int> values(150, 2);
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int value : values) sum += value;
  CHECK_EQ(sum, 300);
#pragma omp parallel
#pragma omp for schedule(guided)
  for (int& value : values) value = 3;
  for (int value : values) CHECK_EQ(value, 3);
  std::array<std::array<int, 5>, 6> table{};
  int hits = 0;
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (auto row = table.begin(); row < table.end(); ++row)
    for (int column = 0; column < 5; column++) {
      (*row)[column]++;
      add_one(&hits);
    }
  CHECK_EQ(hits, 30);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(7)
  for (auto i = values.begin(); i < values.end(); i += 2) *i = 9;
  for (std::size_t i = 0; i < values.size(); i++) CHECK_EQ(values[i], i % 2 ? 3 : 9);
}

void pointers() {
  static int data[300];
#pragma omp parallel for schedule(dynamic, 7)
  for (int* p = data; p < data + 300; p += 3) *p = 1;
#pragma omp parallel for schedule(static, 2)
  for (int* p = data + 299; p > data; p -= 3) *p += 2;
  for (int i = 0; i < 300; i++) CHECK_EQ(data[i], i % 3 == 0 ? 1 : i % 3 == 2 ? 2 : 0);
}

// One task per element of a list: the classic example.
void list_of_tasks() {
  std::list<int> values(80, 1);
#pragma omp parallel
#pragma omp single
  for (auto i = values.begin(); i != values.end(); ++i) {
#pragma omp task firstprivate(i)
    *i *= 5;
  }
  for (int value : values) CHECK_EQ(value, 5);
}

template <int kDepth>
struct Tree {
  static long count() {
    long left = 0, right = 0;
#pragma omp task shared(left)
    left = Tree<kDepth - 1>::count();
#pragma omp task shared(right)
    right = Tree<kDepth - 1>::count();
#pragma omp taskwait
    return left + right + 1;
  }
};
template <>
struct Tree<0> {
  static long count() { return 1; }
};

void templates_and_lambdas() {
  long nodes = 0;
#pragma omp parallel
#pragma omp single
  nodes = Tree<6>::count();
  CHECK_EQ(nodes, 127);
  int total = 0;
  auto work = [&total](int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      auto inner = [&total, i] {
        if (i % 2) add_one(&total);
      };
      inner();
    }
  };
  work(100);
  CHECK_EQ(total, 50);
#pragma omp parallel
  [&total] {
#pragma omp for
    for (int i = 0; i < 30; i++) add_one(&total);
#pragma omp single
    add_one(&total);
  }();
  CHECK_EQ(total, 81);
}

}  // namespace

int main() {
  CHECK_BEGIN();
  RUN(random_access);
  RUN(ranges);
  RUN(pointers);
  RUN(list_of_tasks);
  RUN(templates_and_lambdas);
  return check_end();
}
