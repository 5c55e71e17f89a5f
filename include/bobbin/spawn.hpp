// SPDX-License-Identifier: Apache-2.0
// Spawn and sync for C++ (C++17), with function objects in place of functions and arguments:
//
//   long fib(int n) {
//     if (n < 2) return n;
//     long a;
//     bobbin::Scope scope;
//     scope.spawn([&] { a = fib(n - 1); });
//     long b = fib(n - 2);
//     scope.sync();
//     return a + b;
//   }
//
//   bobbin::parallel([&] { result = fib(30); });
//
// bobbin/spawn.h tells what it means.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "bobbin/spawn.h"

namespace bobbin {

// Syncs at its end.
class Scope {
 public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { sync(); }

  // Calls `function`, or a copy of it (moved, if it is a temporary) that is then destroyed. One
  // that throws ends the program.
  template <class Given>
  __attribute__((always_inline)) void spawn(Given&& function) {
    if (bobbin_calls_at_once_()) {
      call(function);
    } else {
      spawn_slowly(std::forward<Given>(function));
    }
  }

  void sync() { bobbin_sync(&scope_); }

 private:
  template <class Function>
  static void call(Function& function) noexcept {
    function();
  }

  template <class Given>
  __attribute__((noinline)) void spawn_slowly(Given&& function) {
    using Function = std::decay_t<Given>;
    if constexpr (std::is_trivially_copyable_v<Function> &&
                  alignof(Function) <= alignof(std::max_align_t)) {
      bobbin_spawn_copy_slowly(
          &scope_, [](void* copy) { call(*static_cast<Function*>(copy)); },
          std::addressof(function), sizeof(Function));
    } else {
      bobbin_spawn_slowly(
          &scope_,
          [](void* moved) {
            std::unique_ptr<Function> own(static_cast<Function*>(moved));
            call(*own);
          },
          new Function(std::forward<Given>(function)));
    }
  }

  bobbin_scope scope_ = BOBBIN_SCOPE;
};

// As bobbin_parallel. An exception that leaves `function` ends the program.
template <class Function>
void parallel(Function&& function, unsigned threads = 0) {
  bobbin_parallel(
      [](void* it) noexcept { (*static_cast<std::remove_reference_t<Function>*>(it))(); },
      const_cast<void*>(static_cast<const void*>(std::addressof(function))), threads);
}

}  // namespace bobbin
