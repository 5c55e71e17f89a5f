// SPDX-License-Identifier: Apache-2.0
// thread_local objects with constructors and destructors in OpenMP threads. Each thread has one
// object, which is constructed once, stays its own across suspension, lives as long as the thread
// has regions, and is never destroyed twice.
#include <array>
#include <mutex>
#include <set>
#include <string>

#include "../common/abuse.h"

namespace {

constexpr int kThreads = 9;
constexpr long kAlive = 0x600d;
constexpr long kDead = 0xdead;

long g_constructed = 0;
long g_destroyed = 0;

struct Counted {
  long state = kAlive;
  long value = 0;
  std::string text = "fresh and too long for the small string optimisation";
  Counted() {
#pragma omp atomic
    g_constructed++;
  }
  ~Counted() {
    CHECK(state == kAlive);
    state = kDead;
#pragma omp atomic
    g_destroyed++;
  }
};

thread_local Counted t_object;
thread_local std::array<int, 3> t_plain = {1, 2, 3};

// The same team again and again: every thread finds its object unchanged.
void persistent() {
  omp_set_dynamic(0);
  Counted* addresses[kThreads] = {};
  for (int turn = 0; turn < 30; turn++) {
#pragma omp parallel num_threads(kThreads)
    {
      const int me = omp_get_thread_num();
      if (turn == 0) {
        CHECK(t_object.value == 0 && t_object.text.rfind("fresh", 0) == 0);
        CHECK(t_plain[0] == 1 && t_plain[2] == 3);
        addresses[me] = &t_object;
        t_object.value = 100 * me;
      }
#pragma omp barrier
      CHECK(addresses[me] == &t_object && t_object.state == kAlive);
      CHECK(t_object.value == 100 * me + turn);
      t_object.value++;
      t_plain[0] = me;
#pragma omp barrier
      CHECK(t_plain[0] == me);
      t_object.text = "thread " + std::to_string(me) + " in a string that needs the heap " +
                      std::to_string(turn);
#pragma omp barrier
      CHECK(t_object.text.rfind("thread " + std::to_string(me) + " ", 0) == 0);
    }
  }
  std::set<Counted*> distinct(addresses, addresses + kThreads);
  CHECK(distinct.size() == static_cast<size_t>(kThreads));
  CHECK(g_constructed == kThreads && g_destroyed == 0);
}

// Teams of changing size, nested teams: no thread ever sees a destroyed or a shared object.
void changing_teams() {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int turn = 0; turn < 20; turn++) {
    const int threads = 1 + (turn * 5) % 17;
#pragma omp parallel num_threads(threads)
    {
      CHECK(t_object.state == kAlive);
      t_object.value = omp_get_thread_num();
#pragma omp barrier
      CHECK(t_object.value == omp_get_thread_num());
#pragma omp parallel num_threads(1 + turn % 4)
      {
        CHECK(t_object.state == kAlive);
        const long mine = 1000 + 10 * omp_get_ancestor_thread_num(1) + omp_get_thread_num();
        t_object.value = mine;
#pragma omp barrier
        CHECK(t_object.value == mine && t_object.state == kAlive);
      }
    }
  }
  CHECK(g_constructed - g_destroyed >= 1);
  CHECK(g_destroyed <= g_constructed);
}

// The objects of a root end with it.
void* root(void*) {
#pragma omp parallel num_threads(4)
  {
    t_object.value++;
#pragma omp barrier
    CHECK(t_object.state == kAlive && t_object.value > 0);
  }
  return nullptr;
}

void ending_roots() {
  for (int i = 1; i <= 50; i++) {
    pthread_t thread;
    CHECK(pthread_create(&thread, nullptr, root, nullptr) == 0);
    CHECK(pthread_join(thread, nullptr) == 0);
    CHECK(g_destroyed >= i && g_destroyed <= g_constructed);
  }
}

std::once_flag g_once;
int g_once_runs = 0;

int slow_initialiser() {
#pragma omp taskyield
  sched_yield();
  return ++g_once_runs;
}

int function_static() {
  static int value = slow_initialiser();
  return value;
}

// Function-local statics and call_once: the guard's owner may be suspended while siblings arrive.
void initialised_once() {
#pragma omp parallel num_threads(33)
  {
    CHECK(function_static() == 1);
    std::call_once(g_once, [] {
      sched_yield();
      g_once_runs++;
    });
    CHECK(g_once_runs == 2);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const abuse_case cases[] = {
      {"persistent", persistent},
      {"changing-teams", changing_teams},
      {"ending-roots", ending_roots},
      {"initialised-once", initialised_once},
      {nullptr, nullptr},
  };
  return run_case(cases, argc, argv);
}
