// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/translation.h"

namespace bobbin::translate {

// The loops that the directive is associated with; fewer than `collapse` says is an error.
std::vector<Loop> associated_loops(const Translation& translation, const Construct& construct);
bool takes_loops(Leaf leaf);
// Their variables; none, without an error, for a directive that has no loops.
std::vector<const Variable*> associated_variables(const Construct& construct);

// The loops of a nest as numbered iterations. What is written before the loops declares constants:
// each loop's first value, its step and its number of iterations.
class Iterations {
 public:
  Iterations(Translation& translation, const Construct& construct, const Context& context);

  const std::vector<Loop>& loops() const { return loops_; }

  // Declarations of the constants.
  const std::string& constants() const { return constants_; }
  // The number of iterations of the whole nest.
  const std::string& count() const { return count_; }

  // The names and declarations of constants, for a function that gets them from elsewhere.
  struct Constant {
    std::string name;
    std::string member;    // how a structure's member is declared
    std::string constant;  // how the constant is
  };
  const std::vector<Constant>& names() const { return names_; }

  // Declarations of the loops' variables.
  std::string variables() const;
  // Executes the body for the iterations from `first` up to, but not including, `last`.
  std::string execute(const std::string& first, const std::string& last, const std::string& body);
  // Gives a loop's variable the value it has after the last iteration.
  std::string finish(const Variable& variable) const;

 private:
  struct Names {
    std::string lower;
    std::string step;  // empty: 1
    std::string count;
    bool is_up = true;
  };

  void declare(const Loop& loop, const std::string& suffix, const Context& context);
  std::string value(size_t loop, const std::string& iteration) const;
  std::string advance(size_t loop) const;

  Translation& translation_;
  const Directive& directive_;
  std::vector<Loop> loops_;
  std::vector<Names> of_loop_;
  std::vector<Constant> names_;
  std::string constants_;
  std::string count_;
};

}  // namespace bobbin::translate
