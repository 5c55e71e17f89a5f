// SPDX-License-Identifier: Apache-2.0
#include "platform/signals/failed_call.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "platform/signals/nudge_data.h"
#include "platform/signals/passed_call.h"

namespace bobbin {
namespace {

constexpr int kSignal = 50;
std::atomic<int> found;
std::atomic<int> handled;

void on_signal(int /*signal*/, siginfo_t* info, void* context) {
  Interrupted at(context);
  BlockedCall call;
  if (find_failed_call(at, *info, call)) {
    found = call.number;
    start_again(call, at);
  }
  handled++;
}

struct Sleeper {
  timespec* left = nullptr;
  std::atomic<pid_t> id{0};
  long passed = -1;
  long result = 0;
  double seconds = 0;
};

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

using Syscall = long (*)(long, ...);
const auto c_syscall = reinterpret_cast<Syscall>(dlsym(RTLD_NEXT, "syscall"));

// By syscall(), whose code does not tell the number.
void* sleep_once(void* argument) {
  auto& sleeper = *static_cast<Sleeper*>(argument);
  const timespec wanted{0, 300'000'000};
  const double begin = now();
  sleeper.id = static_cast<pid_t>(syscall(SYS_gettid));
  const PassingCall passing(sleeper.passed, CLOCK_MONOTONIC);
  sleeper.result = c_syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &wanted, sleeper.left);
  sleeper.seconds = now() - begin;
  return nullptr;
}

class FailedCall : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer calls handlers after the call that they interrupt";
#endif
    found = 0;
    handled = 0;
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ASSERT_EQ(sigaction(kSignal, &action, nullptr), 0);
  }

  // Interrupts the sleeper; `change` applies to what is sent along.
  template <class Change>
  void interrupt(Sleeper& sleeper, Change change) {
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, nullptr, sleep_once, &sleeper), 0);
    while (sleeper.id == 0) sched_yield();
    BlockedCall call;
    while (!read_blocked_call(sleeper.id, call)) sched_yield();
    foreign_ = call.number != SYS_clock_nanosleep;
    change(call);
    siginfo_t info = {};
    put_nudge_data(info, call);
    info.si_signo = kSignal;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    syscall(SYS_rt_tgsigqueueinfo, getpid(), sleeper.id.load(), kSignal, &info);
    ASSERT_EQ(pthread_join(thread, nullptr), 0);
    ASSERT_EQ(handled, 1);
  }

  // Under QEMU's user emulation the file shows a system call of the emulator.
  bool foreign_ = false;
};

TEST_F(FailedCall, StartsAgain) {
  Sleeper sleeper;
  interrupt(sleeper, [](BlockedCall&) {});
  if (foreign_) GTEST_SKIP() << "this kernel shows another machine's system calls";
  EXPECT_EQ(found, SYS_clock_nanosleep);
  EXPECT_EQ(sleeper.result, 0);
  EXPECT_GE(sleeper.seconds, 0.3);
}

TEST_F(FailedCall, SleepsForTheRest) {
  timespec left{7, 7};
  Sleeper sleeper;
  sleeper.left = &left;
  interrupt(sleeper, [](BlockedCall&) {});
  if (foreign_) GTEST_SKIP() << "this kernel shows another machine's system calls";
  EXPECT_EQ(sleeper.result, 0);
  EXPECT_GE(sleeper.seconds, 0.3);
  EXPECT_EQ(left.tv_sec, 0);  // the kernel has stored the rest, which was slept for
  EXPECT_LE(left.tv_nsec, 300'000'000);
}

TEST_F(FailedCall, IsAnother) {
  Sleeper sleeper;
  interrupt(sleeper, [](BlockedCall& call) { call.arguments[2]++; });
  EXPECT_EQ(found, 0);
  EXPECT_EQ(sleeper.result, -1);
}

// The sender has seen no call.
TEST_F(FailedCall, WasPassed) {
  timespec left{7, 7};
  Sleeper sleeper;
  sleeper.left = &left;
  sleeper.passed = SYS_clock_nanosleep;
  passing_function = reinterpret_cast<uintptr_t>(c_syscall);
  interrupt(sleeper, [](BlockedCall& call) { call.waits--; });
  passing_function = 0;
  EXPECT_EQ(found, SYS_clock_nanosleep);
  EXPECT_EQ(sleeper.result, 0);
  EXPECT_GE(sleeper.seconds, 0.3);
}

TEST_F(FailedCall, IsALaterOne) {
  Sleeper sleeper;
  interrupt(sleeper, [](BlockedCall& call) { call.waits--; });
  EXPECT_EQ(found, 0);
  EXPECT_EQ(sleeper.result, -1);
}

}  // namespace
}  // namespace bobbin
