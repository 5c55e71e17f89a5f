// SPDX-License-Identifier: Apache-2.0
#include "directives/name.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "directives/compounds.h"

namespace bobbin::translate {

DirectiveName find_directive(const Cursor& cursor) {
  DirectiveName found;
  for (size_t n = 0; cursor.peek_is_word(n); ++n) {
    found.text += (n == 0 ? "" : " ") + std::string(cursor.peek(n));
    // OpenMP 6.0 has underscores where the names of older versions have blanks.
    std::string text = found.text;
    std::replace(text.begin(), text.end(), '_', ' ');
    bool is_prefix = false;
    for (const DirectiveRow& row : directives()) {
      if (row.name == text || row.name == found.text) {
        found.row = &row;
        found.words = n + 1;
      }
      is_prefix = is_prefix || row.name.starts_with(text + " ") || row.name == text;
    }
    if (!is_prefix) break;
  }
  return found;
}

bool is_openmp(const Source& source, const Token& hash_line) {
  Lexer words(source.text(), hash_line.begin + 1, hash_line.end, HashLines::Ignore);
  const auto is_next = [&](std::string_view wanted) {
    const std::optional<Token> word = words.next();
    return word && source(*word) == wanted;
  };
  return is_next("pragma") && is_next("omp");
}

}  // namespace bobbin::translate
