// SPDX-License-Identifier: Apache-2.0
// The allocate clauses of a construct.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lower/translation/translation.h"

namespace bobbin::translate {

// Memory of an allocator for one variable, whose name becomes that of a pointer to it. The memory
// is freed where the pointer's scope ends.
struct Allocation {
  std::string alignment = "0";
  std::string allocator = "0";

  bool operator==(const Allocation& other) const = default;

  // `pointer` declares the pointer `name`.
  std::string declare(const std::string& pointer, const std::string& name) const;
  // The same if the size of what it points to is computed, and must not be read from a pointer that
  // has no value yet.
  std::string declare_computed(const std::string& pointer, const std::string& name) const;
  // Memory of another size.
  std::string declare_sized(const std::string& pointer, const std::string& name,
                            const std::string& size) const;
};

// Of a pointer to memory of an allocator.
inline constexpr const char* kFreedAtEnd = " __attribute__((cleanup(bobbin_omp_deallocate)))";

// What such a variable is called.
inline std::string allocated(const std::string& name) { return Place::behind(name).text(); }

class Allocations {
 public:
  // Evaluates an expression at the place of the construct. Returns what it is called inside.
  using Pass = std::function<std::string(const std::string& name, const Span& allocator)>;

  Allocations(Translation& translation, const Directive& directive, const Context& outer,
              const Pass& pass);
  // For what stays in the function. The text gets a constant of each allocator.
  Allocations(Translation& translation, const Directive& directive, const Context& outer,
              std::string& constants);

  // Null: no clause names the variable.
  const Allocation* find(const Variable& variable) const {
    const auto found = all_.find(&variable);
    return found != all_.end() ? &found->second : nullptr;
  }

 private:
  std::map<const Variable*, Allocation> all_;
};

}  // namespace bobbin::translate
