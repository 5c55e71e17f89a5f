// SPDX-License-Identifier: Apache-2.0
//
// Readers and writers for the kinds of values that variables have. A row of the table in
// variables.cpp names one of each, instantiated for its field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "env/choice.h"
#include "env/settings.h"

namespace bobbin::env {

// The field of the settings that a pointer to member names, whichever struct it lies in.
template <auto Member, class S>
auto& field(S& settings) {
  if constexpr (requires { settings.icvs.*Member; }) {
    return settings.icvs.*Member;
  } else {
    return settings.icvs.initial.*Member;
  }
}

// All of these allow white space at both ends.
bool read_bool(std::string_view text, bool& value);
// Bytes, with B, K, M, G or T after the number; without one the number is in `unit`s.
bool read_size(std::string_view text, std::size_t unit, std::size_t& value);
void print_size(std::size_t bytes, TextOut& out);
bool read_schedule(std::string_view text, Schedule& schedule);
void print_schedule(const Schedule& schedule, TextOut& out);
// Rounds of spinning: a number with k, m, g or t for powers of 1000, or "infinite".
bool read_spin_count(std::string_view text, std::uint64_t& value);
// A time in milliseconds unless it says ns, us, ms or s, or "infinite"; in nanoseconds.
bool read_block_time(std::string_view text, std::uint64_t& value);

template <auto Member>
Parsed parse_bool(std::string_view text, Settings& settings) {
  return read_bool(text, field<Member>(settings)) ? Parsed::Ok : Parsed::Bad;
}

template <auto Member>
void print_bool(const Settings& settings, TextOut& out) {
  out.add(field<Member>(settings) ? "TRUE" : "FALSE");
}

// A whole number from Least on; what exceeds Most becomes Most.
template <auto Member, std::uint64_t Least, std::uint64_t Most>
Parsed parse_number(std::string_view text, Settings& settings) {
  using Field = std::remove_reference_t<decltype(field<Member>(settings))>;
  Scanner scan(text);
  std::uint64_t value;
  scan.eat('+');
  if (!scan.number(value) || !scan.done() || value < Least) return Parsed::Bad;
  field<Member>(settings) = static_cast<Field>(value > Most ? Most : value);
  return value > Most ? Parsed::Adjusted : Parsed::Ok;
}

template <auto Member>
void print_number(const Settings& settings, TextOut& out) {
  out.number(field<Member>(settings));
}

// One of a few words. Of several words for one value the first is the one that is printed.
template <auto Member, const auto& Choices>
Parsed parse_choice(std::string_view text, Settings& settings) {
  return read_choice(Choices, trimmed(text), field<Member>(settings)) ? Parsed::Ok : Parsed::Bad;
}

template <auto Member, const auto& Choices>
void print_choice(const Settings& settings, TextOut& out) {
  out.add(word_of(Choices, field<Member>(settings)));
}

// Any text, white space and all; it is kept by address.
template <auto Member>
Parsed parse_text(std::string_view text, Settings& settings) {
  field<Member>(settings) = text.data();
  return Parsed::Ok;
}

template <auto Member>
void print_text(const Settings& settings, TextOut& out) {
  if (field<Member>(settings) != nullptr) out.add(field<Member>(settings));
}

// Items separated by commas, one for each nesting level. `read` takes one from the scanner.
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
