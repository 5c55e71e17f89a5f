// SPDX-License-Identifier: Apache-2.0
// Untied tasks that change their thread while they handle an exception: under
// BOBBIN_TASK_POLICY=creation=continuation the handled exception moves with the task.
#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>

#include "check.h"

static int value_of(const std::exception& error) { return std::stoi(error.what()); }

// Each level throws, makes its children while it handles the exception, and rethrows it after them.
static int descend(int depth, int number) {
  if (depth == 0) return 1;
  int below[2] = {0, 0};
  try {
    try {
      throw std::runtime_error(std::to_string(number));
    } catch (const std::exception& error) {
      for (int i = 0; i < 2; i++) {
#pragma omp task untied shared(below) firstprivate(i, depth, number)
        below[i] = descend(depth - 1, 2 * number + i);
        CHECK_EQ(value_of(error), number);
      }
#pragma omp taskwait
      CHECK_EQ(std::uncaught_exceptions(), 0);
      CHECK(std::current_exception() != nullptr);
      throw;
    }
  } catch (const std::exception& error) {
    CHECK_EQ(value_of(error), number);
  }
  return below[0] + below[1];
}

static void within_handlers() {
  for (int round = 0; round < 5; round++) {
    int leaves = 0;
#pragma omp parallel
    {
#pragma omp single
#pragma omp task untied shared(leaves)
      leaves = descend(9, 1);
      CHECK(std::current_exception() == nullptr);
    }
    CHECK_EQ(leaves, 512);
  }
  CHECK(std::current_exception() == nullptr);
  CHECK_EQ(std::uncaught_exceptions(), 0);
}

// A destructor that makes tasks runs during stack unwinding by an exception.
struct MakesTasks {
  std::atomic<int>* ran;
  int before;

  ~MakesTasks() {
    CHECK_EQ(std::uncaught_exceptions(), before + 1);
    for (int i = 0; i < 4; i++) {
      std::atomic<int>* counter = ran;
#pragma omp task untied firstprivate(counter)
      ++*counter;
      CHECK_EQ(std::uncaught_exceptions(), before + 1);
    }
#pragma omp taskwait
  }
};

static void throw_past(std::atomic<int>* ran) {
  const int before = std::uncaught_exceptions();
  try {
    MakesTasks object{ran, before};
    throw 7;
  } catch (int caught) {
    CHECK_EQ(caught, 7);
  }
  CHECK_EQ(std::uncaught_exceptions(), before);
}

static void while_one_passes_by() {
  for (int round = 0; round < 20; round++) {
    std::atomic<int> ran{0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task untied shared(ran)
      throw_past(&ran);
    }
    CHECK_EQ(ran.load(), 32);
  }
}

int main() {
  CHECK_BEGIN();
  RUN(within_handlers);
  RUN(while_one_passes_by);
  return check_end();
}
