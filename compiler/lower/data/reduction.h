// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/data/allocation.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

// One item of a reduction clause: a variable, an array element, a section of an array or of what a
// pointer points to.
//
// A variable has a private copy of its own name, and a pointer, whose name `original` gives, leads
// to the variable. Of what has a length that is not constant, and of sections, the elements are
// copied one after the other. Then `original` points to the first one, and the variable's name
// leads to where the array would begin of which the copy is a section.
class ReductionItem {
 public:
  // What is computed before the construct.
  struct Constant {
    std::string declaration;
    std::string name;
    std::string value;
  };

  // outer: what surrounds the construct.
  ReductionItem(Translation& translation, const Clause& clause, const Item& item,
                const Context& outer);

  const Variable& variable() const { return *variable_; }
  const std::string& original() const { return original_; }
  bool is_section() const { return !constants_.empty(); }
  // To initialize a copy, the value of the original is read.
  bool reads_original() const { return declared_ != nullptr && declared_->reads_original; }
  // The reduction modifier: tasks may take part.
  bool is_by_tasks() const { return is_by_tasks_; }
  const std::vector<Constant>& constants() const { return constants_; }

  // The private copy lies in memory of an allocator. Null: it does not.
  void allocate(const Allocation* allocation) { allocation_ = allocation; }
  const Allocation* allocation() const { return allocation_; }

  // Declares the private copy, with the initial value of the operator. `moved`: the declaration of
  // what a section's variable becomes.
  std::string declare(const std::string& moved) const;
  // How the statement calls the variable.
  Place place() const;
  // Combines the copy with the original.
  std::string combine() const;

  // Gives a section's variable its value, if the section's first element is at `first`.
  std::string move(const std::string& moved, const std::string& first,
                   const std::string& offset) const;
  const std::string& offset() const { return offset_; }

  // For the runtime: an element of an array of bobbin_omp_reduction. Writes the functions of which
  // it consists. Tasks know the item by the original's address, and by that of the private copy.
  std::string describe_original(const Directive& directive) const;
  std::string describe_copy(const Directive& directive) const;

 private:
  void read_operator(const Clause& clause);
  void read_section(const Item& item);
  std::string describe(const Directive& directive, const std::string& into,
                       const std::string& initial) const;
  std::string identity(Type type) const;
  std::string combined(const std::string& out, const std::string& in) const;
  std::string largest(Type type) const;
  std::string smallest(Type type) const;
  std::string initialize_element(const std::string& copy, const std::string& original) const;
  std::string for_each(const std::string& count) const;

  Translation& translation_;
  const Context& outer_;
  const Variable* variable_;
  std::string original_;
  std::string copy_;    // of a section
  std::string count_;   // of its elements
  std::string offset_;  // in bytes, from where the array begins
  std::string operator_;
  bool is_by_tasks_ = false;
  const DeclaredReduction* declared_ = nullptr;
  const Allocation* allocation_ = nullptr;
  Type element_;
  std::vector<Constant> constants_;
};

// Those of the construct's clauses, except what is reduced by a scan.
std::vector<ReductionItem> reduction_items(Translation& translation, const Directive& directive,
                                           const Context& outer,
                                           ClauseKind kind = ClauseKind::Reduction);
// Those with the modifier inscan.
bool has_inscan(const Directive& directive);
std::vector<ReductionItem> inscan_items(Translation& translation, const Directive& directive,
                                        const Context& outer);
// All of them.
std::string combine_one_by_one(const std::vector<ReductionItem>& items);
// Likewise, one thread at a time.
std::string combine(const std::vector<ReductionItem>& items);

// In a region of a team, behind the declarations: no thread may combine before all copies have been
// initialized.
std::string await_initialization(const std::vector<ReductionItem>& items);

// Around the statement of a region: lets tasks take part in those that have the task modifier.
std::string begin_tasks(const Translation& translation, const Directive& directive,
                        const std::vector<ReductionItem>& items);
std::string end_tasks(const std::vector<ReductionItem>& items);
// The reductions of a taskgroup region by its tasks: what describes them, and what follows the
// beginning of the region.
struct TaskReductions {
  std::string declarations;
  std::string begin;
};
TaskReductions task_reductions(const Translation& translation, const Directive& directive,
                               const std::vector<ReductionItem>& items);

}  // namespace bobbin::translate
