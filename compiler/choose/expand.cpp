// SPDX-License-Identifier: Apache-2.0
#include "choose/expand.h"

#include <string_view>
#include <utility>

#include "choose/around.h"
#include "choose/attributes.h"
#include "choose/metadirective.h"
#include "choose/variant_functions.h"
#include "directives/name.h"
#include "lex/diagnostics.h"

namespace bobbin::translate {
namespace {

// So that directives which double their statements again and again come to an end.
constexpr size_t kMostChoices = 1000;
constexpr size_t kMostGrowth = 16U << 20;

bool is_in(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

// The first of these directives; nothing: there is none.
std::optional<Replaced> choose_next(const Source& source,
                                    const std::vector<std::string>& features) {
  const std::vector<Token>& tokens = source.tokens();
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::HashLine || !is_openmp(source, tokens[i]) ||
        source.in_system_header(tokens[i].begin)) {
      continue;
    }
    Cursor cursor(source, tokens[i]);
    cursor.skip(2);
    const std::string name = find_directive(cursor).text + " ";
    const bool is_meta = name.starts_with("metadirective ");
    const bool is_block = name.starts_with("begin metadirective ");
    const bool is_variant = name.starts_with("begin declare variant ");
    // With its beginning it would have been replaced.
    for (const std::string_view end : {"end metadirective ", "end declare variant "}) {
      if (!name.starts_with(end)) continue;
      throw Refusal{tokens[i].begin, "'#pragma omp " + std::string(end.substr(0, end.size() - 1)) +
                                         "' without its beginning"};
    }
    if (!is_meta && !is_block && !is_variant) continue;
    const TranslationContext context{constructs_around(source, i), requirements_of(source),
                                     features};
    if (is_meta) return choose_directive(source, i, context);
    if (is_block) return choose_directive_of_block(source, i, context);
    return declare_variants(source, i, context);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> expand(std::string text, const std::vector<std::string>& features) {
  const bool has_attributes = is_in(text, "omp::") || is_in(text, "omp ::");
  const bool has_choices = is_in(text, "metadirective") || is_in(text, "declare variant");
  if (!has_attributes && !has_choices) return text;
  const size_t largest = text.size() + kMostGrowth;
  for (size_t number = 0;; ++number) {
    const Source source(text);
    Diagnostics diagnostics(source);
    try {
      if (number == 0 && has_attributes) {
        text = pragmas_for_attributes(source);
        continue;
      }
      const std::optional<Replaced> one = choose_next(source, features);
      if (!one) return text;
      if (number > kMostChoices || text.size() > largest) {
        throw Refusal{one->begin, "too many metadirectives"};
      }
      text.replace(one->begin, one->end - one->begin, one->text);
    } catch (const Refusal& refusal) {
      diagnostics.error(refusal);
      diagnostics.print();
      return std::nullopt;
    }
  }
}

}  // namespace bobbin::translate
