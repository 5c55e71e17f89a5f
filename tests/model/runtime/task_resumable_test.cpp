// SPDX-License-Identifier: Apache-2.0
// Resumable tasks on a team of two (the invariant of task/model/resumable.h). While a child runs, a
// thief may take the rest of its maker, and may leave it again in any queue. A frame that two
// threads executed, or that one executed from an old point, would do a part twice. One that was
// resumed before it was completely written would go on at a wrong point. A thread that waited for
// parts must see their writes.
#include <gtest/gtest.h>

#include "model/runtime/world.h"
#include "task/create/create.h"
#include "task/create/resumable.h"
#include "task/wait/wait.h"

namespace bobbin::model {
namespace {

struct Case {
  Var<int> done[4];   // of each child
  Var<int> parts[4];  // of its maker, after it has been made
  Var<int> ended[2];
  void (*part)(Case&) = nullptr;

  static void run(void* data) {
    auto* self = static_cast<Case*>(data);
    if (bobbin::self().member->num == 0) self->part(*self);
  }
};

struct Data {
  Case* shared;
  int slot;
};

struct DataFrame {
  Frame frame;
  Data data;
  int children;  // that have been made
};

void add_one(Var<int>& to) { to = to + 1; }

void call_leaf(void* data) {
  auto* job = static_cast<Data*>(data);
  add_one(job->shared->done[job->slot]);
}
int resume_leaf(Frame* frame) {
  call_leaf(&reinterpret_cast<DataFrame*>(frame)->data);
  return 1;
}
constexpr bobbin_omp_resumable kLeaf{&call_leaf, &resume_leaf, sizeof(DataFrame), sizeof(Data)};

bool make_leaf(DataFrame& own, int slot) {
  Data job{own.data.shared, slot};
  const Way way = make_way(bobbin::self(), own.frame, kLeaf, &job);
  if (way == Way::NotMade) call_leaf(&job);
  return way != Way::Left;
}

enum class End : bool { Waits, Ends };

// Makes its children in a loop, so it is left at the same point each time.
template <int kChildren, End kEnd>
int resume_maker(Frame* frame) {
  auto* own = reinterpret_cast<DataFrame*>(frame);
  const int first = own->data.slot * 2;
  switch (frame->at) {
    case 1:
      goto made;
    case 2:
      goto waited;
    default:
      break;
  }
  for (own->children = 0; own->children < kChildren; ++own->children) {
    frame->at = 1;
    if (!make_leaf(*own, first + own->children)) return 0;
  made:
    add_one(own->data.shared->parts[first + own->children]);
  }
  if (kEnd == End::Waits) {
    frame->at = 2;
    if (leave_for_children(bobbin::self(), *frame)) return 0;
  waited:
    for (int i = 0; i < kChildren; ++i) MODEL_CHECK(own->data.shared->done[first + i] == 1);
  }
  add_one(own->data.shared->ended[own->data.slot]);
  return 1;
}

void never_called(void*) { MODEL_CHECK(false); }

template <int kChildren, End kEnd>
void make(Case& shared, int slot) {
  static constexpr bobbin_omp_resumable kForm{&never_called, &resume_maker<kChildren, kEnd>,
                                              sizeof(DataFrame), sizeof(Data)};
  Data job{&shared, slot};
  MODEL_CHECK(defer_resumable(bobbin::self(), kForm, &job));
}

template <int kChildren, End kEnd>
void make_and_wait(Case& shared) {
  make<kChildren, kEnd>(shared, 0);
  taskwait(bobbin::self());
  MODEL_CHECK(shared.ended[0] == 1);
}

template <int kChildren, End kEnd>
void make_only(Case& shared) {
  make<kChildren, kEnd>(shared, 0);
}

// One of them may go through the other's thread, and use its memory again.
void make_two(Case& shared) {
  make<1, End::Ends>(shared, 0);
  make<1, End::Waits>(shared, 1);
}

// A called function that waits for its caller's child. Both are left there.
int resume_waiting(Frame* frame) {
  if (frame->at == 0) {
    frame->at = 1;
    if (leave_for_children(bobbin::self(), *frame)) return 0;
  }
  auto* own = reinterpret_cast<DataFrame*>(frame);
  MODEL_CHECK(own->data.shared->done[0] == 1);
  add_one(own->data.shared->ended[0]);
  return 1;
}
int resume_caller(Frame* frame) {
  auto* own = reinterpret_cast<DataFrame*>(frame);
  Frame* callee;
  switch (frame->at) {
    case 1:
      goto made;
    case 2:
      goto called;
    default:
      break;
  }
  frame->at = 1;
  if (!make_leaf(*own, 0)) return 0;
made:
  add_one(own->data.shared->parts[0]);
  callee = make_call_frame(bobbin::self(), *frame, &resume_waiting, sizeof(DataFrame));
  MODEL_CHECK(callee != nullptr);
  reinterpret_cast<DataFrame*>(callee)->data = own->data;
  frame->at = 2;
  if (callee->resume(callee) == 0) return 0;
called:
  free_call_frame(bobbin::self(), *frame->callee);
  MODEL_CHECK(own->data.shared->ended[0] == 1);
  add_one(own->data.shared->ended[1]);
  return 1;
}
void make_caller(Case& shared) {
  static constexpr bobbin_omp_resumable kForm{&never_called, &resume_caller, sizeof(DataFrame),
                                              sizeof(Data)};
  Data job{&shared, 0};
  MODEL_CHECK(defer_resumable(bobbin::self(), kForm, &job));
  taskwait(bobbin::self());
  MODEL_CHECK(shared.ended[1] == 1);
}

Result region(Options options, Provider provider, int children, int tasks, void (*part)(Case&)) {
  return explore(options, [=] {
    auto* world = bobbin::make<World>(provider);
    Thread& root = world->add_root();
    if (provider == Provider::Fiber) world->start_helper();
    auto* shared = bobbin::make<Case>();
    shared->part = part;
    Team* team = assemble(root, 2, Icvs{});
    fork(root, *team, &Case::run, shared);
    Case::run(shared);
    join(root, *team);
    int done = 0;
    int parts = 0;
    int ended = 0;
    for (const Var<int>& one : shared->done) done += one;
    for (const Var<int>& one : shared->parts) parts += one;
    for (const Var<int>& one : shared->ended) ended += one;
    MODEL_CHECK(done == children && parts == children && ended == tasks);
  });
}

constexpr Options kTwo{.preemptions = 2, .stale_reads = 0};
constexpr Options kOne{.preemptions = 1, .stale_reads = 0};
constexpr Options kStale{.preemptions = 1, .stale_reads = 1};

TEST(ModelResumable, Taskwait) {
  Result result = region(kTwo, Provider::Kernel, 1, 1, &make_and_wait<1, End::Waits>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelResumable, TaskwaitStale) {
  Result result = region(kStale, Provider::Kernel, 1, 1, &make_and_wait<1, End::Waits>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelResumable, TaskwaitFiber) {
  Result result = region(kOne, Provider::Fiber, 1, 1, &make_and_wait<1, End::Waits>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelResumable, TwoChildren) {
  Result result = region(kOne, Provider::Kernel, 2, 1, &make_and_wait<2, End::Waits>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelResumable, EndOfRegion) {
  Result result = region(kOne, Provider::Kernel, 1, 1, &make_only<1, End::Ends>);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelResumable, TwoTasks) {
  Result result = region(kOne, Provider::Kernel, 2, 2, &make_two);
  EXPECT_TRUE(result.passed()) << result;
}

TEST(ModelResumable, Call) {
  Result result = region(kTwo, Provider::Kernel, 1, 2, &make_caller);
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
