// SPDX-License-Identifier: Apache-2.0
// Allocators of the program's own in uses_allocators. They are made before the target region, and
// destroyed behind it. The predefined ones are everywhere.
#pragma once

#include <string>
#include <vector>

#include "lower/data/closure.h"

namespace bobbin::translate {

class UsedAllocators {
 public:
  UsedAllocators(const Translation& translation, const Directive& directive);

  bool empty() const { return all_.empty(); }
  bool contains(const Variable& variable) const;
  // The structure has their handles, and the region calls them by their names.
  void declare_in(Closure& closure, Translation& translation, const Context& outer) const;
  // So that no compiler warns of variables that only the region uses.
  std::string note_use(const Context& outer) const;
  // structure: `args.` or `data->`
  std::string destroy(const std::string& structure) const;

 private:
  struct One {
    const Variable* variable;
    const Clause* clause;
  };

  std::vector<One> all_;
};

}  // namespace bobbin::translate
