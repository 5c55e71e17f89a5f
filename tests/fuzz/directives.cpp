// SPDX-License-Identifier: Apache-2.0
// What the translator does with a text before Clang sees it: the lexer, the choice of
// directives, and their parser. `make fuzz-translate` builds it with libFuzzer and sanitizers.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "choose/expand.h"
#include "directives/parser.h"
#include "directives/split.h"

using namespace bobbin::translate;

namespace {

// Every place that is noted is in the text.
void check(const Source& source, const Span& span) {
  if (span.begin > span.end || span.end > source.text().size()) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::optional<std::string> text =
      expand(std::string(reinterpret_cast<const char*>(data), size), {"avx2"});
  if (!text) return 0;
  const Source source(*text);
  Diagnostics diagnostics(source);
  std::vector<Directive> directives = read_directives(source, diagnostics);
  for (const Directive& directive : directives) {
    check(source, {directive.begin, directive.end});
    source.position(directive.begin);
    for (const Item& item : directive.items) check(source, item.base);
    for (const Clause& clause : directive.clauses) {
      check(source, {clause.at, clause.end});
      if (clause.expression) check(source, *clause.expression);
      for (const Item& item : clause.items) check(source, item.base);
    }
  }
  if (!diagnostics.any()) split_clauses(source, directives, diagnostics);
  return 0;
}
