// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// lastprivate(conditional: list). Each assignment notes the number of the iteration, or section,
// in which it is, so that the value of the last of these can be found at the end.
class ConditionalVariables {
 public:
  ConditionalVariables(const Translation& translation, const Construct& construct,
                       const Context& outer);

  bool empty() const { return variables_.empty(); }
  // number: that of the iteration, from 0 on.
  void note_assignments(Context& context, const std::string& number) const;
  std::string declarations() const;
  // All threads come here. `original` is how a variable's pointer is called.
  std::string assign_last() const;

 private:
  std::string assign_if_latest(size_t i, const std::string& own, const std::string& all,
                               const std::string& threads) const;
  std::string noted(const Variable& variable) const;

  const Translation& translation_;
  CancelTarget* cancelled_;  // null: the parallel region cannot be cancelled
  std::vector<const Variable*> variables_;
};

}  // namespace bobbin::translate
