// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "choose/selector.h"
#include "directives/directive.h"
#include "lex/source.h"

namespace bobbin::translate {

// The variants of functions that `declare variant` declares (OpenMP 5.2, section 7.5).
class Variants {
 public:
  Variants() = default;
  Variants(const Source& source, const std::vector<Directive>& directives,
           std::vector<std::string> features);

  bool empty() const { return all_.empty(); }
  bool has(const std::string& function) const;
  // An expression for what is called instead of the function where these constructs are around,
  // from the outermost on. The function's own name: no variant matches.
  std::string choose(const std::string& function, const std::vector<std::string>& constructs) const;
  // How many arguments its append_args appends.
  size_t appended(const std::string& function, const std::string& variant) const;

 private:
  struct Variant {
    std::string of;
    std::string name;
    ContextSelector selector;
    size_t at;        // of the directive
    size_t appended;  // by append_args
  };

  std::vector<Variant> all_;
  std::vector<std::string> requirements_;
  std::vector<std::string> features_;
};

}  // namespace bobbin::translate
