// SPDX-License-Identifier: Apache-2.0
// Instrumented replacements: Atomic<T> for std::atomic<T>, and Var<T> for a plain variable whose
// accesses are checked for data races. platform/atomic.h includes this when BOBBIN_MODEL is
// defined.
#pragma once

#include "model/engine.h"

namespace bobbin::model {

template <class T>
class Atomic {
 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  constexpr Atomic(T value = T{}, Where where = Where::current()) noexcept : value_(value) {
    if (!std::is_constant_evaluated() && engine::active()) engine::create(object(), where);
  }
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst,
         Where where = Where::current()) const {
    if (!engine::active()) return value_;
    return from_word<T>(engine::load(object(), order, where));
  }
  operator T() const { return load(); }

  void store(T value, std::memory_order order = std::memory_order_seq_cst,
             Where where = Where::current()) {
    if (engine::active()) {
      engine::store(object(), to_word(value), order, where);
    } else {
      value_ = value;
    }
  }
  T operator=(T value) {
    store(value);
    return value;
  }

  T exchange(T value, std::memory_order order = std::memory_order_seq_cst,
             Where where = Where::current()) {
    return modify([&](T) { return value; }, order, where);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Where where = Where::current()) {
    if (!engine::active()) {
      if (to_word(value_) != to_word(expected)) {
        expected = value_;
        return false;
      }
      value_ = desired;
      return true;
    }
    Word seen = to_word(expected);
    if (engine::compare_exchange(object(), seen, to_word(desired), success, failure, where)) {
      return true;
    }
    expected = from_word<T>(seen);
    return false;
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = std::memory_order_seq_cst,
                               Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, failure_order(order), where);
  }
  // Spurious failures are not explored: they would only repeat what the caller's loop does anyway.
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, success, failure, where);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = std::memory_order_seq_cst,
                             Where where = Where::current()) {
    return compare_exchange_strong(expected, desired, order, failure_order(order), where);
  }

  T fetch_add(auto n, std::memory_order order = std::memory_order_seq_cst,
              Where where = Where::current()) {
    return modify([&](T old) { return static_cast<T>(old + n); }, order, where);
  }
  T fetch_sub(auto n, std::memory_order order = std::memory_order_seq_cst,
              Where where = Where::current()) {
    return modify([&](T old) { return static_cast<T>(old - n); }, order, where);
  }
  T fetch_and(T n, std::memory_order order = std::memory_order_seq_cst,
              Where where = Where::current()) {
    return modify([&](T old) { return static_cast<T>(old & n); }, order, where);
  }
  T fetch_or(T n, std::memory_order order = std::memory_order_seq_cst,
             Where where = Where::current()) {
    return modify([&](T old) { return static_cast<T>(old | n); }, order, where);
  }
  T fetch_xor(T n, std::memory_order order = std::memory_order_seq_cst,
              Where where = Where::current()) {
    return modify([&](T old) { return static_cast<T>(old ^ n); }, order, where);
  }
  T operator++() { return static_cast<T>(fetch_add(1) + 1); }
  T operator++(int) { return fetch_add(1); }
  T operator--() { return static_cast<T>(fetch_sub(1) - 1); }
  T operator--(int) { return fetch_sub(1); }
  T operator+=(auto n) { return static_cast<T>(fetch_add(n) + n); }
  T operator-=(auto n) { return static_cast<T>(fetch_sub(n) - n); }
  T operator|=(T n) { return static_cast<T>(fetch_or(n) | n); }
  T operator&=(T n) { return static_cast<T>(fetch_and(n) & n); }

  bool is_lock_free() const { return true; }
  Object object() const { return {this, sizeof(*this), to_word(value_)}; }

 private:
  static constexpr std::memory_order failure_order(std::memory_order order) {
    if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
    if (order == std::memory_order_release) return std::memory_order_relaxed;
    return order;
  }

  template <class F>
  T modify(F next, std::memory_order order, Where where) {
    if (!engine::active()) {
      T old = value_;
      value_ = next(old);
      return old;
    }
    T old = from_word<T>(engine::rmw_begin(object(), order, where));
    engine::rmw_end(object(), to_word(next(old)), order, where);
    return old;
  }

  // Written only outside of executions. Inside, the values live in the explorer's histories, so
  // that a global starts every execution with its initial value. Aligned as std::atomic is.
  static constexpr std::size_t kAlignment =
      (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 16 ? sizeof(T) : alignof(T);
  alignas(kAlignment > alignof(T) ? kAlignment : alignof(T)) T value_;
};

template <class T>
class Var {
 public:
  Var(T value = T{}, Where where = Where::current()) : value_(value) {
    engine::create_plain(this, sizeof(*this), where);
  }
  Var(const Var& other) : Var(other.get()) {}
  Var& operator=(const Var& other) { return *this = other.get(); }

  T get(Where where = Where::current()) const {
    engine::read_plain(this, sizeof(*this), where);
    return value_;
  }
  void set(T value, Where where = Where::current()) {
    engine::write_plain(this, sizeof(*this), where);
    value_ = value;
  }
  operator T() const { return get(); }
  Var& operator=(T value) {
    set(value);
    return *this;
  }
  T operator->() const { return get(); }

 private:
  T value_;
};

inline void fence(std::memory_order order, Where where = Where::current()) {
  if (engine::active()) engine::fence(order, where);
}

// One turn of a waiting loop. The thread does not run again until a location that it has read since
// its previous hint has a newer value, or nothing else can run.
inline void spin_hint(Where where = Where::current()) {
  if (engine::active()) engine::spin_hint(where);
}

// A choice that the test or the code under test leaves open: every answer in [0, options) is
// explored.
inline int choose(int options, Where where = Where::current()) {
  return engine::active() ? engine::choose(options, where) : 0;
}

template <class T>
WaitResult futex_wait(Atomic<T>& word, T expected, bool may_time_out,
                      Where where = Where::current()) {
  return engine::futex_wait(word.object(), to_word(expected), may_time_out, where);
}

template <class T>
int futex_wake(Atomic<T>& word, int count, Where where = Where::current()) {
  return engine::active() ? engine::futex_wake(word.object(), count, where) : 0;
}

}  // namespace bobbin::model
