// SPDX-License-Identifier: Apache-2.0
#include "choose/expand.h"

#include <set>
#include <string_view>
#include <utility>

#include "choose/around.h"
#include "choose/attributes.h"
#include "choose/metadirective.h"
#include "choose/variant_functions.h"
#include "directives/name.h"
#include "lex/diagnostics.h"
#include "render/render.h"

namespace bobbin::translate {
namespace {

// So that directives which double their statements again and again come to an end.
constexpr size_t kMostReadings = 256;  // Clang takes as many brackets
constexpr size_t kMostGrowth = 16U << 20;

bool is_in(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

// One reading of a text. It chooses all directives, except those in a statement that is copied.
class Reading {
 public:
  Reading(const Source& source, const std::vector<std::string>& features)
      : source_(source),
        around_(source),
        context_{.constructs = {}, .requirements = requirements_of(source), .features = features} {}

  // Where the first one stood; nothing: the text has none.
  std::optional<size_t> run() {
    std::optional<size_t> first;
    const std::vector<Token>& tokens = source_.tokens();
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].begin < copied_ || tokens[i].kind != TokenKind::HashLine ||
          !is_openmp(source_, tokens[i]) || source_.in_system_header(tokens[i].begin)) {
        continue;
      }
      if (const std::optional<Replaced> one = read(i)) {
        if (!first) first = one->begin;
        out_.append(source_.text(), copied_, one->begin - copied_).append(one->text);
        copied_ = one->end;
        around_.enter(i, one->constructs);
      }
    }
    return first;
  }

  std::string text() const { return out_ + source_.text().substr(copied_); }

 private:
  // What replaces the pragma; nothing: it does not choose.
  std::optional<Replaced> read(size_t token) {
    Cursor cursor(source_, source_.tokens()[token]);
    cursor.skip(2);
    const DirectiveName found = find_directive(cursor);
    const std::string name = found.text + " ";
    const bool is_meta = name.starts_with("metadirective ");
    const bool is_block = name.starts_with("begin metadirective ");
    const bool is_variant = name.starts_with("begin declare variant ");
    // With its beginning it would have been replaced.
    for (const std::string_view end : {"end metadirective ", "end declare variant "}) {
      if (!name.starts_with(end)) continue;
      throw Refusal{
          source_.tokens()[token].begin,
          "'#pragma omp " + std::string(end.substr(0, end.size() - 1)) + "' without its beginning"};
    }
    if (!is_meta && !is_block && !is_variant) {
      if (found.row != nullptr) around_.enter(token, constructs_of(*found.row));
      return std::nullopt;
    }
    context_.constructs = around_.at(token);
    if (is_meta) return choose_directive(source_, token, context_);
    if (is_block) return choose_directive_of_block(source_, token, context_);
    return declare_variants(source_, token, context_, names_);
  }

  const Source& source_;
  Around around_;
  TranslationContext context_;
  std::set<std::string> names_;  // of variants
  std::string out_;
  size_t copied_ = 0;  // up to here
};

}  // namespace

std::optional<std::string> expand(std::string text, const std::vector<std::string>& features,
                                  Colours colours) {
  const bool has_attributes = is_in(text, "omp::") || is_in(text, "omp ::");
  const bool has_choices = is_in(text, "metadirective") || is_in(text, "declare variant");
  if (!has_attributes && !has_choices) return text;
  const size_t largest = text.size() + kMostGrowth;
  for (size_t number = 0;; ++number) {
    const Source source(text);
    try {
      if (number == 0 && has_attributes) {
        text = pragmas_for_attributes(source);
        continue;
      }
      Reading reading(source, features);
      const std::optional<size_t> first = reading.run();
      if (!first) return text;
      text = reading.text();
      if (number > kMostReadings || text.size() > largest) {
        throw Refusal{*first, "the metadirectives are nested too deeply"};
      }
    } catch (const Refusal& refusal) {
      Diagnostics diagnostics;
      diagnostics.error(refusal);
      render(source, diagnostics, colours);
      return std::nullopt;
    }
  }
}

}  // namespace bobbin::translate
