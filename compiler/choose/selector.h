// SPDX-License-Identifier: Apache-2.0
// Context selectors of metadirective and declare variant (OpenMP 5.2, section 7).
#pragma once

#include <string>
#include <vector>

#include "directives/cursor.h"

namespace bobbin::translate {

// One selector of a set, such as `kind(host)` of `device`.
struct TraitSelector {
  std::string set;
  std::string name;
  std::vector<std::string> properties;  // texts
  unsigned long long score = 0;
  size_t at = 0;
};

struct ContextSelector {
  std::vector<TraitSelector> traits;
};

// What a program is translated for.
struct TranslationContext {
  std::vector<std::string> constructs;    // those around, from the outermost on
  std::vector<std::string> requirements;  // of the file's `requires` directives
  std::vector<std::string> features;      // of the processor, as -mavx2 names them
};

struct Verdict {
  bool matches = false;   // if the condition holds
  std::string condition;  // in C; empty: always
  unsigned long long score = 0;
};

ContextSelector read_selector(const Cursor& cursor, const Cursor::Range& range);
// What must hold when the program runs, or is compiled, in C; empty: nothing.
std::string condition_of(const ContextSelector& selector);
Verdict judge(const ContextSelector& selector, const TranslationContext& context);

// The numbers of those that match, in the order in which they are tried: the first one whose
// condition holds is taken. It ends with one that has no condition, if there is one.
std::vector<size_t> rank(const std::vector<ContextSelector>& selectors,
                         const std::vector<Verdict>& verdicts);

}  // namespace bobbin::translate
