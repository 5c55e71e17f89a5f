// SPDX-License-Identifier: Apache-2.0
// Exceptions are thrown and caught inside regions, in every thread at once, and are held across
// suspension points. The exception state belongs to the OpenMP thread, not to the kernel thread
// that carries it.
#include <execinfo.h>
#include <unwind.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "../common/abuse.h"

namespace {

constexpr int kThreads = 9;
constexpr int kTurns = 20;

struct Thrown {
  int who;
  int turn;
};

void suspend() {
#pragma omp barrier
}

void suspend_in_taskwait() {
  int done = 0;
#pragma omp task shared(done)
  {
#pragma omp taskyield
    done = 1;
  }
#pragma omp taskwait
  CHECK(done == 1);
}

// Barriers in the try block, in the handler and after it.
void across_barriers() {
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    for (int turn = 0; turn < kTurns; turn++) {
      bool caught = false;
      try {
        suspend();
        throw Thrown{me, turn};
      } catch (const Thrown& e) {
        CHECK(e.who == me && e.turn == turn);
        suspend();
        CHECK(e.who == me && e.turn == turn);
        CHECK(std::uncaught_exceptions() == 0 && std::current_exception() != nullptr);
        suspend_in_taskwait();
        suspend();
        CHECK(e.who == me && e.turn == turn);
        caught = true;
      }
      suspend();
      CHECK(caught && std::current_exception() == nullptr);
    }
  }
}

// Every second thread is inside a handler, while its siblings run on the same processors.
void uneven() {
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    for (int turn = 0; turn < kTurns; turn++) {
      const bool throws = (me + turn) % 2 == 0;
      try {
        if (throws) throw Thrown{me, turn};
        CHECK(std::current_exception() == nullptr);
        suspend();
        CHECK(std::current_exception() == nullptr && std::uncaught_exceptions() == 0);
      } catch (const Thrown& e) {
        suspend();
        CHECK(e.who == me && e.turn == turn);
      }
      suspend();
    }
  }
}

struct Unwinding {
  int me;
  ~Unwinding() {
    // Suspended while an exception is in flight.
    CHECK(std::uncaught_exceptions() == (me % 2 == 0 ? 1 : 0));
    suspend();
    CHECK(std::uncaught_exceptions() == (me % 2 == 0 ? 1 : 0));
    suspend_in_taskwait();
    CHECK(std::uncaught_exceptions() == (me % 2 == 0 ? 1 : 0));
  }
};

void while_unwinding() {
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    for (int turn = 0; turn < kTurns; turn++) {
      bool caught = false;
      try {
        Unwinding object{me};
        if (me % 2 == 0) throw Thrown{me, turn};
      } catch (const Thrown& e) {
        CHECK(e.who == me && e.turn == turn);
        caught = true;
      }
      CHECK(caught == (me % 2 == 0) && std::uncaught_exceptions() == 0);
      suspend();
    }
  }
}

void rethrow_level(int depth, int me) {
  try {
    if (depth == 0) throw std::runtime_error("thread " + std::to_string(me));
    rethrow_level(depth - 1, me);
  } catch (const std::runtime_error& e) {
    CHECK(std::string(e.what()).find("thread " + std::to_string(me)) != std::string::npos);
    suspend();
    if (depth % 2 == 0) throw;
    throw std::runtime_error(std::string(e.what()) + " again");
  }
}

void rethrown() {
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    bool caught = false;
    try {
      rethrow_level(6, me);
    } catch (const std::exception& e) {
      CHECK(std::string(e.what()) == "thread " + std::to_string(me) + " again again again");
      caught = true;
    }
    CHECK(caught);
  }
}

// A nested region inside a handler; an exception stored by one thread and thrown again by another.
void nested_and_passed_on() {
  omp_set_max_active_levels(2);
  std::exception_ptr stored[kThreads];
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    try {
      throw Thrown{me, 1};
    } catch (const Thrown& e) {
      int inner_caught = 0, team = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner_caught)
      {
#pragma omp single
        team = omp_get_num_threads();
        try {
          suspend();
          throw Thrown{me, omp_get_thread_num()};
        } catch (const Thrown& inner) {
          suspend();
          inner_caught += inner.who == me && inner.turn == omp_get_thread_num();
        }
      }
      CHECK(inner_caught == team && e.who == me && e.turn == 1);
      stored[me] = std::current_exception();
    }
    suspend();
    const int other = (me + 1) % omp_get_num_threads();
    try {
      std::rethrow_exception(stored[other]);
    } catch (const Thrown& e) {
      suspend();
      CHECK(e.who == other);
    }
  }
}

void in_tasks() {
  int caught = 0;
#pragma omp parallel num_threads(kThreads)
#pragma omp single
  for (int i = 0; i < 500; i++) {
#pragma omp task shared(caught) firstprivate(i)
    {
      try {
#pragma omp taskyield
        throw Thrown{i, 0};
      } catch (const Thrown& e) {
        int child = 0;
#pragma omp task shared(child) if (i % 2)
        child = 1;
#pragma omp taskwait
        if (child == 1 && e.who == i) {
#pragma omp atomic
          caught++;
        }
      }
    }
  }
  CHECK(caught == 500);
}

// An exception that would leave the region ends the program at once, by std::terminate.
void escapes_child() {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 3) throw std::runtime_error("escapes");
#pragma omp barrier
  }
}

void escapes() {
  outcome out;
  char child[] = "escapes-child";
  char* argv[] = {child, nullptr};
  run_self(argv, nullptr, nullptr, &out);
  CHECK(out.status == 128 + SIGABRT && strstr(out.err, "terminate called") != nullptr);
}

_Unwind_Reason_Code count_frame(_Unwind_Context*, void* count) {
  return ++*static_cast<int*>(count) > 1000 ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

// The unwinder finds the end of each thread's stack.
void backtraces() {
#pragma omp parallel num_threads(kThreads)
  {
    suspend();
    void* frames[200];
    const int depth = backtrace(frames, 200);
    int count = 0;
    _Unwind_Backtrace(count_frame, &count);
    CHECK(depth >= 1 && depth < 100 && count >= 1 && count < 100);
    suspend();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const abuse_case cases[] = {
      {"across-barriers", across_barriers},
      {"uneven", uneven},
      {"while-unwinding", while_unwinding},
      {"rethrown", rethrown},
      {"nested-and-passed-on", nested_and_passed_on},
      {"in-tasks", in_tasks},
      {"escapes", escapes},
      {"escapes-child", escapes_child},
      {"backtraces", backtraces},
      {nullptr, nullptr},
  };
  return run_case(cases, argc, argv);
}
