// SPDX-License-Identifier: Apache-2.0
// Exceptions thrown and caught inside regions: in every thread at once, across barriers and waits,
// in tasks, in nested regions. The state of exceptions in flight belongs to each thread.
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"

namespace {

struct Payload {
  int thread;
  std::vector<int> data;
};

int live_objects;

struct Counted {
  Counted() { add_one(&live_objects); }
  ~Counted() { __atomic_fetch_sub(&live_objects, 1, __ATOMIC_ACQ_REL); }
};

void throw_from(int depth, int thread) {
  Counted on_the_stack;
  if (depth == 0) throw Payload{thread, std::vector<int>(10, thread)};
  throw_from(depth - 1, thread);
}

void in_every_thread() {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    for (int round = 0; round < 10; round++) {
      bool caught = false;
      try {
        throw_from(5, me);
      } catch (const Payload& payload) {
        caught = true;
        CHECK_EQ(payload.thread, me);
        CHECK_EQ(payload.data.size(), 10);
        CHECK_EQ(payload.data[9], me);
      }
      CHECK(caught);
    }
  }
  CHECK_EQ(live_objects, 0);
}

// All threads hold an exception while they wait for each other. The C++ runtime's per-thread chain
// of caught exceptions must move with the OpenMP thread, not stay with its kernel thread.
void across_barriers() {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    for (int round = 0; round < 5; round++) {
      try {
        throw_from(3, me * 10 + round);
      } catch (Payload& outer) {
#pragma omp barrier
        CHECK_EQ(outer.thread, me * 10 + round);
        try {
          throw std::runtime_error(std::to_string(me));
        } catch (const std::exception& inner) {
#pragma omp barrier
          CHECK(inner.what() == std::to_string(me));
          try {
            std::rethrow_exception(std::current_exception());
          } catch (const std::runtime_error& again) {
#pragma omp barrier
            CHECK(again.what() == std::to_string(me));
          }
        }
#pragma omp barrier
        bool rethrown = false;
        try {
          throw;
        } catch (const Payload& same) {
          rethrown = true;
          CHECK_EQ(same.thread, me * 10 + round);
        }
        CHECK(rethrown);
      }
      CHECK(std::current_exception() == nullptr);
    }
  }
  CHECK_EQ(live_objects, 0);
}

struct WaitsWhileUnwinding {
  int* reached;
  ~WaitsWhileUnwinding() {
    CHECK_EQ(std::uncaught_exceptions(), 1);
#pragma omp barrier
    CHECK_EQ(std::uncaught_exceptions(), 1);
    add_one(reached);
  }
};

// A barrier inside a destructor that runs because of an exception.
void while_unwinding() {
  int reached = 0;
#pragma omp parallel shared(reached)
  {
    CHECK_EQ(std::uncaught_exceptions(), 0);
    try {
      WaitsWhileUnwinding guard{&reached};
      throw 42;
    } catch (int value) {
      CHECK_EQ(value, 42);
    }
    CHECK_EQ(std::uncaught_exceptions(), 0);
  }
  CHECK_EQ(reached, omp_get_max_threads());
}

void in_tasks() {
  int caught = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 60; i++) {
#pragma omp task shared(caught)
    {
      try {
        throw_from(i % 4, i);
      } catch (const Payload& payload) {
        CHECK_EQ(payload.thread, i);
#pragma omp task shared(caught)
        {
          try {
            throw std::string("inner");
          } catch (const std::string& text) {
            CHECK(text == "inner");
            add_one(&caught);
          }
        }
#pragma omp taskwait
        CHECK_EQ(payload.thread, i);
        add_one(&caught);
      }
    }
  }
  CHECK_EQ(caught, 120);
}

void in_worksharing() {
  int caught = 0, handed = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 50; i++) {
      try {
        throw i;
      } catch (int value) {
        CHECK_EQ(value, i);
        add_one(&caught);
      }
    }
#pragma omp critical
    {
      try {
        throw_from(1, 0);
      } catch (...) {
        caught++;
      }
    }
  }
  CHECK_EQ(caught, 50 + omp_get_max_threads());
  // An exception passed from a region to the code after it.
  std::exception_ptr first;
#pragma omp parallel
  {
    try {
      throw std::out_of_range("thread " + std::to_string(omp_get_thread_num()));
    } catch (...) {
#pragma omp critical(first)
      if (!first) first = std::current_exception();
    }
  }
  try {
    std::rethrow_exception(first);
  } catch (const std::out_of_range& error) {
    handed = std::string(error.what()).find("thread ") == 0;
  }
  CHECK(handed);
}

void nested_regions() {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 4))
  {
    int outer = omp_get_thread_num();
    try {
      throw_from(2, outer);
    } catch (const Payload& payload) {
#pragma omp parallel num_threads(3)
      {
        int inner = omp_get_thread_num();
        try {
          throw inner * 100;
        } catch (int value) {
#pragma omp barrier
          CHECK_EQ(value, inner * 100);
        }
      }
      CHECK_EQ(payload.thread, outer);
    }
  }
}

// A region is opened in a function that an exception then leaves.
int opened;

void opens_and_throws() {
#pragma omp parallel
  add_one(&opened);
  throw std::logic_error("after the region");
}

void left_by_exception() {
  for (int round = 0; round < 10; round++) {
    try {
      opens_and_throws();
      CHECK(false);
    } catch (const std::logic_error&) {
    }
  }
  CHECK_EQ(opened, 10 * omp_get_max_threads());
}

}  // namespace

int main() {
  CHECK_BEGIN();
  RUN(in_every_thread);
  RUN(across_barriers);
  RUN(while_unwinding);
  RUN(in_tasks);
  RUN(in_worksharing);
  RUN(nested_regions);
  RUN(left_by_exception);
  return check_end();
}
