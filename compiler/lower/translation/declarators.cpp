// SPDX-License-Identifier: Apache-2.0
#include "lower/translation/declarators.h"

#include <algorithm>
#include <string_view>

namespace bobbin::translate {
namespace {

bool opens(std::string_view text) { return text == "(" || text == "[" || text == "{"; }
bool closes(std::string_view text) { return text == ")" || text == "]" || text == "}"; }

// Words that can stand between a pointer's asterisk and the name.
bool is_qualifier(std::string_view text) {
  return text == "const" || text == "volatile" || text == "restrict" || text == "__restrict" ||
         text == "__restrict__" || text == "_Atomic";
}

// The first word of the declarator, whose name is a word, too: asterisks and brackets belong to it.
size_t first_of_declarator(std::string_view text, const std::vector<Token>& words, size_t name) {
  size_t first = name;
  for (size_t i = name; i > 0; --i) {
    const std::string_view word = words[i - 1].in(text);
    if (word == "*" || word == "(") {
      first = i - 1;
    } else if (!is_qualifier(word)) {
      break;
    }
  }
  return first;
}

}  // namespace

std::vector<const Variable*> declared_with(const Translation& translation, const Variable& one) {
  std::vector<const Variable*> found;
  for (const Variable& other : translation.program.variables) {
    if (other.declared == one.declared) found.push_back(&other);
  }
  std::sort(found.begin(), found.end(),
            [](const Variable* a, const Variable* b) { return a->named < b->named; });
  return found;
}

Declarators read_declarators(const Translation& translation, size_t begin, size_t name) {
  const std::string& text = translation.probe.text();
  const std::vector<Token> words = translation.words_of_declaration(begin);
  Declarators found;
  found.begin = found.behind_storage = begin;
  if (words.empty()) return found;
  found.end = words.back().end;
  const auto named =
      std::find_if(words.begin(), words.end(), [&](const Token& one) { return one.begin == name; });
  const auto at = static_cast<size_t>(named - words.begin());
  const size_t first = first_of_declarator(text, words, at);
  for (size_t i = 0; i < first; ++i) {
    const std::string word(words[i].in(text));
    if (word == "static" || word == "extern") {
      found.storage = word;
      if (i == 0) found.behind_storage = words[i].end;
      continue;
    }
    if (word == "{") found.defines_type = true;
    found.specifiers += (found.specifiers.empty() ? "" : " ") + word;
  }
  size_t depth = 0;
  size_t variable = words[std::min(first, words.size() - 1)].begin;
  for (size_t i = first; i < words.size(); ++i) {
    const std::string_view word = words[i].in(text);
    if (opens(word)) ++depth;
    if (closes(word) && depth > 0) --depth;
    if (depth == 0 && (word == "," || word == ";")) {
      found.variables.push_back({variable, words[i].begin});
      variable = words[i].end;
    }
  }
  return found;
}

}  // namespace bobbin::translate
