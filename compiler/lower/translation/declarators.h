// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// A declaration of variables, taken apart: `static const int a = 1, *b;`.
struct Declarators {
  size_t begin = 0;
  size_t end = 0;             // behind the semicolon
  std::string storage;        // static, extern, or nothing
  std::string specifiers;     // without that
  bool defines_type = false;  // the specifiers have braces
  size_t behind_storage = 0;  // where another specifier can be put
  std::vector<Extent>
      variables;  // each with what its own declarator has before and behind the name
};

// The variables of the declaration of one, in order.
std::vector<const Variable*> declared_with(const Translation& translation, const Variable& one);

// The declaration that begins there; `name`: where the name of its first variable stands.
Declarators read_declarators(const Translation& translation, size_t begin, size_t name);

}  // namespace bobbin::translate
