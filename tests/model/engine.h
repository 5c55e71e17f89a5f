// SPDX-License-Identifier: Apache-2.0
// The explorer's functions for the instrumented types (atomic.h). Test code uses explore.h instead.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

namespace bobbin::model {

using Where = std::source_location;

// The value of an atomic of up to 16 bytes, compared bit by bit as in compare_exchange.
struct Word {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const Word&) const = default;
};

template <class T>
Word to_word(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Word));
  Word word;
  std::memcpy(static_cast<void*>(&word), &value, sizeof(T));
  return word;
}

template <class T>
T from_word(Word word) {
  T value;
  std::memcpy(static_cast<void*>(&value), &word, sizeof(T));
  return value;
}

// An instrumented object is identified by its address, so that it is as large as the real one. A
// constructor that runs within an execution begins a new life at its address. An object that is
// older than the execution (a global) has its initial value.
struct Object {
  const void* address;
  std::uint32_t size;
  Word initial;
};

enum class WaitResult { Woken, Changed, TimedOut };

namespace engine {

// False outside of explore(): there objects behave as plain single-threaded variables.
bool active();

void create(Object object, Where where);
Word load(Object object, std::memory_order order, Where where);
void store(Object object, Word value, std::memory_order order, Where where);

// A read-modify-write consists of rmw_begin, which is the scheduling point and returns the newest
// value, and rmw_end, which follows without a scheduling point between.
Word rmw_begin(Object object, std::memory_order order, Where where);
void rmw_end(Object object, Word value, std::memory_order order, Where where);

// On failure `expected` takes the value read, which may be an older one within the limits of
// coherence.
bool compare_exchange(Object object, Word& expected, Word desired, std::memory_order success,
                      std::memory_order failure, Where where);

void fence(std::memory_order order, Where where);
void spin_hint(Where where);
int choose(int options, Where where);

WaitResult futex_wait(Object object, Word expected, bool may_time_out, Where where);
int futex_wake(Object object, int count, Where where);

void create_plain(const void* address, std::uint32_t size, Where where);
void read_plain(const void* address, std::uint32_t size, Where where);
void write_plain(const void* address, std::uint32_t size, Where where);

}  // namespace engine
}  // namespace bobbin::model
