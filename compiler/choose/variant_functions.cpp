// SPDX-License-Identifier: Apache-2.0
#include "choose/variant_functions.h"

#include <algorithm>
#include <utility>

#include "choose/statements.h"
#include "lex/diagnostics.h"

namespace bobbin::translate {
namespace {

class VariantFunctions {
 public:
  VariantFunctions(const Source& source, size_t token, std::string match,
                   std::set<std::string>& names)
      : source_(source),
        tokens_(source.tokens()),
        statements_(source.text(), tokens_),
        first_(token + 1),
        end_(matching_end(source, token, "declare variant")),
        match_(std::move(match)),
        names_(names) {}

  size_t end() const { return tokens_[end_].end; }

  // The block with the new names, and the directives.
  std::string run() {
    size_t begin = first_;  // of the declaration
    for (size_t i = first_; i < end_;) {
      const bool is_name = tokens_[i].kind == TokenKind::Identifier && is(i + 1, "(");
      const size_t behind = is_name ? statements_.end_of_brackets(i + 1) : i;
      if (is_name && is(behind, "{")) {
        rename(begin, i, behind);
        begin = i = statements_.end_of_brackets(behind);
      } else if (is(i, ";")) {
        begin = ++i;
      } else {
        const size_t brackets = statements_.end_of_brackets(i);
        i = brackets == i ? i + 1 : brackets;
      }
    }
    copy_to(tokens_[end_].begin);
    return out_ + declarations_;
  }

 private:
  bool is(size_t token, std::string_view text) const {
    return token < end_ && source_(tokens_[token]) == text;
  }

  void copy_to(size_t offset) {
    if (copied_ == 0) copied_ = tokens_[first_ - 1].end + 1;
    out_ += source_.text().substr(copied_, offset - copied_);
    copied_ = offset;
  }

  void rename(size_t begin, size_t name, size_t behind) {
    const std::string base(source_(tokens_[name]));
    const size_t line = source_.position(tokens_[name].begin).line;
    std::string variant = base + "_variant_" + std::to_string(line);
    while (source_.has_identifier(variant) || names_.contains(variant)) variant += "_";
    names_.insert(variant);
    copy_to(tokens_[name].begin);
    out_ += variant;
    copied_ = tokens_[name].end;
    // The function's type tells of which function it is a variant.
    std::string head;
    for (size_t i = begin; i < behind; ++i) {
      const std::string word(source_(tokens_[i]));
      const bool is_storage = word == "static" || word == "inline" || word == "extern" ||
                              word == "__inline" || word == "__inline__";
      if (tokens_[i].kind != TokenKind::HashLine && !is_storage) head += word + " ";
    }
    declarations_ += source_.marker(tokens_[name].begin) + "#pragma omp declare variant(" +
                     variant + ") " + match_ + "\n" + head + ";\n";
  }

  const Source& source_;
  const std::vector<Token>& tokens_;
  Statements statements_;
  size_t first_;
  size_t end_;
  std::string match_;
  std::set<std::string>& names_;
  std::string out_;
  std::string declarations_;
  size_t copied_ = 0;
};

}  // namespace

Replaced declare_variants(const Source& source, size_t token, const TranslationContext& context,
                          std::set<std::string>& names) {
  const Token& line = source.tokens()[token];
  Cursor cursor(source, line);
  cursor.skip(5);
  const size_t at = cursor.offset();
  if (!cursor.is("match")) throw Refusal{at, "expected 'match' in 'begin declare variant'"};
  cursor.next();
  const Cursor::Range range = cursor.take_parentheses();
  ContextSelector selector = read_selector(cursor, range);
  // The constructs are those around a call.
  std::erase_if(selector.traits, [](const TraitSelector& one) { return one.set == "construct"; });
  VariantFunctions variants(source, token, "match(" + std::string(cursor.text_of(range)) + ")",
                            names);
  const size_t end = variants.end();
  const bool matches = judge(selector, context).matches;
  return {line.begin, end,
          source.marker(line.end + 1) + (matches ? variants.run() : "") + source.marker(end)};
}

}  // namespace bobbin::translate
