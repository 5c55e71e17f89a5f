// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bobbin::translate {

// Thrown where a construct cannot be translated; also an error of Clang's, and a note to one.
struct Refusal {
  struct Range {
    size_t begin;
    size_t end;
  };

  size_t offset;  // in the preprocessed text
  std::string message;
  std::vector<Range> ranges = {};  // underlined; none: the word at `offset`
  std::vector<Refusal> notes = {};
};

// The errors of a source. render/ prints them.
class Diagnostics {
 public:
  void error(size_t offset, std::string message);
  void error(Refusal refusal);
  // Belongs to the error before it.
  void note(Refusal note);

  bool any() const { return !errors_.empty(); }
  // In the order of the source.
  std::vector<Refusal> sorted() const;

 private:
  std::vector<Refusal> errors_;
};

}  // namespace bobbin::translate
