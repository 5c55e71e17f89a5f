// SPDX-License-Identifier: Apache-2.0
// The text that Clang parses for types and declarations: the source, in which each pragma is
// replaced by a call whose arguments are what stands in the clauses. So they are parsed in their
// scope. The call is the condition of a `while` around the directive's statement, which makes both
// one statement wherever the pragma stands.
//
// All later work is done on this text. It has the same line markers.
#pragma once

#include <string>
#include <vector>

#include "directives/directive.h"
#include "lex/source.h"

namespace bobbin::translate {

inline constexpr const char* kProbeName = "__bobbin_probe";

class Probe {
 public:
  // Fills in where the directives and their parts are in the probe.
  Probe(const Source& source, std::vector<Directive>& directives);

  const std::string& text() const { return text_; }
  // The place in the source of a place in the probe.
  size_t to_source(size_t offset) const;

 private:
  struct Copy {
    size_t probe;
    size_t source;
  };

  void copy(size_t begin, size_t end);
  void copy(Span& span);
  void add(Directive& directive, size_t number);
  void add_arguments(Directive& directive);
  void add_item(Item& item);
  void add_iterators(Clause& clause);
  void add_types(Directive& directive, size_t number);

  const Source& source_;
  std::string text_;
  std::vector<Copy> copies_;
};

}  // namespace bobbin::translate
