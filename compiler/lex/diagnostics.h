// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lex/source.h"

namespace bobbin::translate {

// Thrown where a construct cannot be translated.
struct Refusal {
  size_t offset;  // in the preprocessed text
  std::string message;
};

// Errors, in clang's form. They are printed in the order of the source.
class Diagnostics {
 public:
  explicit Diagnostics(const Source& source) : source_(source) {}

  void error(size_t offset, std::string message);
  void error(const Refusal& refusal) { error(refusal.offset, refusal.message); }

  bool any() const { return !errors_.empty(); }
  // To stderr.
  void print();

 private:
  const Source& source_;
  std::vector<Refusal> errors_;
};

}  // namespace bobbin::translate
