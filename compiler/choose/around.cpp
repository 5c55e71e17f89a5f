// SPDX-License-Identifier: Apache-2.0
#include "choose/around.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "directives/name.h"

namespace bobbin::translate {

std::vector<std::string> constructs_of(const DirectiveRow& row) {
  constexpr std::array<std::string_view, 6> kTraits = {"target", "teams", "parallel",
                                                       "for",    "simd",  "dispatch"};
  std::vector<std::string> found;
  if (row.association != Association::Statement) return found;
  std::istringstream words{row.name};
  for (std::string word; words >> word;) {
    if (std::find(kTraits.begin(), kTraits.end(), word) != kTraits.end()) found.push_back(word);
  }
  return found;
}

void Around::enter(size_t token, std::vector<std::string> constructs) {
  if (!constructs.empty()) open_.push_back({statements_.end_of(token + 1), std::move(constructs)});
}

std::vector<std::string> Around::at(size_t token) {
  std::erase_if(open_, [&](const Open& one) { return one.end <= token; });
  std::vector<std::string> found;
  for (const Open& one : open_) {
    found.insert(found.end(), one.constructs.begin(), one.constructs.end());
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
      std::string clause = cursor.take_word("the name of a clause");
      if (cursor.is("("))
        clause += "(" + std::string(cursor.text_of(cursor.take_parentheses())) + ")";
      found.push_back(clause);
      if (cursor.is(",")) cursor.next();
    }
  }
  return found;
}

}  // namespace bobbin::translate
