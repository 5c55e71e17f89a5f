// SPDX-License-Identifier: Apache-2.0
// threadprivate variables, which the compiler implements by __thread, with copyin and copyprivate
// across regions, in nested regions and with more threads than processors.
#include <string>

#include "../common/abuse.h"

namespace {

struct Record {
  long a[40];
  std::string name;
};

// g++ 12 copies in before it constructs, so only trivial types are copied in here.
struct Plain {
  long a[40];
};

int g_number = 11;

#pragma omp threadprivate(g_number)
extern Record g_record;  // g++ wants the directive before the definition
#pragma omp threadprivate(g_record)
Record g_record;
Plain g_plain;
#pragma omp threadprivate(g_plain)
static int* g_pointer = nullptr;
#pragma omp threadprivate(g_pointer)

int kept_between_regions(int threads) {
  int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
  {
    g_number = 500 + omp_get_thread_num();
    g_pointer = &g_number;
    g_record.a[7] = omp_get_thread_num();
    g_record.name = "a name that is long enough for the heap " + std::to_string(g_number);
  }
  // Other regions with the same number of threads come between.
  for (int i = 0; i < 5; i++) region(threads);
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
    wrong += g_number != 500 + me || g_pointer != &g_number || g_record.a[7] != me;
    wrong += g_record.name != "a name that is long enough for the heap " + std::to_string(500 + me);
#pragma omp barrier
    g_number++;
#pragma omp barrier
    wrong += *g_pointer != 501 + me;
  }
  return wrong;
}

void kept() {
  omp_set_dynamic(0);
  for (int threads : {2, 3, 8, 33, 129}) CHECK(kept_between_regions(threads) == 0);
}

void copied_in() {
  omp_set_dynamic(0);
  for (int turn = 0; turn < 40; turn++) {
    const int threads = turn % 2 ? 33 : 5;
    int wrong = 0;
    g_number = turn;
    for (long& word : g_plain.a) word = 3 * turn;
#pragma omp parallel num_threads(threads) copyin(g_number, g_plain) reduction(+ : wrong)
    {
      const int me = omp_get_thread_num();
      wrong += g_number != turn || g_plain.a[0] != 3 * turn || g_plain.a[39] != 3 * turn;
#pragma omp barrier
      g_number += me;
      g_plain.a[5] = me;
#pragma omp barrier
      wrong += g_number != turn + me || g_plain.a[5] != me;
      g_record.name = "thread " + std::to_string(me);
#pragma omp single copyprivate(g_number, g_plain, g_record)
      {
        g_number = 1000 + turn;
        g_plain.a[5] = -turn;
        g_record.name = "a name from single that is long enough for the heap";
      }
      wrong += g_number != 1000 + turn || g_plain.a[5] != -turn;
      wrong += g_record.name.rfind("a name from single", 0) != 0;
    }
    CHECK(wrong == 0);
    CHECK(g_number == 1000 + turn);
  }
}

void nested() {
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  for (int turn = 0; turn < 10; turn++) {
    int wrong = 0;
#pragma omp parallel num_threads(5) reduction(+ : wrong)
    {
      const int outer = omp_get_thread_num();
      g_number = 100 * outer;
#pragma omp parallel num_threads(4) copyin(g_number) reduction(+ : wrong)
      {
        const int inner = omp_get_thread_num();
        wrong += g_number != 100 * outer;
#pragma omp barrier
        g_number += inner;
#pragma omp parallel num_threads(3) copyin(g_number) reduction(+ : wrong)
        {
          wrong += g_number != 100 * outer + inner;
#pragma omp barrier
          g_number += 10 * omp_get_thread_num();
#pragma omp barrier
          wrong += g_number != 100 * outer + inner + 10 * omp_get_thread_num();
        }
        wrong += g_number != 100 * outer + inner;
      }
      // Thread 0 of the inner team is this thread, and it added 0.
      wrong += g_number != 100 * outer;
    }
    CHECK(wrong == 0);
  }
}

// Tasks see the copy of the thread that runs them. A tied task stays in its thread.
void in_tasks() {
  int wrong = 0;
#pragma omp parallel num_threads(9)
  {
    g_number = omp_get_thread_num();
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 300; i++) {
#pragma omp task shared(wrong)
      {
        const int* before = &g_number;
        int bad = g_number != omp_get_thread_num();
#pragma omp taskyield
#pragma omp task if (0)
        bad += g_number != omp_get_thread_num();
        bad += before != &g_number || *before != omp_get_thread_num();
        if (bad) {
#pragma omp atomic
          wrong++;
        }
      }
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

int main(int argc, char** argv) {
  const abuse_case cases[] = {
      {"kept", kept},         {"copied-in", copied_in}, {"nested", nested},
      {"in-tasks", in_tasks}, {nullptr, nullptr},
  };
  return run_case(cases, argc, argv);
}
