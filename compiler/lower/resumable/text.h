// SPDX-License-Identifier: Apache-2.0
// The text of one resumable function: of a function of the user's, or of a task's statement. Its
// variables are members of a structure that begins with the frame.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lower/data/closure.h"
#include "lower/resumable/scope.h"

namespace bobbin::translate {

// The names of what belongs to a function's resumable form.
struct FormNames {
  FormNames(const Names& names, const Function& of)
      : function(names.free(of.name + "_resumable")),
        call(names.free(of.name + "_call")),
        begin(names.free(of.name + "_begin")),
        frame(names.free(of.name + "_frame")) {}

  std::string function;
  std::string call;   // the structure of what a caller fills in and reads
  std::string begin;  // the function that makes a frame
  std::string frame;  // the structure of all
};

class ResumableText {
 public:
  // extent: the function's body, or the statement of a task in it.
  ResumableText(Translation& translation, const Function& function, Extent extent,
                const Context& outer);
  ResumableText(const ResumableText&) = delete;
  ResumableText& operator=(const ResumableText&) = delete;
  ~ResumableText();

  const ResumableScope& scope() const { return scope_; }

  // A variable that lies in the structure already, as `member`. What lies there is not const.
  void point_to_member(const Variable& variable, const std::string& member) {
    point(variable, variable.name, "&" + member, Types::Const::Drop);
  }
  // A shared one of the function around a task.
  void share(const Variable& variable, const Closure& closure);
  // One that becomes a member.
  void add_local(const Variable& variable);

  // The function: `name`, and the structure around its frame. To be called last, but for members().
  std::string write(const std::string& name, const std::string& structure,
                    const std::string& prologue, const std::string& place);
  const std::string& members() const { return members_; }

 private:
  void point(const Variable& variable, const std::string& name, const std::string& address,
             Types::Const keep);
  void declare_pointer(const Variable& variable, const std::string& name,
                       const std::string& pointer, const std::string& address);
  std::string length_of(const std::string& name) const {
    return translation_.names.free(name + "_length");
  }

  void edit(Extent extent, const std::string& text);
  bool is_edited(Extent extent) const;
  bool is_own(size_t offset) const;
  std::string render(Extent extent) { return translation_.render(extent, context_); }

  void edit_calls();
  void edit_returns();
  void edit_declarations();
  std::string write_call(const CallStatement& call, const Function& callee);
  std::string use(const CallStatement& call, const std::string& value, const std::string& free);
  std::string return_value(const std::string& value) const;
  std::string allocate(const LocalDeclaration::Declared& declared);
  std::string assign(const LocalDeclaration::Declared& declared);

  Translation& translation_;
  const Function& function_;
  Extent extent_;
  ResumableScope scope_;
  Context context_;
  std::string members_;
  std::string pointers_;
  std::set<std::string> names_;  // of members and pointers
  std::set<size_t> edited_;
  std::vector<std::pair<size_t, std::optional<Translation::Edit>>> replaced_;
};

}  // namespace bobbin::translate
