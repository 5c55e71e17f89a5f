// SPDX-License-Identifier: Apache-2.0
#include "lower/loops/canonical.h"

#include <cstdlib>
#include <utility>

namespace bobbin::translate {
namespace {

constexpr const char* kNumber = "unsigned long long";

// A pointer is constant, not what it points to.
std::string constant_of(const Types& types, Type type, const std::string& name) {
  if (types.is_pointer(type)) return types.declare(type, "const " + name, Types::Const::Drop);
  return "const " + types.declare(type, name, Types::Const::Drop);
}

}  // namespace

Constant number_constant(const std::string& name,
                         std::function<std::string(const Context&)> value) {
  const std::string member = std::string(kNumber) + " " + name;
  return {name, member, "const " + member, std::move(value)};
}

CanonicalLoop::CanonicalLoop(Translation& translation, const Directive& directive, const Loop& loop,
                             const std::string& suffix)
    : translation_(&translation),
      loop_(loop),
      lower_(translation.names.free("lower" + suffix)),
      count_(translation.names.free("count" + suffix)),
      is_up_(loop.comparison.starts_with("<")),
      has_addresses_(translation.types.is_variable(loop.variable->type) ||
                     translation.types.is_variable(loop.compared)) {
  for (const Type type : {loop.variable->type, loop.compared}) {
    if (!translation.types.unnameable(type).empty()) {
      translation.refuse(directive, "the type of the loop's variable '" + loop.variable->name +
                                        "' is not supported by bobbin translate");
    }
  }
  if (has_addresses_ && loop.declares) {
    translation.refuse(directive, "'" + loop.variable->name +
                                      "' points to rows of variable length; declare it before "
                                      "the loop");
  }
  add_bounds(suffix);
}

void CanonicalLoop::add_bounds(const std::string& suffix) {
  const Types& types = translation_->types;
  const auto text = [this](Extent extent) {
    return [translation = translation_, extent](const Context& context) {
      return translation->render(extent, context);
    };
  };
  const Type type = loop_.variable->type;
  const std::string bound = translation_->names.free("bound" + suffix);
  if (has_addresses_) {
    add_address(lower_, loop_.lower, true);
    add_address(bound, loop_.bound, false);
  } else if (const std::optional<long long> lower = plain(loop_.lower_value)) {
    lower_ = std::to_string(*lower);
  } else {
    constants_.push_back({lower_, types.declare(type, lower_, Types::Const::Drop),
                          constant_of(types, type, lower_), text(loop_.lower)});
  }
  if (loop_.comparison == "!=") {
    if (!loop_.step_value) {
      translation_->refuse(loop_.step.begin, "the step of a loop with != must be constant");
    }
    is_up_ = (*loop_.step_value > 0) != loop_.steps_down;
  }
  if (loop_.step_value != (is_up_ != loop_.steps_down ? 1 : -1)) add_step(suffix);
  if (const std::optional<long long> known = known_count()) {
    std::string count = std::to_string(*known);
    // In a nest it is a factor, so it has the type of the product.
    if (suffix.empty()) {
      count_ = std::move(count);
    } else {
      constants_.push_back(number_constant(count_, [count](const Context&) { return count; }));
    }
    return;
  }
  if (!has_addresses_) {
    constants_.push_back({bound, types.declare(loop_.compared, bound, Types::Const::Drop),
                          constant_of(types, loop_.compared, bound), text(loop_.bound), false});
  }
  add_count(bound);
}

// The value if its number can stand in place of a constant of the loop's types.
std::optional<long long> CanonicalLoop::plain(std::optional<long long> value) const {
  const Types& types = translation_->types;
  const Type type = loop_.variable->type;
  if (!value || !types.is_integer(type) || !types.is_integer(loop_.compared)) return std::nullopt;
  const size_t size = types.size(type);
  const long long largest = size == 1 ? 127 : size == 2 ? 32767 : 2147483647;
  if (*value < 0 || *value > largest || size > sizeof(long long)) return std::nullopt;
  return value;
}

std::optional<long long> CanonicalLoop::known_count() const {
  const std::optional<long long> lower = plain(loop_.lower_value);
  const std::optional<long long> bound = plain(loop_.bound_value);
  if (!lower || !bound || !loop_.step_value || has_addresses_) return std::nullopt;
  const long long low = is_up_ ? *lower : *bound;
  const long long high = is_up_ ? *bound : *lower;
  const bool includes_bound = loop_.comparison == "<=" || loop_.comparison == ">=";
  const long long distance = high - low - (includes_bound ? 0 : 1);
  const long long step = std::abs(*loop_.step_value);
  return high < low || distance < 0 ? 0 : distance / step + 1;
}

// The amount by which the variable moves in the direction of the comparison.
void CanonicalLoop::add_step(const std::string& suffix) {
  const bool is_added = is_up_ != loop_.steps_down;
  const long long amount = loop_.step_value ? (is_added ? 1 : -1) * *loop_.step_value : 0;
  if (loop_.step_value && amount > 0 && amount <= 32767) {
    step_ = std::to_string(amount);
    return;
  }
  step_ = translation_->names.free("step" + suffix);
  const std::string sign = is_added ? "" : "0 - ";
  constants_.push_back(number_constant(
      step_, [sign, translation = translation_, step = loop_.step](const Context& context) {
        return sign + "(" + kNumber + ")(" + translation->render(step, context) + ")";
      }));
}

void CanonicalLoop::add_address(const std::string& name, Extent value, bool is_needed_inside) {
  constants_.push_back(
      number_constant(name, [translation = translation_, value](const Context& context) {
        return "(" + std::string(kNumber) + ")(" + translation->render(value, context) + ")";
      }));
  constants_.back().is_needed_inside = is_needed_inside;
}

// Differences modulo 2^64 are right for all integers that are in the right order.
std::string CanonicalLoop::distance(const std::string& high, const std::string& low,
                                    const std::string& name) const {
  const std::string number = "(" + std::string(kNumber) + ")";
  if (has_addresses_) return "(" + high + " - " + low + ") / sizeof *" + name;
  if (translation_->types.is_pointer(loop_.compared))
    return number + "(" + high + " - " + low + ")";
  if (low == "0") return number + high;
  const bool is_wider = translation_->types.size(loop_.compared) > sizeof(long long);
  return number + high + " - " + (is_wider ? number : "") + low;
}

void CanonicalLoop::add_count(const std::string& bound) {
  const Types& types = translation_->types;
  const bool is_same = has_addresses_ || plain(loop_.lower_value).has_value() ||
                       types.are_same(loop_.compared, loop_.variable->type);
  const std::string from = is_same ? lower_ : "(" + types.name(loop_.compared) + ")" + lower_;
  constants_.push_back(number_constant(count_, [*this, from, bound](const Context& context) {
    const std::string distance =
        this->distance(is_up_ ? bound : from, is_up_ ? from : bound, context.text_of(variable()));
    const bool includes_bound = loop_.comparison.ends_with("=") && loop_.comparison != "!=";
    if (step_.empty() && includes_bound && from == "1" && is_up_) {
      return from + " <= " + bound + " ? (" + kNumber + ")" + bound + " : 0";
    }
    const std::string count =
        step_.empty() ? distance + (includes_bound ? " + 1" : "")
                      : "(" + distance + (includes_bound ? "" : " - 1") + ") / " + step_ + " + 1";
    return from + " " + loop_.comparison + " " + bound + " ? " + count + " : 0";
  }));
}

std::string CanonicalLoop::declare() const {
  const std::string& name = variable().name;
  const Types& types = translation_->types;
  return types.is_variable(variable().type) ? "__typeof__(" + name + ") " + name
                                            : types.declare(variable(), name, Types::Const::Drop);
}

bool CanonicalLoop::is_simply_declared() const {
  const Types& types = translation_->types;
  return declare() == types.name(variable().type) + " " + variable().name;
}

std::string CanonicalLoop::constant(const std::string& name) const {
  if (has_addresses_) return "__typeof__(" + loop_.variable->name + ") const " + name;
  return constant_of(translation_->types, loop_.variable->type, name);
}

std::string CanonicalLoop::value(const std::string& iteration) const {
  if (iteration == "0" && !has_addresses_) return lower_;
  std::string way = step_.empty() ? iteration : iteration + " * " + step_;
  if (has_addresses_) {
    return "(void *)(" + lower_ + (is_up_ ? " + (" : " - (") + way + ") * sizeof *" +
           loop_.variable->name + ")";
  }
  if (lower_ == "0" && is_up_) return way;
  return lower_ + (is_up_ ? " + " : " - ") + way;
}

std::string CanonicalLoop::advance() const {
  const std::string& name = loop_.variable->name;
  const Type type = loop_.variable->type;
  if (step_.empty()) return (is_up_ ? "++" : "--") + name;
  const bool is_number = step_.front() >= '0' && step_.front() <= '9';
  const std::string step = is_number || translation_->types.is_pointer(type)
                               ? step_
                               : "(" + translation_->types.name(type) + ")" + step_;
  return name + (is_up_ ? " += " : " -= ") + step;
}

std::string CanonicalLoop::number() const {
  const std::string& name = loop_.variable->name;
  const std::string own = has_addresses_ ? "(" + std::string(kNumber) + ")" + name : name;
  const std::string& high = is_up_ ? own : lower_;
  const std::string& low = is_up_ ? lower_ : own;
  const std::string distance = "(" + this->distance(high, low, name) + ")";
  return step_.empty() ? distance : distance + " / " + step_;
}

std::string CanonicalLoop::iterations_in(const std::string& distance) const {
  const std::string number = "(" + std::string(kNumber) + ")(" + distance + ")";
  return step_.empty() ? number : number + " / " + step_;
}

}  // namespace bobbin::translate
