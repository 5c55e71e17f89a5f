// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "choose/selector.h"
#include "directives/directive.h"
#include "lex/source.h"

namespace bobbin::translate {

// A variant of a function that `declare variant` declares (OpenMP 5.2, section 7.5).
struct Variant {
  size_t directive;  // its number
  std::string of;
  std::string name;
  ContextSelector selector;
  // What the selector demands, and may be a constant with that value; empty: nothing.
  std::string condition;
  size_t at;        // of the directive
  size_t appended;  // arguments, by append_args
};

class Variants {
 public:
  Variants() = default;
  Variants(const Source& source, const std::vector<Directive>& directives,
           std::vector<std::string> features);

  std::vector<Variant> all;

  bool has(const std::string& function) const;
  // An expression for what is called instead of the function where these constructs are around,
  // from the outermost on. The function's own name: no variant matches.
  std::string choose(const std::string& function, const std::vector<std::string>& constructs) const;
  // How many arguments its append_args appends.
  size_t appended(const std::string& function, const std::string& variant) const;

 private:
  std::vector<std::string> requirements_;
  std::vector<std::string> features_;
};

}  // namespace bobbin::translate
