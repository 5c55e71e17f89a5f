// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lower/data/allocation.h"
#include "lower/translation/translation.h"
#include "print/layout.h"

namespace bobbin::translate {

// How arrays behind a structure are aligned at least.
inline constexpr size_t kLineSize = 64;

// A function that a construct's statement is moved to, and the structure by which it gets at the
// variables of the function around it. Its members keep the variables' names.
class Closure {
 public:
  // In a parallel region all threads share the structure; each task has one of its own.
  enum class Owner : unsigned char { Team, Task };

  Closure(Translation& translation, const Construct& construct, const Context& outer,
          const std::string& suffix, Owner owner);

  // name: of one that has been written for the same directive before; empty: none.
  const std::string& name() const { return name_; }
  Context& context() { return context_; }
  const Context& context() const { return context_; }
  bool is_empty() const { return members_.empty() && allocators_.empty(); }

  void share(const Variable& variable);
  void make_private(const Variable& variable);
  void make_firstprivate(const Variable& variable);
  const Allocations& allocations() const { return allocations_; }
  // Declares a copy without a value, which may lie in memory of an allocator. Returns what it is
  // called.
  std::string declare_copy(const Variable& variable, Types::Const keep = Types::Const::Keep,
                           const std::vector<std::string>& lengths = {});
  // A pointer to it, under a name of its own.
  std::string point_to(const Variable& variable, const std::string& pointer_name);

  // Declares what the statement calls by the variable's name where its elements lie elsewhere: a
  // pointer to an array, or the pointer that the variable is. What follows gives it its value.
  std::string declare_moved(const Variable& variable);

  // Is the name one that the function's beginning mentions, other than as a member?
  bool mentions(const std::string& name) const;

  // A member that gets its value at the place of the construct.
  void pass(const std::string& declaration, const std::string& name, const std::string& value);
  void add_member(const std::string& declaration) { members_ += "  " + declaration + ";\n"; }
  void add_initializer(const std::string& member, const std::string& value);
  void add_prologue(const std::string& text) { prologue_ += kBreak + text; }
  // `data->member`
  std::string member(const std::string& name) const { return data_ + "->" + name; }

  // Writes structure and function. The structure may be written before the body is known.
  void write_structure();
  void write(const std::string& body);

  // Variables to which the structure has pointers, and how many lengths it has for each.
  struct Pointer {
    const Variable* variable;
    size_t lengths;
  };
  const std::vector<Pointer>& pointers() const { return pointers_; }
  // The names of a variable's lengths in the structure.
  std::string length_member(const std::string& of, size_t number) const;

  // The function changes nothing in the structure, nor behind it.
  bool has_constant_data() const { return has_constant_data_; }

  // At the place of the construct: the structure `args`; how to pass it; its size.
  std::string arguments() const;
  std::string argument() const;
  std::string size_and_alignment() const;
  // Another one with the same content, declared under that name; how to pass it.
  std::string copy_of_arguments(const std::string& name) const;
  std::string copy_argument(const std::string& name) const {
    return appended_.empty() ? "&" + name : name;
  }

 private:
  void check(const Variable& variable) const;
  std::string room() const { return translation_.names.free("args_room"); }
  void append(const Variable& variable);
  std::string pass_allocator(const std::string& name, const Span& allocator);
  void pass_array(const Variable& variable);
  void copy_allocated(const Variable& variable);
  void note_use(const Variable& variable);
  void note_assignments(const Variable& variable, const Context::Noted& outer);
  bool is_known(const Variable& variable) const;
  std::string declare(const Variable& variable, const std::string& name,
                      Types::Const keep = Types::Const::Keep) const;
  void declare_aliases();
  // Passes the computed lengths of a type. Returns what stands for them in the function.
  std::vector<std::string> pass_lengths(const Variable& variable);
  std::vector<std::string> pass_lengths(const std::string& of,
                                        const std::vector<std::string>& lengths);

  Translation& translation_;
  const Construct& construct_;
  const Context& outer_;
  Context context_;
  Owner owner_;
  std::string name_;
  std::string data_;
  std::string args_;
  // Inside of the function they have pointers whose names are not theirs.
  std::set<const Variable*> declared_anew_;
  std::set<const Variable*> noted_;  // whose use is told to compilers
  std::vector<Pointer> pointers_;
  bool is_structure_written_ = false;
  bool has_constant_data_ = true;
  std::string members_;
  std::string allocators_;  // members behind those, because the runtime knows the first ones
  std::string initializers_;
  std::string copies_;
  std::string sizes_;     // where arrays of variable length lie
  std::string appended_;  // copies them
  size_t appended_alignment_ = kLineSize;
  std::string prologue_;
  Allocations allocations_;
};

}  // namespace bobbin::translate
