// SPDX-License-Identifier: Apache-2.0
// std::thread and OpenMP in one program: regions opened by several threads at once, again and
// again, by threads that end, by threads started inside a region; the standard library's own
// synchronisation between threads of a team.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "check.h"

namespace {

int team_size() { return min_int(omp_get_max_threads(), 16); }

int private_value;
#pragma omp threadprivate(private_value)

void open_regions(int root, int rounds, std::atomic<int>* total) {
  int n = team_size();
  for (int round = 0; round < rounds; round++) {
    int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    {
      CHECK_EQ(omp_get_num_threads(), n);
      private_value = root * 1000 + omp_get_thread_num();
#pragma omp barrier
      CHECK_EQ(private_value, root * 1000 + omp_get_thread_num());
      sum += 1;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 10; i++) (*total)++;
    }
    CHECK_EQ(sum, n);
  }
}

void several_roots() {
  std::atomic<int> total{0};
  std::vector<std::thread> roots;
  for (int r = 0; r < 4; r++) roots.emplace_back(open_regions, r + 1, 10, &total);
  open_regions(0, 10, &total);
  for (auto& root : roots) root.join();
  CHECK_EQ(total.load(), 500);
}

void roots_that_end() {
  std::atomic<int> total{0};
  for (int r = 0; r < 12; r++) {
    std::thread root(open_regions, r, 1, &total);
    root.join();
  }
  CHECK_EQ(total.load(), 120);
}

void started_inside() {
  std::atomic<int> total{0};
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 4))
  {
    std::thread other([&total] { open_regions(omp_get_thread_num(), 2, &total); });
    other.join();
  }
  CHECK_EQ(total.load(), 20 * min_int(omp_get_max_threads(), 4));
}

// Threads of a team wait for each other through a condition variable, which OpenMP does not see.
void condition_variable() {
  int n = team_size();
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
#pragma omp parallel num_threads(n)
  {
    int me = omp_get_thread_num();
    for (int round = 0; round < 3; round++) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return turn == round * n + me; });
      turn++;
      changed.notify_all();
    }
  }
  CHECK_EQ(turn, 3 * n);
}

// One thread holds a mutex across a barrier while the others do not need it.
void mutex_across_barrier() {
  std::mutex mutex, other;
  std::recursive_mutex recursive;
  int count = 0;
#pragma omp parallel
  for (int round = 0; round < 4; round++) {
    bool mine = omp_get_thread_num() == round % omp_get_num_threads();
    if (mine) {
      mutex.lock();
      recursive.lock();
    }
#pragma omp barrier
    if (mine) {
      recursive.lock();
      count++;
      recursive.unlock();
      recursive.unlock();
      mutex.unlock();
    }
#pragma omp barrier
    std::lock_guard<std::mutex> guard(other);
    count++;
  }
  CHECK_EQ(count, 4 + 4 * omp_get_max_threads());
}

void futures() {
  int n = team_size();
  std::vector<std::promise<int>> promises(n);
  std::vector<std::future<int>> values;
  for (auto& promise : promises) values.push_back(promise.get_future());
#pragma omp parallel num_threads(n)
  {
    int me = omp_get_thread_num();
    if (me == n - 1) {
      promises[me].set_value(me);
    } else {
      promises[me].set_value(values[me + 1].get() + me);
    }
  }
  CHECK_EQ(values[0].get(), n * (n - 1) / 2);
}

// Two threads of a team that spin on each other without any call.
void spinning() {
  if (omp_get_max_threads() < 2) return;
  std::atomic<int> ball{0};
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    for (int i = 0; i < 5; i++) {
      while (ball.load(std::memory_order_acquire) % 2 != me) {
      }
      ball.fetch_add(1, std::memory_order_acq_rel);
    }
  }
  CHECK_EQ(ball.load(), 10);
}

void call_once() {
  std::once_flag once;
  int ran = 0, seen = 0;
#pragma omp parallel
  {
    std::call_once(once, [&ran] { ran++; });
    if (ran == 1) add_one(&seen);
    static const std::vector<int> kShared(100, omp_get_num_threads());
    CHECK_EQ(kShared[99], omp_get_num_threads());
  }
  CHECK_EQ(ran, 1);
  CHECK_EQ(seen, omp_get_max_threads());
}

}  // namespace

int main() {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(several_roots);
  RUN(roots_that_end);
  RUN(started_inside);
  RUN(condition_variable);
  RUN(mutex_across_barrier);
  RUN(futures);
  RUN(spinning);
  RUN(call_once);
  return check_end();
}
