// SPDX-License-Identifier: Apache-2.0
#include "lower/loops/iteration.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

constexpr const char* kNumber = "unsigned long long ";

}  // namespace

std::vector<const Variable*> associated_variables(const Translation& translation,
                                                  const Construct& construct) {
  std::vector<const Variable*> found;
  if (!takes_loops(construct.leaves().back())) return found;
  const size_t depth = std::max(construct.directive.collapse, construct.directive.ordered);
  for (const Loop& loop : users_loops(translation, *construct.site, depth)) {
    found.push_back(loop.variable);
  }
  return found;
}

Iterations::Iterations(Translation& translation, const Construct& construct, const Context& context)
    : translation_(translation),
      depth_(construct.directive.collapse),
      nest_(nest_of(translation, construct.directive, *construct.site,
                    std::max(depth_, construct.directive.ordered))),
      homes_(nest_.homes()) {
  for (size_t i = 0; i < depth_; ++i) {
    if (homes_[i] != 0) continue;
    for (const Constant& one : nest_.loops[i].constants) {
      constants_ += one.declare(context);
      if (one.is_needed_inside) passed_.push_back(one);
    }
  }
  if (construct.directive.ordered > depth_) keep_inner_loops(construct, context);
  if (nest_.is_transformed) refuse_lastprivate(construct);
  count_ = nest_.loops[0].count;
  if (depth_ == 1) return;
  count_ = translation.names.free("iterations");
  if (is_simple(0)) {
    const std::string product = nest_.loops[0].count + " * " + size_below(0);
    constants_ += "const " + (kNumber + count_) + " = " + product + ";\n";
  } else {
    // The loops on which others depend are executed, to count the iterations of the others.
    constants_ += kNumber + count_ + " = 0;\n{\n" + nest_.variables(" __attribute__((unused))") +
                  count_from(0, nest_.inside(context)) + "}\n";
  }
  passed_.push_back(number_constant(count_, [](const Context&) { return std::string(); }));
}

// The generated loops have variables of their own.
void Iterations::refuse_lastprivate(const Construct& construct) const {
  const std::vector<const Variable*> variables =
      translation_.variables_of(construct.directive, ClauseKind::Lastprivate);
  for (const Loop& loop : users_loops(translation_, *construct.site, depth_)) {
    if (std::find(variables.begin(), variables.end(), loop.variable) != variables.end()) {
      translation_.refuse(construct.directive, "'" + loop.variable->name +
                                                   "' is the variable of a transformed loop, so it "
                                                   "cannot be lastprivate");
    }
  }
}

// ordered(n): the inner ones of the n loops stay as they are. Their constants are needed.
void Iterations::keep_inner_loops(const Construct& construct, const Context& context) {
  if (nest_.is_transformed || !nest_.is_rectangular()) {
    translation_.refuse(construct.directive,
                        "the loops of 'ordered(n)' must be the user's, with independent bounds");
  }
  for (size_t i = depth_; i < nest_.loops.size(); ++i) {
    for (const Constant& one : nest_.loops[i].constants) constants_ += one.declare(context);
  }
  nest_.loops.resize(depth_);
  nest_.body = [&translation = translation_, body = construct.site->loops[depth_ - 1].body](
                   const Context& inside) { return translation.statement(body, inside); };
}

// Are the counts of the inner loops known before this one?
bool Iterations::is_simple(size_t level) const {
  return std::all_of(homes_.begin() + static_cast<std::ptrdiff_t>(level + 1),
                     homes_.begin() + static_cast<std::ptrdiff_t>(depth_),
                     [&](size_t home) { return home <= level; });
}

// The number of iterations of the loops inside, if that is known before the loop.
std::string Iterations::size_below(size_t level) const {
  std::string product;
  for (size_t i = level + 1; i < depth_; ++i) {
    product += (product.empty() ? "" : " * ") + nest_.loops[i].count;
  }
  return product;
}

// Constants that become known with the iteration of the loop around.
std::string Iterations::declare_at(size_t level, const Context& context) const {
  std::string text;
  for (size_t i = level; level > 0 && i < depth_; ++i) {
    if (homes_[i] != level) continue;
    for (const Constant& one : nest_.loops[i].constants) text += one.declare(context);
  }
  return text;
}

std::string Iterations::count_from(size_t level, const Context& context) const {
  const NumberedLoop& loop = nest_.loops[level];
  const std::string text = declare_at(level, context);
  if (is_simple(level)) {
    const std::string below = size_below(level);
    return text + count_ + " += " + (below.empty() ? "" : below + " * ") + loop.count + ";\n";
  }
  return text + "for (" + kNumber + loop.number + " = 0; " + loop.number + " < " + loop.count +
         "; ++" + loop.number + ") {\n" + loop.compute() + count_from(level + 1, context) + "}\n";
}

std::string Iterations::body(const Context& context) const {
  const Context inside = nest_.inside(context);
  return nest_.loops.size() == depth_ ? nest_.body(inside) : nest_.execute_from(depth_, inside);
}

std::string Iterations::number() {
  is_numbered_ = true;
  return depth_ == 1 ? nest_.loops[0].number : translation_.names.free("iteration");
}

// The counters are the block's own, because the runtime knows the addresses of the others.
std::string Iterations::execute(const std::string& first, const std::string& last,
                                const std::string& body, const Context& context,
                                const std::string& steps) const {
  if (depth_ > 1) {
    const std::string number =
        is_numbered_ ? kNumber + translation_.names.free("iteration") + " = " + first + ";\n" : "";
    const std::string counted =
        is_numbered_ ? steps + ", ++" + translation_.names.free("iteration") : steps;
    return "{\n" + number + kNumber + translation_.names.free("skipped") + " = " + first + ", " +
           translation_.names.free("left") + " = " + last + " - " + first + ";\n" +
           execute_level(0, false, body, nest_.inside(context), counted) + "}\n";
  }
  const NumberedLoop& loop = nest_.loops[0];
  if (!nest_.is_transformed) {
    const CanonicalLoop& user = nest_.users[0];
    const std::string end = translation_.names.free("end");
    if (!is_numbered_) return execute_users(user, first, last, end, body, steps);
    return "{\n" + (kNumber + loop.number) + " = " + first + ";\n" +
           execute_users(user, first, last, end, body, steps + ", ++" + loop.number) + "}\n";
  }
  const std::string& at = loop.number;
  const std::string end = translation_.names.free("end");
  const std::string text =
      "{\n" + (kNumber + at) + " = " + first + ";\nconst " + kNumber + end + " = " + last + ";\n";
  return text + loop.execute(end, body, steps) + "}\n";
}

// One loop of the user's, from one iteration up to another one. The variable's value after the loop
// is one of its type in each loop that is valid without OpenMP. name: of that value.
std::string Iterations::execute_users(const CanonicalLoop& user, const std::string& first,
                                      const std::string& last, const std::string& name,
                                      const std::string& body, const std::string& steps) const {
  // The native compiler does without the pragma of a loop that it does not take for canonical.
  const std::string pragma = user.can_be_vectorized() ? pragma_ : "";
  const std::string& variable = user.variable().name;
  const bool is_declared = is_declared_in_head(user);
  const bool declares_both = is_declared && user.is_simply_declared() && pragma.empty();
  const std::string start = (is_declared ? user.declare() : variable) + " = " + user.value(first) +
                            (declares_both ? ", " + name + " = " + user.value(last) : "");
  const char* way = user.is_up() ? " < " : " > ";
  if (user.loop().comparison == "!=" && pragma.empty()) way = " != ";
  std::string loop = pragma + "for (" + start + "; " + variable + way + name + "; " +
                     user.advance() + steps + ")" + body;
  if (declares_both) return loop;
  return "{\n" + user.constant(name) + " = " + user.value(last) + ";\n" + loop + "}\n";
}

bool Iterations::is_declared_in_head(const CanonicalLoop& loop) const {
  return is_one_of_users() && loop.loop().declares;
}

std::string Iterations::declaration(const CanonicalLoop& loop) const {
  return is_declared_in_head(loop) ? "" : loop.declare() + attribute() + ";\n";
}

// `skipped`: how many iterations from here on come before the first one to execute. `left`: how
// many there are to execute. With is_walked the former may be more than this loop has.
std::string Iterations::execute_level(size_t level, bool is_walked, const std::string& body,
                                      const Context& context, const std::string& steps) const {
  const NumberedLoop& loop = nest_.loops[level];
  const std::string skipped = translation_.names.free("skipped");
  const std::string left = translation_.names.free("left");
  const std::string& at = loop.number;
  std::string text = declare_at(level, context);
  if (level + 1 == depth_) {
    const std::string end = translation_.names.free("end");
    text += kNumber + at + " = " +
            (is_walked ? skipped + " < " + loop.count + " ? " + skipped + " : " + loop.count
                       : skipped) +
            ";\n" + skipped + " -= " + at + ";\nconst " + kNumber + end + " = " + left + " < " +
            loop.count + " - " + at + " ? " + at + " + " + left + " : " + loop.count + ";\n" +
            left + " -= " + end + " - " + at + ";\n";
    if (nest_.is_transformed) return text + loop.execute(end, body, steps);
    return text +
           execute_users(nest_.users[level], at, end, translation_.names.free("to"), body, steps);
  }
  const bool simple = is_simple(level);
  if (simple) {
    const std::string below = translation_.names.free("size_" + std::to_string(level + 1));
    const std::string number = skipped + " / " + below;
    text += "const " + (kNumber + below) + " = " + size_below(level) + ";\n" + kNumber + at +
            " = " + below + " == 0 ? " + loop.count + " : " + number + ";\n";
    if (is_walked)
      text += "if (" + at + " > " + loop.count + ") " + at + " = " + loop.count + ";\n";
    text += skipped + " -= " + at + " * " + below + ";\n";
  } else {
    text += kNumber + at + " = 0;\n";
  }
  return text + "for (; " + at + " < " + loop.count + " && " + left + " != 0; ++" + at + ") {\n" +
         loop.compute() + execute_level(level + 1, is_walked || !simple, body, context, steps) +
         "}\n";
}

std::string Iterations::finish(const Variable& variable) const {
  for (size_t i = 0; i < nest_.users.size(); ++i) {
    const CanonicalLoop& loop = nest_.users[i];
    if (&loop.variable() != &variable) continue;
    if (homes_[i] == 0) return variable.name + " = " + loop.value(loop.count()) + ";\n";
    // Of a loop whose bounds depend on others the last iteration is known only afterwards. The
    // innermost loop has advanced its variable.
    return i + 1 == depth_ ? "" : loop.advance() + ";\n";
  }
  return "";
}

}  // namespace bobbin::translate
