// SPDX-License-Identifier: Apache-2.0
// error, at execution and at compilation.
#include "lower/translation/constructs.h"

namespace bobbin::translate {

std::string lower_error(Translation& translation, const Construct& construct,
                        const Context& context) {
  const Directive& directive = construct.directive;
  const Clause* severity = directive.find(ClauseKind::Severity);
  const Clause* message = directive.find(ClauseKind::Message);
  const Position at = translation.source.position(directive.begin);
  return std::string("bobbin_omp_error(") +
         (severity != nullptr && severity->word == "warning" ? "0" : "1") + ", " + quoted(at.file) +
         ", " + std::to_string(at.line) + ", " + std::to_string(at.column) + ", " +
         (message != nullptr ? translation.expression_of(*message, context) : "0") + ");";
}

// A warning: a fatal one has ended the translation, because Clang reports it. The native compiler
// prints it, as it does its own.
std::string lower_compilation_error(const Directive& directive, const Source& source) {
  const Clause* message = directive.find(ClauseKind::Message);
  const Span span = message != nullptr ? message->expression.value_or(Span{}) : Span{};
  std::string text = message != nullptr ? "" : "error directive";
  for (const Token& one : tokenize(source.text(), span.begin, span.end, HashLines::Ignore)) {
    const std::string_view literal = source(one);
    if (!literal.starts_with('"')) {
      throw Refusal{one.begin, "'message' of an error at compilation must be a string literal"};
    }
    text += literal.substr(1, literal.size() - 2);  // GCC takes one literal only
  }
  return source.marker(directive.begin) + "#pragma GCC warning \"" + text + "\"";
}

}  // namespace bobbin::translate
