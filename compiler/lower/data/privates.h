// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lower/data/allocation.h"
#include "lower/data/reduction.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

class CanonicalLoop;
class Iterations;

// The variables of a construct that stays in the user's function. What is private is declared
// again, under its own name, in a block. A pointer leads to the original, where that is needed.
class Privates {
 public:
  Privates(Translation& translation, const Construct& construct, const Context& outer);

  Context& context() { return context_; }
  void add_loop_variable(const Iterations& iterations, const CanonicalLoop& loop);

  // Before the block: pointers to originals.
  const std::string& originals() const { return originals_; }
  // The block's declarations.
  std::string declarations() const { return declarations_; }
  // At the block's end, in the thread that has executed the last iteration or section.
  std::string assign_last() const;
  std::string assign_last(const Variable& variable) const;
  std::string combine_reductions() const { return end_tasks(reductions_) + combine(reductions_); }
  // The same where no other thread combines.
  std::string combine_alone() const { return combine_one_by_one(reductions_); }

  const std::vector<const Variable*>& lastprivates() const { return lastprivates_; }

 private:
  void point_to(const Variable& variable);
  std::string note_use(const Variable& variable) const;
  // What the statement calls it.
  std::string text_of(const Variable& variable) const;
  std::string declaration(const Variable& variable, const std::string& name) const;
  // With that value, unless there is none.
  std::string declare(const Variable& variable, const std::string& value = "") const;
  std::string original(const Variable& variable) const;
  bool is_named(const Variable& variable) const { return named_.contains(&variable); }

  Translation& translation_;
  const Context& outer_;
  Context context_;
  Extent statement_;
  std::set<const Variable*> named_;  // by the iterations, or in the statement
  std::set<const Variable*> pointed_to_;
  std::set<const Variable*> declared_;
  std::vector<const Variable*> lastprivates_;
  std::vector<ReductionItem> reductions_;
  std::string originals_;
  Allocations allocations_;
  std::string declarations_;
};

}  // namespace bobbin::translate
