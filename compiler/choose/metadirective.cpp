// SPDX-License-Identifier: Apache-2.0
#include "choose/metadirective.h"

#include <algorithm>
#include <optional>

#include "choose/around.h"
#include "choose/statements.h"
#include "directives/name.h"
#include "lex/diagnostics.h"

namespace bobbin::translate {
namespace {

// A directive that can be chosen.
struct Choice {
  std::string condition;  // empty: always
  std::string directive;  // empty: nothing
  size_t at;
};

// The choices, in the order in which they are tried. The last one has no condition.
std::vector<Choice> read_choices(Cursor& cursor, const TranslationContext& context) {
  std::vector<ContextSelector> selectors;
  std::vector<Choice> all;
  Choice otherwise{"", "", cursor.offset()};
  while (!cursor.at_end()) {
    if (cursor.is(",")) cursor.next();
    const size_t at = cursor.offset();
    const std::string clause = cursor.take_word("the name of a clause");
    Cursor::Range range = cursor.take_parentheses();
    if (clause == "otherwise" || clause == "default") {
      otherwise = {"", std::string(cursor.text_of(range)), at};
      continue;
    }
    if (clause != "when") {
      throw Refusal{at, "unknown clause '" + clause + "' in '#pragma omp metadirective'"};
    }
    const std::optional<size_t> colon = cursor.find_colon(range);
    if (!colon) throw Refusal{at, "expected ':' in 'when'"};
    selectors.push_back(read_selector(cursor, {range.begin, *colon}));
    const Cursor::Range rest{*colon + 1, range.end};
    all.push_back({"", std::string(cursor.text_of(rest)), at});
  }
  std::vector<Verdict> verdicts;
  verdicts.reserve(selectors.size());
  for (const ContextSelector& one : selectors) verdicts.push_back(judge(one, context));
  std::vector<Choice> chosen;
  for (const size_t number : rank(selectors, verdicts)) {
    chosen.push_back({verdicts[number].condition, all[number].directive, all[number].at});
  }
  if (chosen.empty() || !chosen.back().condition.empty()) chosen.push_back(otherwise);
  for (Choice& one : chosen) {
    if (one.directive == "nothing") one.directive.clear();
  }
  return chosen;
}

std::string pragma(const Choice& choice) {
  return choice.directive.empty() ? "" : "#pragma omp " + choice.directive;
}

// Null: it is nothing, or no directive is called so.
const DirectiveRow* row_of(const Choice& choice) {
  if (choice.directive.empty()) return nullptr;
  const Source alone(pragma(choice));
  Cursor cursor(alone, alone.tokens().front());
  cursor.skip(2);
  return find_directive(cursor).row;
}

// Does a directive that can be chosen belong to a statement?
bool takes_statement(const Choice& choice) {
  if (choice.directive.empty()) return false;
  const DirectiveRow* row = row_of(choice);
  if (row == nullptr) {
    throw Refusal{choice.at, "unknown OpenMP directive '" + choice.directive + "'"};
  }
  return row->association == Association::Statement;
}

// if (condition) { #pragma ... statement } else ...
std::string conditional(const std::string& marker, const std::vector<Choice>& choices,
                        const std::string& statement) {
  std::string text = "{";
  for (const Choice& one : choices) {
    if (!one.condition.empty()) text.append(marker + "if (" + one.condition + ") ");
    text.append("{" + marker + pragma(one)).append("\n").append(statement).append("\n}");
    if (!one.condition.empty()) text += " else ";
  }
  return text + "}";
}

}  // namespace

size_t matching_end(const Source& source, size_t token, std::string_view name) {
  const std::vector<Token>& tokens = source.tokens();
  size_t depth = 0;
  for (size_t i = token; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::HashLine || !is_openmp(source, tokens[i])) continue;
    Cursor cursor(source, tokens[i]);
    cursor.skip(2);
    const std::string found = find_directive(cursor).text;
    if (found.starts_with("begin " + std::string(name))) ++depth;
    if (found.starts_with("end " + std::string(name)) && --depth == 0) return i;
  }
  throw Refusal{tokens[token].begin, "no '#pragma omp end " + std::string(name) + "' follows"};
}

Replaced choose_directive(const Source& source, size_t token, const TranslationContext& context) {
  const std::vector<Token>& tokens = source.tokens();
  const Token& line = tokens[token];
  Cursor cursor(source, line);
  cursor.skip(3);
  const std::vector<Choice> choices = read_choices(cursor, context);
  if (choices.size() == 1) {
    const DirectiveRow* row = row_of(choices.front());
    return {line.begin, line.end, pragma(choices.front()),
            row != nullptr ? constructs_of(*row) : std::vector<std::string>()};
  }
  const bool has_statement = std::any_of(choices.begin(), choices.end(),
                                         [&](const Choice& one) { return takes_statement(one); });
  const std::string marker = source.marker(line.begin);
  if (!has_statement) return {line.begin, line.end, conditional(marker, choices, "")};
  const size_t end = Statements(source.text(), tokens).end_of(token + 1);
  if (end == token + 1) throw Refusal{line.begin, "a statement must follow 'metadirective'"};
  const size_t last = tokens[end - 1].end;
  const std::string statement =
      source.marker(line.end + 1) + source.text().substr(line.end + 1, last - line.end - 1);
  return {line.begin, last, conditional(marker, choices, statement) + source.marker(last)};
}

Replaced choose_directive_of_block(const Source& source, size_t token,
                                   const TranslationContext& context) {
  const std::vector<Token>& tokens = source.tokens();
  const Token& line = tokens[token];
  const Token& end = tokens[matching_end(source, token, "metadirective")];
  Cursor cursor(source, line);
  cursor.skip(4);
  const std::vector<Choice> choices = read_choices(cursor, context);
  const std::string block =
      source.marker(line.end + 1) + source.text().substr(line.end + 1, end.begin - line.end - 1);
  const std::string marker = source.marker(line.begin);
  std::string text = block;
  if (choices.size() > 1) {
    text = conditional(marker, choices, "{" + block + "}");
  } else if (!choices.front().directive.empty()) {
    text = pragma(choices.front()) + "\n{" + block + "}";
  }
  return {line.begin, end.end, text + source.marker(end.end)};
}

}  // namespace bobbin::translate
