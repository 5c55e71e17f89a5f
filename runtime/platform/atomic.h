// SPDX-License-Identifier: Apache-2.0
// Atomics, fences and the spin hint, under names that the interleaving explorer can take over.
//
// With BOBBIN_MODEL defined, every operation below is a scheduling point of tests/model/, which
// runs the very same runtime code under all schedules (up to a bound) and with the stale reads that
// the memory model allows. So runtime code uses bobbin::Atomic, fence() and cpu_pause(), and never
// std::atomic, std::atomic_thread_fence or a compiler's __atomic builtin.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(BOBBIN_MODEL)
#include "model/atomic.h"
#endif

namespace bobbin {

inline constexpr std::memory_order relaxed = std::memory_order_relaxed;
inline constexpr std::memory_order acquire = std::memory_order_acquire;
inline constexpr std::memory_order release = std::memory_order_release;
inline constexpr std::memory_order acq_rel = std::memory_order_acq_rel;
inline constexpr std::memory_order seq_cst = std::memory_order_seq_cst;

// A constant, not std::hardware_destructive_interference_size. That value changes with -mtune, and
// object files of different translation units must agree on these sizes.
inline constexpr std::size_t kCacheLine = 64;

#if defined(BOBBIN_MODEL)

template <class T>
using Atomic = model::Atomic<T>;

inline void fence(std::memory_order order, model::Where where = model::Where::current()) {
  model::fence(order, where);
}
inline void cpu_pause(model::Where where = model::Where::current()) { model::spin_hint(where); }
inline int spin_limit(int rounds) { return rounds > 0 ? model::choose(2) : 0; }

// Not explored. A thread that reads a stale value detects it by an operation that is explored.
template <class T, std::memory_order, std::memory_order>
class Glanced {
 public:
  constexpr Glanced(T value = T{}) : value_(value) {}
  operator T() const { return value_; }
  T operator->() const { return value_; }
  T operator=(T value) { return value_ = value; }

 private:
  T value_;
};

template <class T>
using Owned = model::Var<T>;

#else

template <class T>
using Atomic = std::atomic<T>;

// A plain field that changes owners: only its present owner uses it. The explorer looks for data
// races on it.
template <class T>
using Owned = T;

// ThreadSanitizer does not derive happens-before from fences. Runtime code therefore takes data
// through release/acquire operations and uses fences only for store-load order (seq_cst).
[[gnu::always_inline]] inline void fence(std::memory_order order) {
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
  std::atomic_thread_fence(order);
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
}

[[gnu::always_inline]] inline void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // On most cores `yield` is a nop; `isb` really holds the pipeline for some ten cycles.
  __asm__ __volatile__("isb" ::: "memory");
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

// How many rounds a bounded spin takes before it sleeps. The explorer takes none or one, and tries
// both, because more rounds reach no state that these two do not reach.
[[gnu::always_inline]] inline int spin_limit(int rounds) { return rounds; }

template <class T, std::memory_order kLoad, std::memory_order kStore>
class Glanced {
 public:
  // The initialisation is atomic as well: when memory is reused, other threads may still read the
  // object that lay here before.
  constexpr Glanced(T value = T{}) {
    if (std::is_constant_evaluated()) {
      value_ = value;
    } else {
      *this = value;
    }
  }
  Glanced(const Glanced& other) : Glanced(T{other}) {}
  Glanced& operator=(const Glanced& other) {
    *this = T{other};
    return *this;
  }
  // These builtins take addresses. The forms by value exist in clang for integers and pointers
  // only, not for enumerations.
  operator T() const {
    T value;
    __atomic_load(&value_, &value, static_cast<int>(kLoad));
    return value;
  }
  T operator->() const { return *this; }
  T operator=(T value) {
    __atomic_store(&value_, &value, static_cast<int>(kStore));
    return value;
  }

 private:
  T value_;
};

#endif

// A field that its owner uses without synchronisation, and that other threads may read. They see
// some value that the field had. They check by other means whether the value belonged to the object
// that they meant.
template <class T>
using Relaxed = Glanced<T, relaxed, relaxed>;

// The same for a pointer that the other threads follow: they see the object behind it initialised.
template <class T>
using Followed = Glanced<T, acquire, release>;

}  // namespace bobbin
