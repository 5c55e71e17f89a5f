// SPDX-License-Identifier: Apache-2.0
// Declarations of variables of Clang's types, as text.
#pragma once

#include <string>
#include <vector>

#include "sema/program.h"

namespace bobbin::translate {

class Types {
 public:
  explicit Types(const Program& program);

  bool is_scalar(Type type) const;  // arithmetic, or a pointer
  bool is_arithmetic(Type type) const;
  bool is_integer(Type type) const;
  bool is_signed(Type type) const;
  bool is_floating(Type type) const;  // real
  bool is_pointer(Type type) const;
  bool is_array(Type type) const;
  // Does it have array lengths that are computed when the program runs?
  bool is_variable(Type type) const;
  bool is_variable_array(Type type) const;
  bool is_computed_alias(const LocalType& type) const {
    return type.kind == LocalType::Kind::Alias && is_variable(type.aliased);
  }
  size_t size(Type type) const;  // of a type whose size is constant
  size_t alignment(const Variable& variable) const;
  bool are_same(Type a, Type b) const;
  Type element(Type type) const;  // of an array
  Type pointee(Type type) const;
  // Where the definition of a structure ends; 0: the type is no such.
  size_t end_of_definition(Type type) const;

  // Not empty: the name of the type of a function's own, or what cannot be named at all.
  std::string unnameable(Type type) const;

  // The declarations (LocalType::declaration) that the text of the type names.
  std::vector<const void*> local_types(Type type) const;

  // `T name`, where `name` may be a declarator such as `*name`. `lengths` stand for the computed
  // array lengths, from the outermost on. Without const of its own, if it is not kept.
  enum class Const : unsigned char { Keep, Drop };
  std::string declare(Type type, const std::string& name, Const keep = Const::Keep,
                      const std::vector<std::string>& lengths = {}) const;
  // A copy of the variable, as aligned as it is.
  std::string declare(const Variable& variable, const std::string& name, Const keep = Const::Keep,
                      const std::vector<std::string>& lengths = {}) const;
  // Of that alignment; empty: it is the type's.
  std::string attribute(const Variable& variable) const;
  std::string declare_pointer(Type type, const std::string& name,
                              const std::vector<std::string>& lengths = {}) const;
  std::string name(Type type) const { return declare(type, "", Const::Drop); }

  // The computed lengths of the type of `expression`.
  std::vector<std::string> lengths(Type type, const std::string& expression) const;

 private:
  const Program& program_;
};

}  // namespace bobbin::translate
