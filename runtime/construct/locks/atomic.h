// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "construct/locks/critical.h"
#include "platform/atomic.h"

// The atomic construct (section 15.8.4) for programs that call the runtime for it. A variable with
// the size and the alignment of a processor's word is changed by compare-and-swap, as compilers do
// it in place. All others are changed under the one lock that GCC's programs take for such
// variables, so that code of several compilers agrees. Complex numbers of eight bytes are among
// these, wherever they lie, because GCC goes by the type.
namespace bobbin {

template <class T>
struct Updated {
  T before;
  T after;
};

namespace detail {

template <unsigned kBytes>
struct WordOf {
  using Type = void;  // none
};
template <>
struct WordOf<1> {
  using Type = uint8_t;
};
template <>
struct WordOf<2> {
  using Type = uint16_t;
};
template <>
struct WordOf<4> {
  using Type = uint32_t;
};
template <>
struct WordOf<8> {
  using Type = uint64_t;
};

template <class To, class From>
To with_bits_of(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

template <class T>
bool lies_as_word(const T* variable) {
  return reinterpret_cast<uintptr_t>(variable) % sizeof(T) == 0;
}

template <class T>
auto& word_of(T* variable) {
  return *reinterpret_cast<Atomic<typename WordOf<sizeof(T)>::Type>*>(variable);
}

template <class T>
inline constexpr bool kFitsWord = sizeof(T) <= 8 && alignof(T) == sizeof(T);

}  // namespace detail

template <class T, class Change>
Updated<T> atomic_update(T* variable, Change&& change) {
  using namespace detail;
  if constexpr (kFitsWord<T>) {
    if (lies_as_word(variable)) {
      auto& word = word_of(variable);
      auto seen = word.load(relaxed);
      for (;;) {
        T before = with_bits_of<T>(seen);
        T after = change(before);
        if (word.compare_exchange_weak(seen, with_bits_of<decltype(seen)>(after), seq_cst,
                                       relaxed)) {
          return {before, after};
        }
      }
    }
  }
  atomic_fallback.lock();
  T before = *variable;
  T after = change(before);
  *variable = after;
  atomic_fallback.unlock();
  return {before, after};
}

template <class T>
T atomic_read(T* variable) {
  using namespace detail;
  if constexpr (kFitsWord<T>) {
    if (lies_as_word(variable)) return with_bits_of<T>(word_of(variable).load(seq_cst));
  }
  atomic_fallback.lock();
  T value = *variable;
  atomic_fallback.unlock();
  return value;
}

// Returns what was there.
template <class T>
T atomic_write(T* variable, T value) {
  return atomic_update(variable, [&](const T&) { return value; }).before;
}

// If the variable is `expected`, stores `desired`. Returns the value before. T: an integer.
template <class T>
T atomic_compare(T* variable, T expected, T desired) {
  return atomic_update(variable, [&](T value) { return value == expected ? desired : value; })
      .before;
}

// Variables of `size` bytes.
void atomic_read(size_t size, void* variable, void* value);
void atomic_write(size_t size, void* variable, const void* value);
// If the variable equals `expected`, stores `desired`; otherwise stores its value in `expected`.
bool atomic_compare(size_t size, void* variable, void* expected, const void* desired);

}  // namespace bobbin
