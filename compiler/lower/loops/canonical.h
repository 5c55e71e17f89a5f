// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// A constant that is declared before a loop. Its value may be written more than once, in different
// surroundings.
struct Constant {
  std::string name;
  std::string member;    // how a structure's member is declared
  std::string constant;  // how the constant is
  std::function<std::string(const Context&)> value;
  bool is_needed_inside = true;  // in the loop, not only for other constants

  std::string declare(const Context& context) const {
    return constant + " = " + value(context) + ";\n";
  }
};
Constant number_constant(const std::string& name, std::function<std::string(const Context&)> value);

// A loop of the user's in canonical form: its first value, its step and its number of iterations,
// and by them its variable.
class CanonicalLoop {
 public:
  // `suffix` tells the constants from those of the other loops of the nest.
  CanonicalLoop(Translation& translation, const Directive& directive, const Loop& loop,
                const std::string& suffix);

  const Loop& loop() const { return loop_; }
  const Variable& variable() const { return *loop_.variable; }
  const std::string& count() const { return count_; }
  const std::vector<Constant>& constants() const { return constants_; }

  // The variable's value in an iteration, which is given by its number: what is assigned to it.
  std::string value(const std::string& iteration) const;
  // The declaration of the variable where another one of its name is hidden.
  std::string declare() const;
  // The declaration of a constant of the variable's type.
  std::string constant(const std::string& name) const;
  // The variable's step to the next iteration.
  std::string advance() const;
  // The number of the iteration from the variable's value.
  std::string number() const;
  // By how many iterations a distance of the variable's value leads ahead or back.
  std::string iterations_in(const std::string& distance) const;
  bool is_up() const { return is_up_; }
  // Does the declaration consist of the type and the name?
  bool is_simply_declared() const;
  // Does the native compiler take the loop for a canonical one?
  bool can_be_vectorized() const { return !has_addresses_; }

 private:
  void add_bounds(const std::string& suffix);
  std::optional<long long> plain(std::optional<long long> value) const;
  // The number of iterations, if it is a constant.
  std::optional<long long> known_count() const;
  void add_step(const std::string& suffix);
  void add_address(const std::string& name, Extent value, bool is_needed_inside);
  std::string distance(const std::string& high, const std::string& low,
                       const std::string& name) const;
  void add_count(const std::string& bound);

  Translation* translation_;
  Loop loop_;
  std::string lower_;  // a number, or the name of a constant
  std::string step_;   // likewise; empty: 1
  std::string count_;
  bool is_up_;
  // Pointers to rows of variable length: types that no structure can have. Their constants are
  // addresses.
  bool has_addresses_;
  std::vector<Constant> constants_;
};

}  // namespace bobbin::translate
