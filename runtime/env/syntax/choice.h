// SPDX-License-Identifier: Apache-2.0
//
// Values that are written as one of a few words.
#pragma once

#include <cstddef>
#include <string_view>

#include "platform/text.h"

namespace bobbin {

template <class E>
struct Choice {
  std::string_view word;
  E value;
};

// False: the word is none of these; then `value` is unchanged.
template <class E, std::size_t N>
bool read_choice(const Choice<E> (&choices)[N], std::string_view word, E& value) {
  for (const Choice<E>& choice : choices) {
    if (!equal_ignoring_case(word, choice.word)) continue;
    value = choice.value;
    return true;
  }
  return false;
}

// The first of the value's words; empty if it has none.
template <class E, std::size_t N>
std::string_view word_of(const Choice<E> (&choices)[N], E value) {
  for (const Choice<E>& choice : choices) {
    if (choice.value == value) return choice.word;
  }
  return {};
}

}  // namespace bobbin
