// SPDX-License-Identifier: Apache-2.0
//
// How the value of a variable becomes a field of the settings, and back. A row of the table in
// variables.cpp names one function of each direction, instantiated for its field.
#pragma once

#include <cstdint>
#include <string_view>

#include "env/settings.h"
#include "env/syntax/choice.h"
#include "env/value.h"

namespace bobbin::env {

// The field of the settings that a pointer to member names, in whichever struct it is.
template <auto Member, class S>
auto& field(S& settings) {
  if constexpr (requires { settings.icvs.*Member; }) {
    return settings.icvs.*Member;
  } else {
    return settings.icvs.initial.*Member;
  }
}

template <auto Member>
Parsed parse_bool(std::string_view text, Settings& settings) {
  return read_bool(text, field<Member>(settings)) ? Parsed::Ok : Parsed::Bad;
}

template <auto Member>
void print_bool(const Settings& settings, TextOut& out) {
  out.add(field<Member>(settings) ? "TRUE" : "FALSE");
}

// A whole number from Least on; a number above Most becomes Most.
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

// One of a few words. If several words mean one value, the first one is printed.
template <auto Member, const auto& Choices>
Parsed parse_choice(std::string_view text, Settings& settings) {
  return read_choice(Choices, trimmed(text), field<Member>(settings)) ? Parsed::Ok : Parsed::Bad;
}

template <auto Member, const auto& Choices>
void print_choice(const Settings& settings, TextOut& out) {
  out.add(word_of(Choices, field<Member>(settings)));
}

// Any text, white space included; its address is kept.
template <auto Member>
Parsed parse_text(std::string_view text, Settings& settings) {
  field<Member>(settings) = text.data();
  return Parsed::Ok;
}

template <auto Member>
void print_text(const Settings& settings, TextOut& out) {
  if (field<Member>(settings) != nullptr) out.add(field<Member>(settings));
}

}  // namespace bobbin::env
