// SPDX-License-Identifier: Apache-2.0
#include "mutator.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "choose/statements.h"
#include "directives/compounds.h"
#include "directives/cursor.h"
#include "directives/name.h"
#include "lex/diagnostics.h"
#include "lex/source.h"

namespace bobbin::fuzz {
namespace {

using translate::Cursor;
using translate::Source;
using translate::Token;
using translate::TokenKind;

struct Part {
  size_t begin;
  size_t end;
};

// What may stand in the parentheses of any clause.
constexpr std::array<std::string_view, 24> kClauses = {"private(x)",
                                                       "firstprivate(x)",
                                                       "lastprivate(x)",
                                                       "shared(x)",
                                                       "reduction(+: x)",
                                                       "reduction(inscan, +: x)",
                                                       "reduction(task, max: x)",
                                                       "in_reduction(+: x)",
                                                       "task_reduction(+: x)",
                                                       "linear(x: 2)",
                                                       "if(x)",
                                                       "num_threads(x)",
                                                       "collapse(2)",
                                                       "ordered",
                                                       "ordered(2)",
                                                       "nowait",
                                                       "schedule(dynamic, x)",
                                                       "depend(inout: x)",
                                                       "map(tofrom: x)",
                                                       "copyprivate(x)",
                                                       "default(none)",
                                                       "lastprivate(conditional: x)",
                                                       "order(concurrent)",
                                                       "untied final(x)"};

constexpr std::array<std::string_view, 12> kNumbers = {
    "0", "1", "2", "3", "-1", "1.5", "2147483647", "4294967296", "8u", "64", "-3LL", "'a'"};

class Mutator {
 public:
  Mutator(const std::string& text, unsigned seed) : source_(text), random_(seed) {
    const std::vector<Token>& tokens = source_.tokens();
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (source_.in_system_header(tokens[i].begin)) continue;
      if (tokens[i].kind != TokenKind::HashLine) {
        words_.push_back(i);
        if (tokens[i].kind == TokenKind::Identifier) identifiers_.push_back(i);
      } else if (is_openmp(source_, tokens[i])) {
        pragmas_.push_back(i);
      } else {
        continue;
      }
      if (i + 1 < tokens.size() && begins_statement(i)) statements_.push_back(i + 1);
    }
  }

  std::string run(const std::function<std::string(std::string)>& with_noise) {
    switch (below(words_.empty() ? 8 : 14)) {
      case 0:
        return without(clause());
      case 1:
      case 2:
        return inserted(end_of_pragma(), " " + text_of(clause()));
      case 3:
        return inserted(end_of_pragma(),
                        " " + named(std::string(kClauses[below(kClauses.size())])));
      case 4:
        return replaced(clause(), text_of(clause()));
      case 5:
        return with_other_name();
      case 6:
        return without(pragma());
      case 7: {
        const Part part = pragma();
        return replaced(part, with_noise(text_of(part)));
      }
      case 8:
        return inserted(statement().begin, "\n" + text_of(pragma()) + "\n");
      case 9:
        return without(statement());
      case 10:
        return inserted(statement().begin, "\n" + text_of(statement()) + "\n");
      case 11: {
        const Part part = statement();
        return replaced(part, "{ " + text_of(part) + " }");
      }
      case 12:
        return replaced(statement(), text_of(statement()));
      default:
        return with_other_word();
    }
  }

  std::string cross(const Mutator& other) {
    switch (below(3)) {
      case 0:
        return inserted(end_of_pragma(), " " + adopted(other, other.clause(random_)));
      case 1:
        return inserted(statement().begin, "\n" + other.text_of(other.pragma(random_)) + "\n");
      default:
        return inserted(statement().begin, "\n" + adopted(other, other.statement(random_)) + "\n");
    }
  }

 private:
  using Random = std::mt19937;

  static size_t below(size_t bound, Random& random) { return bound == 0 ? 0 : random() % bound; }
  size_t below(size_t bound) { return below(bound, random_); }
  template <class T>
  static const T* one_of(const std::vector<T>& all, Random& random) {
    return all.empty() ? nullptr : &all[below(all.size(), random)];
  }

  bool begins_statement(size_t before) const {
    const std::string_view word = source_(source_.tokens()[before]);
    return word == ";" || word == "{" || word == "}" ||
           source_.tokens()[before].kind == TokenKind::HashLine;
  }

  std::string text_of(const Part& part) const {
    return source_.text().substr(part.begin, part.end - part.begin);
  }
  std::string replaced(const Part& part, const std::string& text) const {
    std::string out = source_.text();
    return out.replace(part.begin, part.end - part.begin, text);
  }
  std::string without(const Part& part) const { return replaced(part, ""); }
  std::string inserted(size_t at, const std::string& text) const {
    return replaced({at, at}, text);
  }

  Part pragma(Random& random) const {
    const size_t* one = one_of(pragmas_, random);
    if (one == nullptr) return {0, 0};
    return {source_.tokens()[*one].begin, source_.tokens()[*one].end};
  }
  Part pragma() { return pragma(random_); }
  size_t end_of_pragma() { return pragma().end; }

  // With its pragmas, or one that begins behind them.
  Part statement(Random& random) const {
    const size_t* one = one_of(statements_, random);
    if (one == nullptr) return {0, 0};
    const std::vector<Token>& tokens = source_.tokens();
    const size_t end = translate::Statements(source_.text(), tokens).end_of(*one);
    return {tokens[*one].begin, end > *one ? tokens[end - 1].end : tokens[*one].begin};
  }
  Part statement() { return statement(random_); }

  Part clause(Random& random) const {
    const size_t* one = one_of(pragmas_, random);
    if (one == nullptr) return {0, 0};
    std::vector<Part> found;
    try {
      Cursor cursor(source_, source_.tokens()[*one]);
      cursor.skip(2);
      cursor.skip(find_directive(cursor).words);
      while (!cursor.at_end()) {
        const size_t begin = cursor.offset();
        cursor.next();
        if (cursor.is("(")) cursor.take_parentheses();
        found.push_back({begin, cursor.previous_end()});
      }
    } catch (const translate::Refusal&) {
      // The rest of it is no clause.
    }
    const size_t end = source_.tokens()[*one].end;
    return found.empty() ? Part{end, end} : *one_of(found, random);
  }
  Part clause() { return clause(random_); }

  std::string with_other_name() {
    const size_t* one = one_of(pragmas_, random_);
    if (one == nullptr) return source_.text();
    Cursor cursor(source_, source_.tokens()[*one]);
    cursor.skip(2);
    const size_t begin = cursor.offset();
    const size_t words = find_directive(cursor).words;
    cursor.skip(words);
    const std::string& name = one_of(translate::directives(), random_)->name;
    return replaced({begin, words == 0 ? begin : cursor.previous_end()}, name + " ");
  }

  std::string with_other_word() {
    const Token& word = source_.tokens()[*one_of(words_, random_)];
    if (word.kind == TokenKind::Number) {
      return replaced({word.begin, word.end}, std::string(kNumbers[below(kNumbers.size())]));
    }
    const Token& other = source_.tokens()[*one_of(words_, random_)];
    if (other.kind != word.kind) return source_.text();
    return replaced({word.begin, word.end}, std::string(source_(other)));
  }

  std::string identifier() {
    const size_t* one = one_of(identifiers_, random_);
    return one != nullptr ? std::string(source_(source_.tokens()[*one])) : "x";
  }

  // With a name of this text's in place of x.
  std::string named(std::string clause) {
    for (const std::string_view x : {"(x", " x"}) {
      const size_t at = clause.find(x);
      if (at != std::string::npos) return clause.replace(at + 1, 1, identifier());
    }
    return clause;
  }

  // A part of the other text, where some names that this one does not have are replaced.
  std::string adopted(const Mutator& other, const Part& part) {
    const std::string text = other.text_of(part);
    std::string out;
    size_t copied = 0;
    for (const Token& word :
         translate::tokenize(text, 0, text.size(), translate::HashLines::Ignore)) {
      const std::string name(word.in(text));
      if (word.kind != TokenKind::Identifier || source_.has_identifier(name) ||
          translate::find_clause(name) != nullptr || below(2) == 0) {
        continue;
      }
      out += text.substr(copied, word.begin - copied) + identifier();
      copied = word.end;
    }
    return out + text.substr(copied);
  }

  Source source_;
  Random random_;
  std::vector<size_t> words_;        // tokens of the user's, without pragmas
  std::vector<size_t> identifiers_;  // of them
  std::vector<size_t> pragmas_;
  std::vector<size_t> statements_;  // the tokens with which they begin
};

}  // namespace

std::string mutate(const std::string& text, unsigned seed,
                   const std::function<std::string(std::string)>& with_noise) {
  return Mutator(text, seed).run(with_noise);
}

std::string cross(const std::string& first, const std::string& second, unsigned seed) {
  return Mutator(first, seed).cross(Mutator(second, seed));
}

}  // namespace bobbin::fuzz
