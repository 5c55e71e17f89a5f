// SPDX-License-Identifier: Apache-2.0
#include "lower/loops/nest.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

std::string name_of(const Variable& variable) {
  return variable.name + "@" + std::to_string(variable.declared);
}

class NestMaker {
 public:
  NestMaker(Translation& translation, const Directive& directive, const std::string& suffix)
      : translation_(translation), directive_(directive), suffix_(suffix) {}

  Nest make(const Site& site, size_t depth) {
    const size_t taken = std::min(depth, site.loops.size());
    const bool is_single = depth == 1 && taken == 1 && suffix_.empty();
    for (size_t i = 0; i < taken; ++i) {
      add(site.loops[i], is_single ? "" : suffix_ + "_" + std::to_string(i + 1));
    }
    if (taken == depth) {
      check_between(site, depth);
      nest_.body = [&translation = translation_, &site, depth](const Context& context) {
        return execute_body(translation, site.loops, depth, context);
      };
      return std::move(nest_);
    }
    if (!site.nested) refuse_depth(site);
    Nest inner = transformed(translation_, *site.nested);
    if (inner.loops.size() < depth - taken) {
      refuse_generated(translation_.directives[*site.nested].row->leaves.front());
    }
    for (NumberedLoop& loop : inner.loops) nest_.loops.push_back(std::move(loop));
    for (CanonicalLoop& loop : inner.users) nest_.users.push_back(std::move(loop));
    nest_.body = std::move(inner.body);
    nest_.is_transformed = true;
    return std::move(nest_);
  }

 private:
  [[noreturn]] void refuse_depth(const Site& site) const {
    if (site.loop_problem_at == 0) translation_.refuse(directive_, site.loop_problem);
    translation_.refuse(site.loop_problem_at, site.loop_problem);
  }

  // Only collapsed loops may have statements between them (OpenMP 5.2, section 4.4.1).
  void check_between(const Site& site, size_t depth) const {
    const bool needs_perfect_nest =
        !suffix_.empty() || directive_.ordered > directive_.collapse ||
        std::any_of(directive_.clauses.begin(), directive_.clauses.end(), is_inscan);
    for (size_t i = 0; needs_perfect_nest && i + 1 < depth; ++i) {
      const Loop& loop = site.loops[i];
      if (loop.is_perfect()) continue;
      const Extent between = loop.before.begin != loop.before.end ? loop.before : loop.behind;
      const std::vector<Token> tokens =
          tokenize(translation_.probe.text(), between.begin, between.end, HashLines::Recognize);
      const auto first = std::find_if(tokens.begin(), tokens.end(), [](const Token& one) {
        return one.kind != TokenKind::HashLine;
      });
      translation_.refuse(first != tokens.end() ? first->begin : between.begin,
                          "the loops are not nested perfectly");
    }
  }

  // The innermost body, with what stands between the loops in each iteration.
  static std::string execute_body(Translation& translation, const std::vector<Loop>& loops,
                                  size_t depth, const Context& context) {
    std::string text = translation.statement(loops[depth - 1].body, context);
    for (size_t i = depth - 1; i-- > 0;) {
      const Loop& loop = loops[i];
      if (loop.is_perfect()) continue;
      // `continue` ends the body only.
      const auto around = [&](Extent one) {
        return one.begin != one.end ? translation.statement(one, context) : "";
      };
      text = "{\n" + around(loop.before) + "do {\n" + text + "} while (0);\n" +
             around(loop.behind) + "}\n";
    }
    return text;
  }

  // Sections 11.6 and 11.9.
  [[noreturn]] void refuse_generated(Leaf generator) const {
    if (generator == Leaf::Unroll) {
      translation_.refuse(directive_,
                          "OpenMP permits no directive on a loop of 'unroll' without 'partial'");
    }
    if (generator != Leaf::Split) {
      translation_.refuse(directive_, "the generated loops are not as many as the directive needs");
    }
    translation_.refuse(directive_, directive_.row->leaves.front() == Leaf::Fuse
                                        ? "'fuse' of the loops that 'split' generates is not "
                                          "supported by bobbin translate"
                                        : "'split' generates a sequence of loops, on which OpenMP "
                                          "permits only 'fuse'");
  }

  void add(const Loop& loop, const std::string& suffix) {
    CanonicalLoop made(translation_, directive_, loop, suffix);
    NumberedLoop numbered;
    numbered.number = translation_.names.free(suffix.empty() ? "iteration" : "number" + suffix);
    numbered.count = made.count();
    numbered.constants = made.constants();
    numbered.begin = loop.variable->name + " = " + made.value(numbered.number);
    numbered.advance = made.advance();
    numbered.makes = {name_of(*loop.variable), numbered.number};
    for (const Extent& part : {loop.lower, loop.bound, loop.step}) {
      for (const Reference* one : translation_.references_in(part)) {
        numbered.needs.insert(name_of(*one->variable));
      }
    }
    for (const Reference* one : translation_.references_in(loop.step)) {
      for (const NumberedLoop& outer : nest_.loops) {
        if (outer.makes.contains(name_of(*one->variable))) {
          translation_.refuse(one->begin, "the step depends on the variable of an outer loop");
        }
      }
    }
    nest_.loops.push_back(std::move(numbered));
    nest_.users.push_back(std::move(made));
  }

  Translation& translation_;
  const Directive& directive_;
  const std::string& suffix_;
  Nest nest_;
};

}  // namespace

std::string NumberedLoop::execute(const std::string& end, const std::string& body,
                                  const std::string& more) const {
  const std::string test = number + " < " + end + "; ++" + number + more;
  if (advance.empty()) return hint + "for (; " + test + ") {\n" + begin + body + "}\n";
  return hint + "for (" + begin + "; " + test + ", " + advance + ")" + body;
}

std::vector<size_t> Nest::homes() const {
  std::vector<size_t> found;
  for (size_t i = 0; i < loops.size(); ++i) {
    size_t home = 0;
    for (size_t outer = 0; outer < i; ++outer) {
      for (const std::string& one : loops[i].needs) {
        if (loops[outer].makes.contains(one)) home = outer + 1;
      }
    }
    found.push_back(home);
  }
  return found;
}

bool Nest::is_rectangular() const {
  const std::vector<size_t> all = homes();
  return std::all_of(all.begin(), all.end(), [](size_t home) { return home == 0; });
}

Context Nest::inside(Context context) const {
  for (const CanonicalLoop& loop : users) context.make_private(loop.variable());
  return context;
}

std::string Nest::variables(const std::string& attribute) const {
  std::string text;
  for (const CanonicalLoop& loop : users) text += loop.declare() + attribute + ";\n";
  return text;
}

std::string Nest::execute_from(size_t level, const Context& inside) const {
  if (level == loops.size()) return body(inside);
  return "{\n" + execute_level(level, level, inside) + "}\n";
}

// `first`: the level of the outermost loop that is executed.
std::string Nest::execute_level(size_t level, size_t first, const Context& inside) const {
  const std::vector<size_t> home = homes();
  std::string text;
  for (size_t i = level; i < loops.size(); ++i) {
    if (home[i] != level && !(level == first && home[i] < level)) continue;
    for (const Constant& one : loops[i].constants) text += one.declare(inside);
  }
  const std::string statement = level + 1 == loops.size()
                                    ? body(inside)
                                    : "{\n" + execute_level(level + 1, first, inside) + "}\n";
  return text + "unsigned long long " + loops[level].number + " = 0;\n" +
         loops[level].execute(loops[level].count, statement);
}

Nest nest_of(Translation& translation, const Directive& directive, const Site& site, size_t depth,
             const std::string& suffix) {
  return NestMaker(translation, directive, suffix).make(site, depth);
}

std::vector<Loop> users_loops(const Translation& translation, const Site& site, size_t depth) {
  const size_t taken = std::min(depth, site.loops.size());
  std::vector<Loop> found(site.loops.begin(),
                          site.loops.begin() + static_cast<std::ptrdiff_t>(taken));
  if (taken == depth || !site.nested) return found;
  for (const Loop& loop : all_loops(translation, *site.nested)) found.push_back(loop);
  return found;
}

std::vector<Loop> all_loops(const Translation& translation, size_t number) {
  const Site* site = translation.site_of(number);
  if (site == nullptr) return {};
  std::vector<Loop> found =
      users_loops(translation, *site, translation.directives[number].collapse);
  for (const Site& one : site->sequence) {
    for (const Loop& loop : users_loops(translation, one, 1)) found.push_back(loop);
  }
  return found;
}

}  // namespace bobbin::translate
