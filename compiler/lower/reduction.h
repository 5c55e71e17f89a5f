// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/translation.h"

namespace bobbin::translate {

// One variable of a reduction clause. A private copy has the variable's own name; a pointer, whose
// name `original` gives, leads to the variable.
class ReductionItem {
 public:
  ReductionItem(const Translation& translation, const Clause& clause, const Item& item);

  const Variable& variable() const { return *variable_; }
  const std::string& original() const { return original_; }

  // Declares the private copy, with the initial value of the operator.
  std::string declare() const;
  // Combines the copy with the original.
  std::string combine() const;

 private:
  std::string identity(Type type) const;
  std::string combined(const std::string& out, const std::string& in, Type type) const;
  std::string largest(Type type) const;
  std::string smallest(Type type) const;

  const Translation& translation_;
  const Variable* variable_;
  std::string original_;
  std::string operator_;
  const DeclaredReduction* declared_ = nullptr;
  Type element_;
};

// Those of the construct's clauses, except what is reduced by a scan.
std::vector<ReductionItem> reduction_items(const Translation& translation,
                                           const Directive& directive);
// Those with the modifier inscan.
std::vector<ReductionItem> inscan_items(const Translation& translation, const Directive& directive);
// All of them.
std::string combine_one_by_one(const std::vector<ReductionItem>& items);
// Likewise, one thread at a time.
std::string combine(const std::vector<ReductionItem>& items);

}  // namespace bobbin::translate
