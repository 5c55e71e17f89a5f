// SPDX-License-Identifier: Apache-2.0
// thread_local and threadprivate objects of class type: constructed once per thread, on first use,
// kept from region to region, destroyed at most once, with copyin by assignment.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "check.h"

namespace {

int constructed, destroyed, assigned;

struct Tracked {
  static constexpr int kAlive = 0x11223344;
  int state = kAlive;
  int value = 7;
  std::string text = "fresh";
  Tracked() { add_one(&constructed); }
  Tracked(const Tracked& other) : value(other.value), text(other.text) { add_one(&constructed); }
  Tracked& operator=(const Tracked& other) {
    add_one(&assigned);
    value = other.value;
    text = other.text;
    return *this;
  }
  ~Tracked() {
    CHECK_EQ(state, kAlive);
    state = 0;
    add_one(&destroyed);
  }
};

thread_local Tracked local_object;
thread_local std::vector<int> local_vector;
thread_local std::unique_ptr<std::string> local_pointer;

// The directive must come before the definition, because its constructor call is a use.
extern Tracked private_object;
#pragma omp threadprivate(private_object)
Tracked private_object;

int dynamic_start() {
  static int next = 100;
  return __atomic_fetch_add(&next, 1, __ATOMIC_ACQ_REL);
}
extern int private_dynamic;
#pragma omp threadprivate(private_dynamic)
int private_dynamic = dynamic_start();

void constructed_once() {
  int n = omp_get_max_threads(), before = constructed;
  std::vector<Tracked*> where(n);
  local_object.value = 1;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me != 0) CHECK(local_object.text == "fresh");
    local_object.value = 1000 + me;
    local_object.text = "thread " + std::to_string(me);
    where[me] = &local_object;
    local_vector.assign(5, me);
    local_pointer = std::make_unique<std::string>(std::to_string(me));
  }
  int after = constructed;
  // One use constructs all such objects of the source file.
  CHECK(after - before <= 2 * n);
  for (int round = 0; round < 6; round++) {
#pragma omp parallel
    {
      int me = omp_get_thread_num();
      CHECK(where[me] == &local_object);
      CHECK_EQ(local_object.value, 1000 + me);
      CHECK(local_object.text == "thread " + std::to_string(me));
      CHECK_EQ(local_vector.size(), 5 + round);
      CHECK_EQ(local_vector[0], me);
      CHECK(*local_pointer == std::to_string(me));
#pragma omp barrier
      local_vector.push_back(round);
      CHECK(where[me] == &local_object);
    }
  }
  CHECK_EQ(constructed, after);
  CHECK_EQ(destroyed, 0);
  CHECK_EQ(std::set<Tracked*>(where.begin(), where.end()).size(), n);
}

void threadprivate_objects() {
  int n = omp_get_max_threads();
#pragma omp parallel
  {
    private_object.value = omp_get_thread_num();
    private_object.text += std::to_string(omp_get_thread_num());
  }
#pragma omp parallel
  {
    CHECK_EQ(private_object.value, omp_get_thread_num());
    CHECK(private_object.text == "fresh" + std::to_string(omp_get_thread_num()));
  }
  private_object.value = 55;
  private_object.text = std::string(200, 'x');
  assigned = 0;
#pragma omp parallel copyin(private_object)
  {
    CHECK_EQ(private_object.value, 55);
    CHECK_EQ(private_object.text.size(), 200);
#pragma omp barrier
    private_object.value = omp_get_thread_num();
  }
  CHECK_EQ(assigned, n - 1);
}

void dynamic_initialisers() {
  int n = omp_get_max_threads();
  std::vector<int> values(n);
#pragma omp parallel
  values[omp_get_thread_num()] = private_dynamic;
  CHECK_EQ(std::set<int>(values.begin(), values.end()).size(), n);
#pragma omp parallel
  CHECK_EQ(values[omp_get_thread_num()], private_dynamic);
}

void in_tasks_and_inner_teams() {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 4))
  {
    local_object.value = omp_get_thread_num();
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 40; i++) {
#pragma omp task
      CHECK_EQ(local_object.value, omp_get_thread_num());
    }
    Tracked* mine = &local_object;
#pragma omp parallel num_threads(2) shared(mine)
    {
      if (omp_get_thread_num() == 0) CHECK(&local_object == mine);
      if (omp_get_thread_num() != 0) CHECK(&local_object != mine);
      local_object.text = "inner";
#pragma omp barrier
      CHECK(local_object.text == "inner");
    }
  }
}

}  // namespace

int main() {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(constructed_once);
  RUN(threadprivate_objects);
  RUN(dynamic_initialisers);
  RUN(in_tasks_and_inner_teams);
  CHECK(destroyed <= constructed);
  return check_end();
}
