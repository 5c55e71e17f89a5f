// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "choose/statements.h"
#include "directives/table.h"
#include "lex/source.h"

namespace bobbin::translate {

// Those of the words of a directive's name that are constructs a context selector can name.
std::vector<std::string> construct_traits(std::string_view name);
// Of a directive that is around its statement.
std::vector<std::string> constructs_of(const DirectiveRow& row);

// The constructs around the tokens of a text, which is read from its beginning on.
class Around {
 public:
  explicit Around(const Source& source) : statements_(source.text(), source.tokens()) {}

  // The statement behind the token belongs to a directive with these constructs.
  void enter(size_t token, std::vector<std::string> constructs);
  // Those whose statements contain the token, from the outermost on.
  std::vector<std::string> at(size_t token);

 private:
  struct Open {
    size_t end;  // a token
    std::vector<std::string> constructs;
  };

  Statements statements_;
  std::vector<Open> open_;
};

// The clauses of all `requires` directives.
std::vector<std::string> requirements_of(const Source& source);

}  // namespace bobbin::translate
