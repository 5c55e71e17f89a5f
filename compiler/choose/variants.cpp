// SPDX-License-Identifier: Apache-2.0
#include "choose/variants.h"

#include <algorithm>
#include <utility>

#include "choose/around.h"
#include "choose/statements.h"
#include "lex/diagnostics.h"

namespace bobbin::translate {
namespace {

// The function whose declaration follows the directive.
std::string declared_behind(const Source& source, const Directive& directive) {
  const std::vector<Token>& tokens = source.tokens();
  const Statements statements(source.text(), tokens);
  auto token = std::lower_bound(tokens.begin(), tokens.end(), directive.end,
                                [](const Token& one, size_t at) { return one.begin < at; });
  for (auto i = static_cast<size_t>(token - tokens.begin()); i + 1 < tokens.size();) {
    const std::string_view word = source(tokens[i]);
    if (word == ";" || word == "{") break;
    if (tokens[i].kind == TokenKind::Identifier && source(tokens[i + 1]) == "(") {
      if (!word.starts_with("__attribute") && !word.starts_with("__typeof") && word != "typeof" &&
          word != "_Alignas") {
        return std::string(word);
      }
      i = statements.end_of_brackets(i + 1);
    } else {
      ++i;
    }
  }
  throw Refusal{directive.begin, "a declaration of a function must follow 'declare variant'"};
}

ContextSelector selector_of(const Source& source, const Directive& directive) {
  Cursor cursor(source, {TokenKind::HashLine, directive.begin, directive.end});
  cursor.skip(4);  // pragma omp declare variant
  cursor.take_parentheses();
  while (!cursor.at_end()) {
    if (cursor.is(",")) cursor.next();
    const std::string clause = cursor.take_word("the name of a clause");
    const Cursor::Range range = cursor.take_parentheses();
    if (clause == "match") return read_selector(cursor, range);
  }
  throw Refusal{directive.begin, "expected 'match' in 'declare variant'"};
}

// append_args(interop(targetsync), ...): how many arguments.
size_t appended_by(const Source& source, const Directive& directive) {
  const Clause* clause = directive.find(ClauseKind::AppendArgs);
  if (clause == nullptr) return 0;
  Cursor cursor(source, {TokenKind::HashLine, directive.begin, directive.end});
  while (cursor.offset() < clause->at) cursor.next();
  cursor.next();
  const std::vector<Cursor::Range> operations = cursor.split(cursor.take_parentheses(), ",");
  for (const Cursor::Range& one : operations) {
    const bool is_interop = one.end - one.begin > 2 && cursor.text_at(one.begin) == "interop" &&
                            cursor.text_at(one.begin + 1) == "(";
    if (!is_interop) throw Refusal{clause->at, "expected 'interop(...)' in 'append_args'"};
  }
  return operations.size();
}

// The native compiler reports a condition that is not constant.
std::string either(const std::string& condition, const std::string& one, const std::string& other) {
  return "__builtin_choose_expr(" + condition + ", " + one + ", " + other + ")";
}

}  // namespace

Variants::Variants(const Source& source, const std::vector<Directive>& directives,
                   std::vector<std::string> features)
    : requirements_(requirements_of(source)), features_(std::move(features)) {
  for (size_t i = 0; i < directives.size(); ++i) {
    const Directive& one = directives[i];
    if (one.row->leaves.front() != Leaf::DeclareVariant) continue;
    ContextSelector selector = selector_of(source, one);
    std::string condition = condition_of(selector);
    all.push_back({i, declared_behind(source, one), one.name, std::move(selector),
                   std::move(condition), one.begin, appended_by(source, one)});
  }
}

bool Variants::has(const std::string& function) const {
  return std::any_of(all.begin(), all.end(),
                     [&](const Variant& one) { return one.of == function; });
}

size_t Variants::appended(const std::string& function, const std::string& variant) const {
  for (const Variant& one : all) {
    if (one.of == function && one.name == variant) return one.appended;
  }
  return 0;
}

std::string Variants::choose(const std::string& function,
                             const std::vector<std::string>& constructs) const {
  const TranslationContext context{constructs, requirements_, features_};
  std::vector<const Variant*> candidates;
  std::vector<ContextSelector> selectors;
  std::vector<Verdict> verdicts;
  for (const Variant& one : all) {
    if (one.of != function) continue;
    candidates.push_back(&one);
    selectors.push_back(one.selector);
    verdicts.push_back(judge(one.selector, context));
  }
  std::string text = function;
  const std::vector<size_t> order = rank(selectors, verdicts);
  for (auto number = order.rbegin(); number != order.rend(); ++number) {
    const std::string& condition = candidates[*number]->condition;
    const std::string& name = candidates[*number]->name;
    const bool appends = candidates[*number]->appended != 0 || appended(function, text) != 0;
    if (!condition.empty() && appends) {
      throw Refusal{candidates[*number]->at,
                    "'append_args' and a condition that the native compiler evaluates are not "
                    "supported together"};
    }
    text = condition.empty() ? name : either(condition, name, text);
  }
  return text;
}

}  // namespace bobbin::translate
