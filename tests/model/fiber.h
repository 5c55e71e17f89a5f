// SPDX-License-Identifier: Apache-2.0
// Coroutines for the threads of a test: all run on one kernel thread.
#pragma once

#include <csetjmp>
#include <cstddef>

namespace bobbin::model {

class Fiber {
 public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  // Makes the fiber start at entry(argument) at the next switch to it, whatever it did before.
  // `entry` must not return.
  void prepare(void (*entry)(void*), void* argument);

  // Saves the running context in `from` and continues this fiber.
  void switch_from(Fiber& from);

 private:
  static constexpr std::size_t kStack = 256 * 1024;
  static void trampoline(unsigned high, unsigned low);
  void start();

  std::jmp_buf context_;
  bool fresh_ = false;
  void* stack_ = nullptr;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace bobbin::model
