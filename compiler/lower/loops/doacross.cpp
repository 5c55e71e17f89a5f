// SPDX-License-Identifier: Apache-2.0
// ordered with depend(source), depend(sink: vector) and doacross. For the runtime, all collapsed
// loops are one.
#include "lower/loops/doacross.h"

#include <algorithm>

#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

constexpr const char* kNumber = "unsigned long long ";

// The number of an iteration of two loops, of which `inner` has `count` iterations.
std::string joined(const std::string& outer, const std::string& count, const std::string& inner) {
  return "(" + outer + ") * " + count + " + " + inner;
}

// The elements of a vector, when `numbers` are those of each loop.
std::string elements(const DoacrossNest& nest, const std::vector<std::string>& numbers) {
  std::string text = numbers[0];
  for (size_t i = 1; i < nest.collapse; ++i) {
    text = joined(text, nest.loops[i].count(), numbers[i]);
  }
  for (size_t i = nest.collapse; i < numbers.size(); ++i) text += ", " + numbers[i];
  return "{" + text + "}";
}

std::vector<std::string> current(const DoacrossNest& nest) {
  std::vector<std::string> numbers;
  numbers.reserve(nest.loops.size());
  for (const CanonicalLoop& loop : nest.loops) numbers.push_back(loop.number());
  return numbers;
}

class Sink {
 public:
  Sink(Translation& translation, const Directive& directive, const Context& context)
      : translation_(translation),
        directive_(directive),
        context_(context),
        nest_(*context.doacross),
        vector_(translation.names.free("vector")) {}

  std::string wait_for(const Clause& clause) {
    if (!clause.word.empty()) return wait_for_previous();
    if (clause.items.size() != nest_.loops.size()) {
      throw Refusal{clause.at, "the vector has " + std::to_string(clause.items.size()) +
                                   " elements, and the loops are " +
                                   std::to_string(nest_.loops.size())};
    }
    std::string declarations;
    std::string condition;
    std::vector<std::string> numbers;
    for (size_t i = 0; i < nest_.loops.size(); ++i) {
      const std::string name = translation_.names.free("sink_" + std::to_string(i + 1));
      declarations += "const " + (kNumber + name) + " = " + element(clause.items[i], i) + ";\n";
      // A number before the first one is a very large one.
      condition += (condition.empty() ? "" : " && ") + name + " < " + nest_.loops[i].count();
      numbers.push_back(name);
    }
    if (!leads_back_) {
      // As gcc: in code that is never executed such a vector does no harm.
      return translation_.source.marker(clause.at) +
             "#pragma GCC warning \"the iteration of this 'sink' does not come before the current "
             "one, so it is not waited for\"\n" +
             translation_.source.marker(clause.at);
    }
    return "{\n" + declarations + "if (" + condition + ") {\n" + wait(elements(nest_, numbers)) +
           "}\n}\n";
  }

 private:
  std::string wait(const std::string& values) const {
    return "const " + (kNumber + vector_) + "[] = " + values + ";\n" +
           translation_.marker(directive_) + "bobbin_omp_doacross_wait(" + vector_ + ");\n";
  }

  // x, x + distance, x - distance
  std::string element(const Item& item, size_t i) {
    const CanonicalLoop& loop = nest_.loops[i];
    const Span& span = item.base;
    const std::vector<Token> words =
        tokenize(translation_.probe.text(), span.probe_begin, span.probe_end, HashLines::Ignore);
    const Variable* variable =
        translation_.variable_at({0, 0, words.front().begin, words.front().end});
    if (variable != &loop.variable() || words.size() == 2) {
      throw Refusal{span.begin, "expected '" + loop.variable().name +
                                    "', '+' or '-' and a constant in the vector"};
    }
    if (words.size() == 1) return loop.number();
    const bool is_plus = words[1].in(translation_.probe.text()) == "+";
    if (!is_decided_) leads_back_ = is_plus != loop.is_up();
    is_decided_ = true;
    const std::string distance = translation_.render({words[2].begin, span.probe_end}, context_);
    return loop.number() + (is_plus == loop.is_up() ? " + " : " - ") + loop.iterations_in(distance);
  }

  // One loop's part of an iteration's number.
  static std::string part(const std::string& number, const std::string& below,
                          const std::string& count) {
    const std::string quotient = below.empty() ? number : number + " / (" + below + ")";
    return count.empty() ? quotient : quotient + " % " + count;
  }

  // omp_cur_iteration - 1
  std::string wait_for_previous() const {
    const std::string previous = translation_.names.free("previous");
    std::string number;
    std::vector<std::string> values;
    for (const CanonicalLoop& loop : nest_.loops) {
      number = number.empty() ? loop.number() : joined(number, loop.count(), loop.number());
    }
    std::string below;
    for (size_t i = nest_.loops.size(); i-- > 0;) {
      const std::string& count = nest_.loops[i].count();
      values.insert(values.begin(), part(previous, below, i == 0 ? "" : count));
      below += (below.empty() ? "" : " * ") + count;
    }
    return "{\n" + (kNumber + previous) + " = " + number + ";\nif (" + previous + "-- != 0) {\n" +
           wait(elements(nest_, values)) + "}\n}\n";
  }

  Translation& translation_;
  const Directive& directive_;
  const Context& context_;
  const DoacrossNest& nest_;
  std::string vector_;
  bool is_decided_ = false;  // by the first element with a distance
  bool leads_back_ = false;
};

}  // namespace

bool is_doacross(const Translation& translation, const Construct& construct) {
  if (construct.directive.ordered == 0) return false;
  const std::vector<size_t> inside = translation.directives_in(construct.site->statement);
  return std::any_of(inside.begin(), inside.end(), [&](size_t number) {
    return translation.directives[number].row->leaves.front() == Leaf::Doacross;
  });
}

std::string doacross_counts(const DoacrossNest& nest, const std::string& collapsed) {
  std::string text = "{" + collapsed;
  for (size_t i = nest.collapse; i < nest.loops.size(); ++i) {
    text += ", " + nest.loops[i].count();
  }
  return text + "}";
}

namespace {

std::string post(const Translation& translation, const Directive& directive,
                 const DoacrossNest& nest) {
  const std::string vector = translation.names.free("vector");
  return "{\nconst " + (kNumber + vector) + "[] = " + elements(nest, current(nest)) + ";\n" +
         translation.marker(directive) + "bobbin_omp_doacross_post(" + vector + ");\n}\n";
}

}  // namespace

std::string lower_doacross(Translation& translation, const Construct& construct,
                           const Context& context) {
  const Directive& directive = construct.directive;
  if (context.doacross == nullptr) {
    translation.refuse(directive,
                       "the directive is not closely nested in a loop with 'ordered(n)'");
  }
  std::string text = "{\n";
  for (const Clause& clause : directive.clauses) {
    text += clause.modifiers.front() == "sink"
                ? Sink(translation, directive, context).wait_for(clause)
                : post(translation, directive, *context.doacross);
  }
  return text + "}";
}

}  // namespace bobbin::translate
