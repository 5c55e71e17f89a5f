// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "platform/signals/stack_guard.h"

// Sanitizers would give each thread a stack of their own.
extern "C" const char* __asan_default_options() { return "use_sigaltstack=0"; }
extern "C" const char* __tsan_default_options() { return "use_sigaltstack=0"; }

namespace bobbin {
namespace {

bool has_alternate_stack() {
  stack_t current = {};
  return sigaltstack(nullptr, &current) == 0 && (current.ss_flags & SS_DISABLE) == 0;
}

AltStack stack;

// One record serves several kernel threads, one after the other, however the earlier one has ended.
TEST(AltStack, ServesTheNextThread) {
  struct sigaction action = {};
  action.sa_handler = [](int) { stack.remove(); };
  action.sa_flags = SA_ONSTACK;
  ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);
  for (bool on_it : {false, true, false}) {
    std::thread([&] {
      EXPECT_FALSE(has_alternate_stack());
      EXPECT_TRUE(stack.install());
      EXPECT_TRUE(has_alternate_stack());
      if (on_it) {
        raise(SIGUSR1);
        raise(SIGUSR1);  // it is still there
      } else {
        stack.remove();
        EXPECT_FALSE(has_alternate_stack());
      }
    }).join();
  }
}

}  // namespace
}  // namespace bobbin
