// SPDX-License-Identifier: Apache-2.0
// A kernel thread that rests is called for a task: it is not taken for busy. The maker here waits
// for the task outside of any scheduling point, so a call that is lost is a deadlock.
#include <gtest/gtest.h>

#include "model/runtime/job.h"
#include "model/runtime/parts.h"

namespace bobbin::model {
namespace {

using Job = JobOf<Stage>;

void begin(void* data) { static_cast<Job*>(data)->shared->flag.store(1, release); }

void make_and_wait(Stage& stage) {
  Job job{&stage, 0};
  TaskSpec spec = spec_of(job, &begin);
  spec.look_ahead = true;  // deferred, however few may take it
  create_task(stage.me(), spec);
  while (stage.flag.load(acquire) == 0) bobbin::cpu_pause();
}

void rest(Stage& /*stage*/) {}

// A thread left over from the region before looks in at this one, in which it has no part.
TEST(ModelTaskCall, AfterLargerRegion) {
  Result result = explore({.preemptions = 1, .stale_reads = 0, .impatience = 0}, [] {
    Thread& root = make<World>(Provider::Kernel)->add_root();
    perform(root, {rest, rest, rest});
    perform(root, {make_and_wait, rest});
  });
  EXPECT_TRUE(result.passed()) << result;
}

}  // namespace
}  // namespace bobbin::model
