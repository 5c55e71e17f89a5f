// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/data/closure.h"
#include "lower/loops/iteration.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

// The variables of linear and induction clauses. In each iteration such a variable has the
// original's first value, to which the step has been applied as often as there are iterations
// before: added, multiplied, or by an operation that the program has declared.
//
// In a composite directive each construct has such variables. Those of an inner one begin with the
// value that the outer one gives its variable at the beginning of a chunk, and count the iterations
// of the chunk.
class LinearVariables {
 public:
  // Which clauses: the native compiler implements linear on simd.
  enum class Of : unsigned char { All, Induction };
  LinearVariables(Translation& translation, const Directive& directive, const Context& outer,
                  const Iterations& iterations, Of clauses = Of::All);

  bool empty() const { return all_.empty(); }
  std::vector<const Variable*> variables() const;
  // The context of the statement.
  void declare_in(Context& context) const;

  // Before the block: first values, steps, and pointers to the originals.
  std::string originals() const;
  // The same in a function of its own.
  void pass_to(Closure& closure) const;
  std::string declarations() const;
  // Before the loop: the values for the next iteration, which is number `first`. The loop's head
  // steps them, and each iteration begins with an assignment of them. With the modifier strict the
  // value is computed in each iteration from its number.
  std::string start(const std::string& first) const;
  std::string step() const;
  std::string assign(const std::string& number) const;
  bool needs_number() const;
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
    bool is_strict = false;
    bool is_product = false;
    std::string power = {};  // of a product: multiplies a value by a power of the step
    const DeclaredInduction* declared = nullptr;
  };

  void add(const Clause& clause, const Item& item);
  const DeclaredInduction& declared(const Clause& clause, const Item& item) const;
  std::string write_power(const Variable& variable);

  std::string declare_step(const One& one) const;
  std::string declare(const One& one, const std::string& name) const;
  std::string value(const One& one, const std::string& number) const;

  Translation& translation_;
  const Context& outer_;
  std::vector<One> all_;
};

}  // namespace bobbin::translate
