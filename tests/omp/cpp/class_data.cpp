// SPDX-License-Identifier: Apache-2.0
// Data clauses with objects: private, firstprivate, lastprivate, copyprivate and reductions call
// constructors, assignments and destructors as the specification demands, and no call is missing.
// Tasks copy their firstprivate objects once and destroy them.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check.h"

namespace {

int alive, defaults, copies, assignments;

struct Object {
  int value = 0;
  std::string text = "default";
  Object() {
    add_one(&alive);
    add_one(&defaults);
  }
  Object(int v, const char* t) : value(v), text(t) { add_one(&alive); }
  Object(const Object& other) : value(other.value), text(other.text) {
    add_one(&alive);
    add_one(&copies);
  }
  Object& operator=(const Object& other) {
    value = other.value;
    text = other.text;
    add_one(&assignments);
    return *this;
  }
  ~Object() {
    text = "destroyed";
    __atomic_fetch_sub(&alive, 1, __ATOMIC_ACQ_REL);
  }
};

void reset() { defaults = copies = assignments = 0; }

void private_and_first() {
  int n = omp_get_max_threads();
  {
    Object shared_object(5, "a text long enough to live on the heap"), scratch(1, "mine");
    reset();
#pragma omp parallel firstprivate(shared_object) private(scratch)
    {
      CHECK_EQ(shared_object.value, 5);
      CHECK(shared_object.text == "a text long enough to live on the heap");
      CHECK(scratch.text == "default");
      shared_object.text += std::to_string(omp_get_thread_num());
      scratch.value = omp_get_thread_num();
#pragma omp barrier
      CHECK_EQ(scratch.value, omp_get_thread_num());
    }
    CHECK_EQ(copies, n);
    CHECK_EQ(defaults, n);
    CHECK_EQ(alive, 2);
    CHECK(scratch.text == "mine");
    Object last;
    reset();
#pragma omp parallel for lastprivate(last) schedule(dynamic)
    for (int i = 0; i < 40; i++) last = Object(i, "from the loop");
    CHECK_EQ(last.value, 39);
    CHECK(last.text == "from the loop");
    CHECK_EQ(assignments, 41);
#pragma omp parallel
    {
      Object mine;
#pragma omp single copyprivate(mine)
      mine = Object(77, "broadcast to every thread of the team");
      CHECK_EQ(mine.value, 77);
      CHECK(mine.text == "broadcast to every thread of the team");
    }
  }
  CHECK_EQ(alive, 0);
}

void tasks() {
  {
    Object object(3, "copied into the task, heap allocated text");
    std::vector<int> vector(100, 4);
    std::string text(300, 't');
    int ran = 0;
    reset();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(object, vector, text) shared(ran)
      {
        CHECK_EQ(object.value, 3);
        CHECK(object.text == "copied into the task, heap allocated text");
        CHECK_EQ(vector.size(), 100);
        CHECK_EQ(vector[99], 4);
        CHECK_EQ(text.size(), 300);
        object.text.clear();
        vector.clear();
        text.assign(5, 'x');
        add_one(&ran);
      }
      object.value = 3;
    }
    CHECK_EQ(ran, 100);
    CHECK_EQ(copies, 100);
    CHECK_EQ(alive, 1);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop firstprivate(object) num_tasks(6) shared(ran)
      for (int i = 0; i < 60; i++) {
        CHECK_EQ(object.value, 3);
        add_one(&ran);
      }
#pragma omp task if (0) firstprivate(object)
      CHECK_EQ(object.value, 3);
#pragma omp task depend(out : ran) firstprivate(text)
      CHECK_EQ(text.size(), 300);
    }
    CHECK_EQ(ran, 160);
    CHECK_EQ(alive, 1);
  }
  CHECK_EQ(alive, 0);
}

// Tasks with objects that cancellation discards (or that run): the copies are destroyed in either
// case.
void cancelled_tasks() {
  {
    Object object(1, "discarded or not, its destructor must run");
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(object)
      {
        object.value++;
        if (i == 3) {
#pragma omp cancel taskgroup
        }
      }
    }
  }
  if (!omp_get_cancellation()) CHECK_EQ(alive, 0);
}

struct Histogram {
  std::map<std::string, int> counts;
  void merge(const Histogram& other) {
    for (const auto& [key, count] : other.counts) counts[key] += count;
  }
};
#pragma omp declare reduction(merge:Histogram : omp_out.merge(omp_in))
#pragma omp declare reduction( \
        append : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))
#pragma omp declare reduction(+ : Object : omp_out.value += omp_in.value) \
    initializer(omp_priv = Object(0, "initialised"))

void reductions() {
  Histogram histogram;
  histogram.counts["k0"] = 1000;
#pragma omp parallel for reduction(merge : histogram)
  for (int i = 0; i < 300; i++) histogram.counts["k" + std::to_string(i % 7)]++;
  CHECK_EQ(histogram.counts.size(), 7);
  CHECK_EQ(histogram.counts["k0"], 1043);
  CHECK_EQ(histogram.counts["k6"], 42);
  std::vector<int> all;
#pragma omp parallel for reduction(append : all) schedule(dynamic)
  for (int i = 0; i < 200; i++) all.push_back(i);
  std::sort(all.begin(), all.end());
  CHECK_EQ(all.size(), 200);
  for (int i = 0; i < 200; i++) CHECK_EQ(all[i], i);
  {
    Object sum(10, "original");
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum.value += i;
    CHECK_EQ(sum.value, 4960);
    CHECK(sum.text == "original");
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : sum)
      sum.value += 1;
    }
    CHECK_EQ(sum.value, 4990);
  }
  CHECK_EQ(alive, 0);
}

// Members in data clauses, through this.
class Machine {
 public:
  void run() {
#pragma omp parallel for firstprivate(factor_) reduction(+ : total_)
    for (int i = 0; i < 50; i++) total_ += factor_ * i;
#pragma omp parallel
    {
#pragma omp single
      {
#pragma omp task
        step();
      }
    }
  }
  int total() const { return total_; }

 private:
  void step() { total_ += 1; }
  int factor_ = 2;
  int total_ = 0;
};

void members() {
  Machine machine;
  machine.run();
  CHECK_EQ(machine.total(), 2 * 1225 + 1);
}

}  // namespace

int main() {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(private_and_first);
  RUN(tasks);
  RUN(reductions);
  RUN(members);
  RUN(cancelled_tasks);
  return check_end();
}
