// SPDX-License-Identifier: Apache-2.0
#include "choose/attributes.h"

#include <vector>

#include "choose/statements.h"
#include "lex/diagnostics.h"

namespace bobbin::translate {
namespace {

class Rewriter {
 public:
  explicit Rewriter(const Source& source)
      : source_(source), tokens_(source.tokens()), statements_(source.text(), tokens_) {}

  std::string run() {
    for (size_t i = 0; i + 4 < tokens_.size(); ++i) {
      if (is(i, "[") && is(i + 1, "[") && tokens_[i].end == tokens_[i + 1].begin) read_list(i);
    }
    return out_ + source_.text().substr(copied_);
  }

 private:
  bool is(size_t token, std::string_view text) const {
    return token < tokens_.size() && source_(tokens_[token]) == text;
  }

  // [[ attribute, ... ]]
  void read_list(size_t open) {
    const size_t end = statements_.end_of_brackets(open);
    std::string pragmas;
    std::string others;
    for (size_t at = open + 2; at + 2 < end;) {
      const size_t part = end_of_attribute(at, end - 2);
      if (is(at, "omp") && is(at + 1, ":") && is(at + 2, ":")) {
        pragmas += pragmas_of(at + 3);
      } else {
        others += (others.empty() ? "" : ", ") + text_of(at, part);
      }
      at = part + 1;
    }
    if (pragmas.empty()) return;
    const size_t begin = tokens_[open].begin;
    const size_t behind = tokens_[end - 1].end;
    out_ += source_.text().substr(copied_, begin - copied_);
    if (!others.empty()) others = "[[" + others + "]]";
    const Position at = source_.position(behind);
    out_ += pragmas + source_.marker(behind) + std::string(at.column - 1, ' ') + others;
    copied_ = behind;
  }

  size_t end_of_attribute(size_t at, size_t end) const {
    while (at < end && !is(at, ",")) {
      const size_t behind = statements_.end_of_brackets(at);
      at = behind == at ? at + 1 : behind;
    }
    return at;
  }

  // directive(...), sequence(directive(...), ...)
  std::string pragmas_of(size_t name) const {
    const size_t end = statements_.end_of_brackets(name + 1);
    if (!is(name + 1, "(")) throw Refusal{tokens_[name].begin, "expected '(' after it"};
    if (is(name, "directive")) {
      return source_.marker(tokens_[name].begin) + "#pragma omp " + text_of(name + 2, end - 1) +
             "\n";
    }
    if (!is(name, "sequence")) {
      throw Refusal{tokens_[name].begin,
                    "the attribute 'omp::" + std::string(source_(tokens_[name])) +
                        "' is not supported by bobbin translate"};
    }
    std::string all;
    for (size_t at = name + 2; at + 1 < end;) {
      const size_t part = end_of_attribute(at, end - 1);
      const bool is_qualified = is(at, "omp") && is(at + 1, ":") && is(at + 2, ":");
      all += pragmas_of(is_qualified ? at + 3 : at);
      at = part + 1;
    }
    return all;
  }

  // On one line.
  std::string text_of(size_t begin, size_t end) const {
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      if (tokens_[i].kind == TokenKind::HashLine) continue;
      const bool has_blank = i > begin && tokens_[i - 1].end != tokens_[i].begin;
      text += (has_blank ? " " : "") + std::string(source_(tokens_[i]));
    }
    return text;
  }

  const Source& source_;
  const std::vector<Token>& tokens_;
  Statements statements_;
  std::string out_;
  size_t copied_ = 0;
};

}  // namespace

std::string pragmas_for_attributes(const Source& source) { return Rewriter(source).run(); }

}  // namespace bobbin::translate
