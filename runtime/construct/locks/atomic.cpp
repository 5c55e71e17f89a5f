// SPDX-License-Identifier: Apache-2.0
#include "construct/locks/atomic.h"

namespace bobbin {
namespace {

// If there is a word of `size` bytes, calls `body` with a value of its type (the value itself has
// no meaning). Returns whether there is such a word.
template <class Body>
bool with_word(size_t size, Body&& body) {
  switch (size) {
    case 1:
      body(uint8_t{});
      return true;
    case 2:
      body(uint16_t{});
      return true;
    case 4:
      body(uint32_t{});
      return true;
    case 8:
      body(uint64_t{});
      return true;
    default:
      return false;
  }
}

template <class T>
T word_at(const void* place) {
  T word;
  memcpy(&word, place, sizeof word);
  return word;
}

}  // namespace

void atomic_read(size_t size, void* variable, void* value) {
  if (with_word(size, [&]<class T>(T) {
        T word = atomic_read(static_cast<T*>(variable));
        memcpy(value, &word, sizeof word);
      })) {
    return;
  }
  atomic_fallback.lock();
  memcpy(value, variable, size);
  atomic_fallback.unlock();
}

void atomic_write(size_t size, void* variable, const void* value) {
  if (with_word(size,
                [&]<class T>(T) { atomic_write(static_cast<T*>(variable), word_at<T>(value)); })) {
    return;
  }
  atomic_fallback.lock();
  memcpy(variable, value, size);
  atomic_fallback.unlock();
}

bool atomic_compare(size_t size, void* variable, void* expected, const void* desired) {
  bool equal;
  if (with_word(size, [&]<class T>(T) {
        T wanted = word_at<T>(expected);
        T before = atomic_compare(static_cast<T*>(variable), wanted, word_at<T>(desired));
        equal = before == wanted;
        if (!equal) memcpy(expected, &before, sizeof before);
      })) {
    return equal;
  }
  atomic_fallback.lock();
  equal = memcmp(variable, expected, size) == 0;
  memcpy(equal ? variable : expected, equal ? desired : variable, size);
  atomic_fallback.unlock();
  return equal;
}

}  // namespace bobbin
