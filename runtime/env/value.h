// SPDX-License-Identifier: Apache-2.0
//
// Readers and writers for the kinds of values that variables have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "env/icv.h"
#include "env/syntax/choice.h"
#include "platform/text.h"

namespace bobbin::env {

// All of these allow white space at both ends.
bool read_bool(std::string_view text, bool& value);
// Bytes, with B, K, M, G or T after the number. A number without a letter is in `unit`s.
bool read_size(std::string_view text, std::size_t unit, std::size_t& value);
void print_size(std::size_t bytes, TextOut& out);
bool read_schedule(std::string_view text, Schedule& schedule);
void print_schedule(const Schedule& schedule, TextOut& out);
// Rounds of spinning: a number with k, m, g or t for powers of 1000, or "infinite".
bool read_spin_count(std::string_view text, std::uint64_t& value);
// A time, in milliseconds unless ns, us, ms or s follows, or "infinite". The result is in
// nanoseconds.
bool read_block_time(std::string_view text, std::uint64_t& value);

// Items separated by commas, one for each nesting level. `read` takes one item from the scanner.
template <class T, class Read>
bool read_list(std::string_view text, LevelList<T>& list, Read read) {
  unsigned count = 1;
  for (char c : text) count += c == ',' ? 1 : 0;
  T few[LevelList<T>::kInline] = {};
  T* items = few;
  if (count > LevelList<T>::kInline) {
    items = static_cast<T*>(__builtin_malloc(count * sizeof(T)));
    if (items == nullptr) return false;
  }
  Scanner scan(text);
  unsigned n = 0;
  bool good = true;
  do {
    good = read(scan, items[n]);
    ++n;
  } while (good && scan.eat(','));
  good = good && scan.done();
  if (good) {
    list.count = n;
    list.spilled = items == few ? nullptr : items;
    if (items == few) __builtin_memcpy(list.inline_items, few, sizeof few);
  } else if (items != few) {
    __builtin_free(items);
  }
  return good;
}

}  // namespace bobbin::env
