// SPDX-License-Identifier: Apache-2.0
#include "sema/crash.h"

#include <pthread.h>
#include <unistd.h>
#include <csetjmp>
#include <csignal>

#include <array>
#include <string_view>
#include <vector>

namespace bobbin::translate {
namespace {

constexpr size_t kStack = size_t{256} << 20;  // only what is touched is used
constexpr size_t kSignalStack = size_t{64} << 10;
constexpr std::array<int, 4> kSignals = {SIGSEGV, SIGBUS, SIGILL, SIGABRT};
constexpr int kFailed = 125;

// Where survives() goes on; null: it is not being executed.
thread_local sigjmp_buf* place = nullptr;

void handle(int number) {
  if (place != nullptr) siglongjmp(*place, 1);
  constexpr std::string_view kMessage =
      "bobbin translate: the source is nested too deeply, or the translator has a mistake\n";
  if (number == SIGABRT) return;  // abort() ends the program
  (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
  _exit(kFailed);
}

class Handlers {
 public:
  Handlers() {
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~Handlers() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;

 private:
  std::array<struct sigaction, kSignals.size()> before_{};
};

// At the end of the stack a signal is handled on another one.
void* run_with_signal_stack(void* function) {
  std::vector<char> memory(kSignalStack);
  stack_t stack = {};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  stack_t before = {};
  sigaltstack(&stack, &before);
  {
    const Handlers handlers;
    (*static_cast<const std::function<void()>*>(function))();
  }
  sigaltstack(&before, nullptr);
  return nullptr;
}

}  // namespace

void run_on_large_stack(const std::function<void()>& function) {
  std::function<void()> copy = function;
  pthread_t thread{};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  const int error = pthread_create(&thread, &attributes, run_with_signal_stack, &copy);
  pthread_attr_destroy(&attributes);
  if (error == 0) {
    pthread_join(thread, nullptr);
  } else {
    run_with_signal_stack(&copy);  // there is no room for such a stack
  }
}

bool survives(const std::function<void()>& function) {
  sigjmp_buf here;
  const Handlers handlers;
  if (sigsetjmp(here, 1) != 0) {
    place = nullptr;
    return false;
  }
  place = &here;
  function();
  place = nullptr;
  return true;
}

}  // namespace bobbin::translate
