// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/translation.h"

namespace bobbin::translate {

// The variables of linear and induction clauses. In each iteration such a variable has the
// original's first value, to which the step has been added, or by which it has been multiplied, as
// often as there are iterations before.
class LinearVariables {
 public:
  LinearVariables(Translation& translation, const Directive& directive, const Context& outer);

  bool empty() const { return all_.empty(); }
  // The context of the statement.
  void declare_in(Context& context) const;

  // Before the block: first values, steps, and pointers to the originals.
  std::string originals() const;
  std::string declarations() const;
  // Before the loop: the values for the next iteration, which is number `first`. The loop's head
  // steps them, and each iteration begins with an assignment of them.
  std::string start(const std::string& first) const;
  std::string step() const;
  std::string assign() const;
  // In the thread that has executed the last iteration.
  std::string assign_last(const std::string& count) const;

 private:
  struct One {
    const Variable* variable;
    std::string original;
    std::string first;
    std::string step;
    std::string step_value;
    std::string next;
    std::string power;  // multiplies a value by a power of the step; empty: the step is added
  };

  void add(const Clause& clause, const Item& item);
  std::string write_power(const Variable& variable);

  std::string type_of_step(const One& one) const;
  std::string value(const One& one, const std::string& number) const;

  Translation& translation_;
  const Context& outer_;
  std::vector<One> all_;
};

}  // namespace bobbin::translate
