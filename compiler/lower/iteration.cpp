// SPDX-License-Identifier: Apache-2.0
#include "lower/iteration.h"

namespace bobbin::translate {
namespace {

constexpr const char* kNumber = "unsigned long long";

Iterations::Constant number(const std::string& name) {
  const std::string member = std::string(kNumber) + " " + name;
  return {name, member, "const " + member};
}

// A pointer is constant, not what it points to.
std::string constant(const Types& types, Type type, const std::string& name) {
  if (types.is_pointer(type)) return types.declare(type, "const " + name, Types::Const::Drop);
  return "const " + types.declare(type, name, Types::Const::Drop);
}

}  // namespace

std::vector<Loop> associated_loops(const Translation& translation, const Construct& construct) {
  const size_t depth = construct.directive.collapse;
  const Site& site = *construct.site;
  if (site.loops.size() < depth) translation.refuse(construct.directive, site.loop_problem);
  std::vector<Loop> loops(site.loops.begin(),
                          site.loops.begin() + static_cast<std::ptrdiff_t>(depth));
  for (size_t outer = 0; outer < depth; ++outer) {
    for (size_t inner = outer + 1; inner < depth; ++inner) {
      for (const Extent& part : {loops[inner].lower, loops[inner].bound, loops[inner].step}) {
        for (const Reference* one : translation.references_in(part)) {
          if (one->variable == loops[outer].variable) {
            translation.refuse(one->begin,
                               "loops whose bounds depend on an outer loop are not supported in "
                               "'collapse' by bobbin translate");
          }
        }
      }
    }
  }
  return loops;
}

bool takes_loops(Leaf leaf) { return leaf == Leaf::For || leaf == Leaf::Taskloop; }

std::vector<const Variable*> associated_variables(const Construct& construct) {
  std::vector<const Variable*> found;
  if (!takes_loops(construct.leaves().back())) return found;
  const size_t depth = construct.directive.collapse;
  for (size_t i = 0; i < depth && i < construct.site->loops.size(); ++i) {
    found.push_back(construct.site->loops[i].variable);
  }
  return found;
}

Iterations::Iterations(Translation& translation, const Construct& construct, const Context& context)
    : translation_(translation),
      directive_(construct.directive),
      loops_(associated_loops(translation, construct)) {
  for (size_t i = 0; i < loops_.size(); ++i) {
    declare(loops_[i], loops_.size() == 1 ? "" : "_" + std::to_string(i + 1), context);
  }
  count_ = of_loop_[0].count;
  if (loops_.size() == 1) return;
  count_ = translation.names.free("iterations");
  std::string product;
  for (const Names& one : of_loop_) product += (product.empty() ? "" : " * ") + one.count;
  constants_ += std::string("const ") + kNumber + " " + count_ + " = " + product + ";\n";
  names_.push_back(number(count_));
}

void Iterations::declare(const Loop& loop, const std::string& suffix, const Context& context) {
  const Types& types = translation_.types;
  for (const Type type : {loop.variable->type, loop.compared}) {
    if (!types.unnameable(type).empty() || types.is_variable(type)) {
      translation_.refuse(directive_, "the type of the loop's variable '" + loop.variable->name +
                                          "' is not supported by bobbin translate");
    }
  }
  Names names{translation_.names.free("lower" + suffix), "",
              translation_.names.free("count" + suffix), true};
  const std::string bound = translation_.names.free("bound" + suffix);
  const auto text = [&](Extent extent) { return translation_.render(extent, context); };

  names.is_up = loop.comparison.starts_with("<") || (loop.comparison == "!=" && !loop.steps_down);
  const std::string step_text = loop.step.begin == loop.step.end ? "1" : text(loop.step);
  if (step_text != "1") {
    if (loop.comparison == "!=") {
      translation_.refuse(loop.step.begin, "a loop with != needs the step 1 or -1, and ++ or --");
    }
    names.step = translation_.names.free("step" + suffix);
  }
  const std::string lower = constant(types, loop.variable->type, names.lower);
  constants_ += lower + " = " + text(loop.lower) + ";\n";
  names_.push_back(
      {names.lower, types.declare(loop.variable->type, names.lower, Types::Const::Drop), lower});
  constants_ += constant(types, loop.compared, bound) + " = " + text(loop.bound) + ";\n";
  if (!names.step.empty()) {
    // The amount by which the variable moves in the direction of the comparison.
    const bool as_written = names.is_up != loop.steps_down;
    constants_ += std::string("const ") + kNumber + " " + names.step + " = " +
                  (as_written ? "" : "0 - ") + "(" + kNumber + ")(" + step_text + ");\n";
    names_.push_back(number(names.step));
  }

  // Differences modulo 2^64 are right for all integers that are in the right order.
  const std::string compared = types.name(loop.compared);
  const std::string from = types.are_same(loop.compared, loop.variable->type)
                               ? names.lower
                               : "(" + compared + ")" + names.lower;
  const std::string& high = names.is_up ? bound : from;
  const std::string& low = names.is_up ? from : bound;
  const std::string distance =
      types.is_pointer(loop.compared)
          ? "(" + std::string(kNumber) + ")(" + high + " - " + low + ")"
          : "(" + std::string(kNumber) + ")" + high + " - (" + kNumber + ")" + low;
  const bool includes_bound = loop.comparison.ends_with("=") && loop.comparison != "!=";
  std::string count;
  if (names.step.empty()) {
    count = distance + (includes_bound ? " + 1" : "");
  } else {
    count = "(" + distance + (includes_bound ? "" : " - 1") + ") / " + names.step + " + 1";
  }
  constants_ += std::string("const ") + kNumber + " " + names.count + " = " + from + " " +
                loop.comparison + " " + bound + " ? " + count + " : 0;\n";
  names_.push_back(number(names.count));
  of_loop_.push_back(names);
}

std::string Iterations::variables() const {
  std::string text;
  for (const Loop& loop : loops_) {
    text +=
        translation_.types.declare(loop.variable->type, loop.variable->name, Types::Const::Drop) +
        ";\n";
  }
  return text;
}

std::string Iterations::value(size_t loop, const std::string& iteration) const {
  const Names& names = of_loop_[loop];
  const Type type = loops_[loop].variable->type;
  const std::string way = names.step.empty() ? iteration : iteration + " * " + names.step;
  const std::string sign = names.is_up ? " + " : " - ";
  if (translation_.types.is_pointer(type)) return names.lower + sign + way;
  return "(" + translation_.types.name(type) + ")((" + kNumber + ")" + names.lower + sign + way +
         ")";
}

std::string Iterations::advance(size_t loop) const {
  const Names& names = of_loop_[loop];
  const std::string& name = loops_[loop].variable->name;
  const Type type = loops_[loop].variable->type;
  if (names.step.empty()) return (names.is_up ? "++" : "--") + name;
  const std::string step = translation_.types.is_pointer(type)
                               ? names.step
                               : "(" + translation_.types.name(type) + ")" + names.step;
  return name + (names.is_up ? " += " : " -= ") + step;
}

// The counters are the block's own, because the runtime knows the addresses of the others.
std::string Iterations::execute(const std::string& first, const std::string& last,
                                const std::string& body) {
  const std::string at = translation_.names.free("iteration");
  const std::string end = translation_.names.free("end");
  std::string text = std::string("{\n") + kNumber + " " + at + " = " + first + ";\nconst " +
                     kNumber + " " + end + " = " + last + ";\n";
  if (loops_.size() == 1) {
    return text + "for (" + loops_[0].variable->name + " = " + value(0, at) + "; " + at + " < " +
           end + "; ++" + at + ", " + advance(0) + ")" + body + "}\n";
  }
  text += "for (; " + at + " < " + end + "; ++" + at + ") {\n";
  std::string inner;  // how many iterations the inner loops have
  for (size_t i = loops_.size(); i-- > 0;) {
    std::string quotient = at;
    if (!inner.empty()) quotient += " / (" + inner + ")";
    const std::string number = i == 0 ? quotient : quotient + " % " + of_loop_[i].count;
    text += loops_[i].variable->name + " = " + value(i, "(" + number + ")") + ";\n";
    inner += (inner.empty() ? "" : " * ") + of_loop_[i].count;
  }
  return text + body + "}\n}\n";
}

std::string Iterations::finish(const Variable& variable) const {
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].variable == &variable) {
      return variable.name + " = " + value(i, of_loop_[i].count) + ";\n";
    }
  }
  return "";
}

}  // namespace bobbin::translate
