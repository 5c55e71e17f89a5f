// SPDX-License-Identifier: Apache-2.0
#include "lower/data/closure.h"

#include <algorithm>
#include <set>

#include "lower/data/captures.h"

namespace bobbin::translate {

Closure::Closure(Translation& translation, const Construct& construct, const Context& outer,
                 const std::string& suffix, Owner owner)
    : translation_(translation),
      construct_(construct),
      outer_(outer),
      context_(outer),
      owner_(owner),
      name_(translation.name_for(construct.directive, outer, suffix)),
      data_(translation.names.free("data")),
      args_(translation.names.free("args")),
      declared_anew_(declared_anew(translation, construct)),
      allocations_(translation, construct.directive, outer,
                   [this](const std::string& name, const Span& allocator) {
                     return pass_allocator(name, allocator);
                   }) {
  const Extent statement = construct.site->statement;
  context_.outlined_from = statement.begin;
  context_.loop = context_.sections = nullptr;
  context_.doacross = nullptr;
  context_.graph = nullptr;
  context_.assigned.clear();
  if (owner == Owner::Team) context_.taskgroup = nullptr;
  context_.parallel = nullptr;
  for (const PrivateInside& one : private_inside(translation, construct)) note_use(*one.variable);
  declare_aliases();
}

// An alias whose array lengths are computed is declared again. Other types have been moved.
void Closure::declare_aliases() {
  const Extent statement = construct_.site->statement;
  std::set<const LocalType*> declared;
  for (const LocalName& one : translation_.program.local_names) {
    const LocalType& type = *one.type;
    if (one.begin < statement.begin || one.begin >= statement.end ||
        type.declared >= statement.begin || !translation_.types.is_computed_alias(type) ||
        !declared.insert(&type).second) {
      continue;
    }
    const std::vector<std::string> lengths =
        translation_.types.lengths(type.aliased, "(*(" + type.name + " *)0)");
    add_prologue("typedef " +
                 translation_.types.declare(type.aliased, type.name, Types::Const::Keep,
                                            pass_lengths(type.name, lengths)) +
                 ";");
  }
}

void Closure::check(const Variable& variable) const {
  const std::string problem = translation_.types.unnameable(variable.type);
  if (!problem.empty() && !is_known(variable)) {
    translation_.refuse(construct_.directive, "'" + variable.name + "' has a type " + problem +
                                                  "; declare the type outside of functions");
  }
  if (variable.is_thread_local && !variable.is_global) {
    translation_.refuse(construct_.directive, "the threadprivate variable '" + variable.name +
                                                  "' of a function is used in a region");
  }
}

// So that no compiler warns of a variable that only its private copies use.
void Closure::note_use(const Variable& variable) {
  const bool is_visible = variable.declared >= outer_.outlined_from &&
                          variable.declared < construct_.site->statement.begin;
  if (!variable.is_global && !outer_.places.contains(&variable) && is_visible &&
      noted_.insert(&variable).second) {
    copies_ += "  " + translation_.note_of_use(variable);
  }
}

// The whole file knows it, so that `typeof` can name its type.
bool Closure::is_known(const Variable& variable) const {
  return variable.is_global && !outer_.places.contains(&variable);
}

std::string Closure::declare(const Variable& variable, const std::string& name,
                             Types::Const keep) const {
  const Types& types = translation_.types;
  if (is_known(variable) && !types.unnameable(variable.type).empty()) {
    return "__typeof__(" + variable.name + ") " + name +
           (name.starts_with("*") ? "" : types.attribute(variable));
  }
  return name.starts_with("*") ? types.declare_pointer(variable.type, name.substr(1))
                               : types.declare(variable, name, keep);
}

std::vector<std::string> Closure::pass_lengths(const Variable& variable) {
  if (!translation_.types.is_variable(variable.type)) return {};
  return pass_lengths(variable.name,
                      translation_.types.lengths(variable.type, outer_.text_of(variable)));
}

std::vector<std::string> Closure::pass_lengths(const std::string& of,
                                               const std::vector<std::string>& lengths) {
  std::vector<std::string> passed;
  for (const std::string& length : lengths) {
    const std::string name = length_member(of, passed.size() + 1);
    add_member("unsigned long " + name);
    add_initializer(name, length);
    passed.push_back(member(name));
  }
  return passed;
}

std::string Closure::length_member(const std::string& of, size_t number) const {
  return translation_.names.free(of + "_length_" + std::to_string(number));
}

void Closure::add_initializer(const std::string& name, const std::string& value) {
  initializers_ += (initializers_.empty() ? "." : ", .") + name + " = " + value;
}

std::string Closure::point_to(const Variable& variable, const std::string& pointer_name) {
  check(variable);
  if (variable.is_in_named_register) {
    translation_.refuse(
        construct_.directive,
        "'" + variable.name + "' is shared, so it cannot be in a register that it names");
  }
  const std::vector<std::string> lengths = pass_lengths(variable);
  pointers_.push_back({&variable, lengths.size()});
  const std::string address = outer_.address_of(variable);
  if (translation_.types.is_variable(variable.type)) {
    add_member("void *" + variable.name);
    add_initializer(variable.name, "(void *)" + address);
  } else {
    add_member(declare(variable, "*" + variable.name));
    add_initializer(variable.name, address);
  }
  if (!pointer_name.empty()) {
    add_prologue((lengths.empty()
                      ? declare(variable, "*" + pointer_name)
                      : translation_.types.declare_pointer(variable.type, pointer_name, lengths)) +
                 " = " + member(variable.name) + ";");
  }
  return member(variable.name);
}

void Closure::share(const Variable& variable) {
  const std::string pointer = declared_anew_.contains(&variable)
                                  ? original_of(translation_.names, variable)
                                  : variable.name;
  point_to(variable, pointer);
  context_.put(variable, Place::behind(pointer));
  const auto noted = outer_.assigned.find(&variable);
  if (noted != outer_.assigned.end()) note_assignments(variable, noted->second);
}

// The function notes the assignments where the loop around it does.
void Closure::note_assignments(const Variable& variable, const Context::Noted& outer) {
  const std::string place = translation_.names.free(variable.name + "_assigned");
  const std::string value = translation_.names.free(variable.name + "_assigned_in");
  pass("unsigned long long *" + place, place, outer.place.address());
  pass("unsigned long long " + value, value, outer.value);
  context_.assigned.insert_or_assign(&variable,
                                     Context::Noted{Place::behind(member(place)), member(value)});
}

std::string Closure::declare_moved(const Variable& variable) {
  check(variable);
  const Types& types = translation_.types;
  const std::vector<std::string> lengths = pass_lengths(variable);
  note_use(variable);
  context_.shared.erase(&variable);
  if (types.is_array(variable.type)) {
    context_.put(variable, Place::behind(variable.name));
    return lengths.empty() ? declare(variable, "*" + variable.name)
                           : types.declare_pointer(variable.type, variable.name, lengths);
  }
  context_.put(variable, Place::named(variable.name));
  return lengths.empty() ? declare(variable, variable.name, Types::Const::Drop)
                         : types.declare(variable.type, variable.name, Types::Const::Drop, lengths);
}

void Closure::pass(const std::string& declaration, const std::string& name,
                   const std::string& value) {
  add_member(declaration);
  add_initializer(name, value);
}

std::string Closure::pass_allocator(const std::string& name, const Span& allocator) {
  // An allocator that the region has of its own.
  for (const Clause& clause : construct_.directive.clauses) {
    const Variable* variable = translation_.variable_at(allocator);
    if (clause.kind() != ClauseKind::UsesAllocators || variable == nullptr) continue;
    if (translation_.variable_at(clause.items.front().base) == variable) return variable->name;
  }
  allocators_ += "  unsigned long " + name + ";\n";
  add_initializer(name, "(unsigned long)(" + translation_.render_span(allocator, outer_) + ")");
  return member(name);
}

std::string Closure::declare_copy(const Variable& variable, Types::Const keep,
                                  const std::vector<std::string>& lengths) {
  const std::string& name = variable.name;
  const Allocation* allocation = allocations_.find(variable);
  const std::string text = allocation != nullptr ? allocated(name) : name;
  const std::string declared = lengths.empty()
                                   ? declare(variable, text, keep)
                                   : translation_.types.declare(variable, text, keep, lengths);
  if (allocation == nullptr) {
    add_prologue(declared + ";");
  } else {
    add_prologue(lengths.empty() ? allocation->declare(declared, name)
                                 : allocation->declare_computed(declared, name));
  }
  context_.make_private(variable);
  if (allocation != nullptr) context_.put(variable, Place::behind(name));
  return text;
}

void Closure::make_private(const Variable& variable) {
  check(variable);
  const std::vector<std::string> lengths = pass_lengths(variable);
  note_use(variable);
  declare_copy(variable, Types::Const::Keep, lengths);
}

void Closure::pass_array(const Variable& variable) {
  const std::string& name = variable.name;
  add_member(translation_.types.declare(variable, name, Types::Const::Drop));
  copies_ += "  __builtin_memcpy(" + args_ + "." + name + ", " + outer_.text_of(variable) +
             ", sizeof " + args_ + "." + name + ");\n";
}

// The value comes with the structure, or from where it is while the encountering thread waits.
void Closure::copy_allocated(const Variable& variable) {
  const Types& types = translation_.types;
  const bool is_passed = owner_ == Owner::Team && types.is_variable_array(variable.type);
  if (types.is_variable(variable.type) && !is_passed) {
    translation_.refuse(construct_.directive, "'allocate' of '" + variable.name +
                                                  "', which is firstprivate and has a computed "
                                                  "length, is not supported by bobbin translate");
  }
  std::string from = member(variable.name);
  const bool is_array = types.is_array(variable.type);
  if (owner_ == Owner::Team) {
    from = (is_array ? "" : "*") + point_to(variable, "");
  } else if (is_array) {
    pass_array(variable);
  } else {
    pass(declare(variable, variable.name, Types::Const::Drop), variable.name,
         outer_.text_of(variable));
  }
  std::vector<std::string> lengths;
  for (size_t i = 1; is_passed && i <= pointers_.back().lengths; ++i) {
    lengths.push_back(member(length_member(variable.name, i)));
  }
  const std::string copy = declare_copy(variable, Types::Const::Drop, lengths);
  add_prologue(is_array ? "__builtin_memcpy(" + copy + ", " + from + ", sizeof " + copy + ");"
                        : copy + " = " + from + ";");
}

void Closure::make_firstprivate(const Variable& variable) {
  check(variable);
  const Types& types = translation_.types;
  const std::string& name = variable.name;
  if (allocations_.find(variable) != nullptr) {
    copy_allocated(variable);
    return;
  }
  context_.make_private(variable);
  if (types.is_variable_array(variable.type)) {
    if (owner_ == Owner::Task) {
      append(variable);
      return;
    }
    const std::vector<std::string> lengths = pass_lengths(variable);
    add_member("void *" + name);
    add_initializer(name, "(void *)" + outer_.address_of(variable));
    add_prologue(types.declare(variable, name, Types::Const::Drop, lengths) + ";");
    add_prologue("__builtin_memcpy(" + name + ", " + member(name) + ", sizeof " + name + ");");
    return;
  }
  if (owner_ == Owner::Team && !variable.is_in_named_register && !types.is_scalar(variable.type) &&
      !types.is_variable(variable.type)) {
    // The encountering thread waits, so the threads copy what is there, without a copy between.
    const std::string pointer = point_to(variable, "");
    if (types.is_array(variable.type)) {
      add_prologue(types.declare(variable, name, Types::Const::Drop) + ";");
      add_prologue("__builtin_memcpy(" + name + ", " + pointer + ", sizeof " + name + ");");
    } else {
      add_prologue(declare(variable, name) + " = *" + pointer + ";");
    }
    return;
  }
  if (types.is_array(variable.type)) {
    pass_array(variable);
    context_.put(variable, Place::named(member(name)));
    has_constant_data_ = false;
    return;
  }
  const std::vector<std::string> lengths = pass_lengths(variable);
  if (types.is_variable(variable.type)) {
    add_member("const volatile void *" + name);
    add_initializer(name, outer_.text_of(variable));
    add_prologue(types.declare(variable.type, name, Types::Const::Keep, lengths) + " = (void *)" +
                 member(name) + ";");
    return;
  }
  add_member(declare(variable, name, Types::Const::Drop));
  add_initializer(name, outer_.text_of(variable));
  if (owner_ == Owner::Task && !types.is_scalar(variable.type)) {
    context_.put(variable, Place::named(member(name)));
    has_constant_data_ = false;
    return;
  }
  add_prologue(declare(variable, name) + " = " + member(name) + ";");
}

// The array lies behind the structure, and the room at the place of the construct has both.
void Closure::append(const Variable& variable) {
  has_constant_data_ = false;
  const std::string& name = variable.name;
  const std::string at = translation_.names.free(name + "_at");
  const std::string text = outer_.text_of(variable);
  const std::string bytes = "sizeof " + text;
  add_member("unsigned long " + at);
  const std::string moved = declare_moved(variable);
  add_prologue(moved + " = (void *)((char *)" + data_ + " + " + member(at) + ");");
  const std::string size = translation_.names.free("args_size");
  const size_t line = std::max(kLineSize, variable.alignment);
  const std::string alignment = std::to_string(line);
  appended_alignment_ = std::max(appended_alignment_, variable.alignment);
  if (appended_.empty()) sizes_ = "  unsigned long " + size + " = sizeof " + args_ + ";\n";
  sizes_ += "  " + args_ + "." + at + " = (" + size + " + " + std::to_string(line - 1) + ") / " +
            alignment + " * " + alignment + ";\n  " + size + " = " + args_ + "." + at + " + " +
            bytes + ";\n";
  appended_ += "  __builtin_memcpy(" + room() + " + " + args_ + "." + at + ", " + text + ", " +
               bytes + ");\n";
}

bool Closure::mentions(const std::string& name) const {
  size_t end_of_arrow = std::string::npos;
  for (const Token& word : tokenize(prologue_, 0, prologue_.size(), HashLines::Ignore)) {
    const std::string_view text = word.in(prologue_);
    if (text == name && word.begin != end_of_arrow) return true;
    if (text.ends_with('>')) end_of_arrow = word.end;
  }
  return false;
}

void Closure::write_structure() {
  if (is_empty() || is_structure_written_) return;
  is_structure_written_ = true;
  translation_.before_function("struct " + name_ + "_data {\n" + members_ + allocators_ + "};\n\n");
}

void Closure::write(const std::string& body) {
  write_structure();
  const std::string argument = translation_.names.free("argument");
  std::string text = "static void " + name_ + "(void *" + argument + ")";
  // On one line, that of the directive: a breakpoint on a later one shall find all variables set.
  text += translation_.marker(construct_.directive) + "{" + kBreak;
  if (is_empty()) {
    text += "(void)" + argument + ";";
  } else {
    text += "struct " + name_ + "_data *" + data_ + " = " + argument + ";" +
            ((prologue_ + body).find(data_ + "->") == std::string::npos
                 ? std::string(1, kBreak) + "(void)" + data_ + ";"
                 : "");
  }
  text += prologue_ + "\n" + body + "}\n\n";
  translation_.before_function(text);
}

std::string Closure::arguments() const {
  if (is_empty()) return copies_;
  return "  struct " + name_ + "_data " + args_ +
         (initializers_.empty() ? "" : " = {" + initializers_ + "}") + ";\n" + copies_ +
         (appended_.empty()
              ? ""
              : sizes_ + "  char " + room() + "[" + translation_.names.free("args_size") +
                    "] __attribute__((aligned(" + std::to_string(appended_alignment_) +
                    ")));\n  __builtin_memcpy(" + room() + ", &" + args_ + ", sizeof " + args_ +
                    ");\n" + appended_);
}

std::string Closure::argument() const {
  if (is_empty()) return "0";
  return appended_.empty() ? "&" + args_ : room();
}

std::string Closure::copy_of_arguments(const std::string& name) const {
  if (appended_.empty()) return "struct " + name_ + "_data " + name + " = " + args_ + ";\n";
  const std::string size = translation_.names.free("args_size");
  return "char " + name + "[" + size + "] __attribute__((aligned(" +
         std::to_string(appended_alignment_) + ")));\n__builtin_memcpy(" + name + ", " + room() +
         ", " + size + ");\n";
}

std::string Closure::size_and_alignment() const {
  if (is_empty()) return "0, 1";
  if (!appended_.empty())
    return translation_.names.free("args_size") + ", " + std::to_string(appended_alignment_);
  return "sizeof " + args_ + ", _Alignof(struct " + name_ + "_data)";
}

}  // namespace bobbin::translate
