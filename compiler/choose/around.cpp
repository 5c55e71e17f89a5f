// SPDX-License-Identifier: Apache-2.0
#include "choose/around.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "choose/statements.h"
#include "directives/name.h"

namespace bobbin::translate {

std::vector<std::string> construct_traits(std::string_view name) {
  constexpr std::array<std::string_view, 6> kTraits = {"target", "teams", "parallel",
                                                       "for",    "simd",  "dispatch"};
  std::vector<std::string> found;
  std::istringstream words{std::string(name)};
  for (std::string word; words >> word;) {
    if (std::find(kTraits.begin(), kTraits.end(), word) != kTraits.end()) found.push_back(word);
  }
  return found;
}

std::vector<std::string> constructs_around(const Source& source, size_t token) {
  const std::vector<Token>& tokens = source.tokens();
  const Statements statements(source.text(), tokens);
  std::vector<std::string> found;
  for (size_t i = 0; i < token; ++i) {
    if (tokens[i].kind != TokenKind::HashLine || !is_openmp(source, tokens[i])) continue;
    Cursor cursor(source, tokens[i]);
    cursor.skip(2);
    const DirectiveRow* row = find_directive(cursor).row;
    if (row == nullptr || row->association != Association::Statement) continue;
    const std::vector<std::string> traits = construct_traits(row->name);
    if (traits.empty() || statements.end_of(i + 1) <= token) continue;
    found.insert(found.end(), traits.begin(), traits.end());
  }
  return found;
}

std::vector<std::string> requirements_of(const Source& source) {
  std::vector<std::string> found;
  for (const Token& token : source.tokens()) {
    if (token.kind != TokenKind::HashLine || !is_openmp(source, token)) continue;
    Cursor cursor(source, token);
    cursor.skip(2);
    if (!cursor.is("requires")) continue;
    cursor.next();
    while (cursor.peek_is_word(0)) {
      std::string clause = cursor.take_word();
      if (cursor.is("("))
        clause += "(" + std::string(cursor.text_of(cursor.take_parentheses())) + ")";
      found.push_back(clause);
      if (cursor.is(",")) cursor.next();
    }
  }
  return found;
}

}  // namespace bobbin::translate
