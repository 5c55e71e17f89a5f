// SPDX-License-Identifier: Apache-2.0
#include "lower/closure.h"

#include <algorithm>
#include <utility>

#include "lower/iteration.h"

namespace bobbin::translate {
namespace {

// A list item of these clauses is not used unless the statement names it.
bool only_names(ClauseKind kind) {
  return kind == ClauseKind::Shared || kind == ClauseKind::Private ||
         kind == ClauseKind::Firstprivate;
}

// The host has the data in its place already.
bool only_maps(ClauseKind kind) {
  return kind == ClauseKind::Map || kind == ClauseKind::To || kind == ClauseKind::From ||
         kind == ClauseKind::IsDevicePtr || kind == ClauseKind::HasDeviceAddr ||
         kind == ClauseKind::UseDevicePtr || kind == ClauseKind::UseDeviceAddr;
}

// Clauses that are evaluated before the function is called.
bool is_evaluated_outside(ClauseKind kind) {
  return kind == ClauseKind::If || kind == ClauseKind::NumThreads || kind == ClauseKind::Severity ||
         kind == ClauseKind::Message || kind == ClauseKind::TaskSchedule ||
         kind == ClauseKind::Transparent || kind == ClauseKind::Final ||
         kind == ClauseKind::Priority || kind == ClauseKind::Depend ||
         kind == ClauseKind::Grainsize || kind == ClauseKind::NumTasks ||
         kind == ClauseKind::Filter || only_names(kind) || only_maps(kind);
}

void add_references(const Translation& translation, Extent extent, std::set<const Variable*>& found,
                    const std::set<size_t>& ignored) {
  for (const Reference* one : translation.references_in(extent)) {
    if (!ignored.contains(one->begin)) found.insert(one->variable);
  }
}

void ignore(const Translation& translation, const Item& item, std::set<size_t>& ignored) {
  const auto add = [&](const Span& span) {
    for (const Reference* one : translation.references_in({span.probe_begin, span.probe_end})) {
      ignored.insert(one->begin);
    }
  };
  add(item.base);
  for (const Item::Section& section : item.sections) {
    if (section.lower) add(*section.lower);
    if (section.length) add(*section.length);
  }
}

// What names variables of outer loops, so that it must be evaluated in these.
std::vector<Extent> dependent_bounds(const Translation& translation, const std::vector<Loop>& loops,
                                     size_t depth) {
  std::vector<Extent> found;
  for (size_t i = 1; i < depth; ++i) {
    const std::vector<Extent> parts = {loops[i].lower, loops[i].bound, loops[i].step};
    const bool depends = std::any_of(parts.begin(), parts.end(), [&](Extent part) {
      const std::vector<const Reference*> names = translation.references_in(part);
      return std::any_of(names.begin(), names.end(), [&](const Reference* one) {
        return std::any_of(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(i),
                           [&](const Loop& outer) { return one->variable == outer.variable; });
      });
    });
    if (depends) found.insert(found.end(), parts.begin(), parts.end());
  }
  return found;
}

}  // namespace

std::vector<PrivateInside> private_inside(const Translation& translation,
                                          const Construct& construct) {
  std::vector<PrivateInside> found;
  const auto add = [&](const Construct& one) {
    std::vector<const Variable*> variables =
        translation.variables_of(one.directive, ClauseKind::Private);
    const std::vector<const Variable*> lastprivates =
        translation.variables_of(one.directive, ClauseKind::Lastprivate);
    std::vector<const Variable*> loop_variables;
    if (takes_loops(one.kind())) loop_variables = associated_variables(translation, one);
    for (const Variable* variable : loop_variables) {
      if (std::find(lastprivates.begin(), lastprivates.end(), variable) == lastprivates.end()) {
        variables.push_back(variable);
      }
    }
    for (const Variable* variable : variables) {
      if (!translation.types.is_variable(variable->type)) {
        found.push_back({one.site->statement, variable});
      }
    }
  };
  for (size_t leaf = construct.leaf + 1; leaf < construct.leaves().size(); ++leaf) {
    add({construct.whole, construct.site, leaf});
  }
  for (const size_t number : translation.directives_in(construct.site->statement)) {
    const Site* site = translation.site_of(number);
    if (site == nullptr) continue;
    const Directive& directive = translation.directives[number];
    for (size_t leaf = 0; leaf < directive.row->leaves.size(); ++leaf) {
      add({directive, site, leaf});
    }
  }
  return found;
}

std::vector<const Variable*> captured_by(const Translation& translation, const Construct& construct,
                                         const Context& context) {
  const Extent statement = construct.site->statement;
  std::set<size_t> ignored;
  for (const size_t number : translation.directives_in(statement)) {
    for (const Clause& clause : translation.directives[number].clauses) {
      if (only_maps(clause.kind())) {
        for (const Item& item : clause.items) ignore(translation, item, ignored);
      }
      if (!only_names(clause.kind())) continue;
      for (const Item& item : clause.items) {
        const Variable* variable = translation.variable_at(item.base);
        if (variable != nullptr && !translation.types.is_variable(variable->type)) {
          ignored.insert(item.base.probe_begin);
        }
      }
    }
  }
  for (const PrivateInside& one : private_inside(translation, construct)) {
    for (const Reference* reference : translation.references_in(one.extent)) {
      if (reference->variable == one.variable) ignored.insert(reference->begin);
    }
  }
  // The bounds are evaluated before a taskloop makes tasks, or distribute a region of a chunk,
  // unless they depend on outer loops.
  const std::vector<Loop>& loops = construct.site->loops;
  const size_t depth = construct.directive.collapse;
  const bool is_divided =
      (construct.kind() == Leaf::Taskloop || context.chunk != nullptr) && loops.size() >= depth;
  std::set<const Variable*> named;
  add_references(translation, is_divided ? loops[depth - 1].body : statement, named, ignored);
  if (is_divided) {
    for (const Extent& part : dependent_bounds(translation, loops, depth)) {
      add_references(translation, part, named, ignored);
    }
  }
  for (const Clause& clause : construct.directive.clauses) {
    if (is_evaluated_outside(clause.kind())) continue;
    for (const Item& item : clause.items) {
      if (clause.kind() == ClauseKind::Lastprivate || clause.kind() == ClauseKind::Reduction ||
          clause.kind() == ClauseKind::Linear) {
        add_references(translation, {item.base.probe_begin, item.base.probe_end}, named, ignored);
      }
    }
  }
  for (size_t inner = construct.leaf + 1; inner < construct.whole.parts.size(); ++inner) {
    for (const Clause& clause : construct.whole.parts[inner].clauses) {
      if (clause.expression) {
        add_references(translation, {clause.expression->probe_begin, clause.expression->probe_end},
                       named, ignored);
      }
      if (only_names(clause.kind()) || only_maps(clause.kind())) continue;
      for (const Item& item : clause.items) {
        add_references(translation, {item.base.probe_begin, item.base.probe_end}, named, ignored);
      }
    }
  }
  // Also variables that are known to the whole file, if a clause gives them another meaning.
  std::set<const Variable*> listed;
  for (const Clause& clause : construct.directive.clauses) {
    // depend(out: a) says nothing of a.
    const ClauseKind kind = clause.kind();
    if (is_evaluated_outside(kind) && !only_names(kind) && !only_maps(kind)) continue;
    for (const Item& item : clause.items) {
      const Variable* variable = translation.variable_at(item.base);
      if (variable != nullptr) listed.insert(variable);
    }
  }
  std::vector<const Variable*> found;
  for (const Variable* variable : named) {
    const bool is_inside =
        variable->declared >= statement.begin && variable->declared < statement.end;
    // A target region may have copies of the others, too.
    const bool is_needed = context.is_local(*variable) || listed.contains(variable) ||
                           construct.kind() == Leaf::Target;
    if (!is_inside && is_needed) {
      found.push_back(variable);
    }
  }
  std::sort(found.begin(), found.end(), [](const Variable* a, const Variable* b) {
    return std::pair(a->declared, a->named) < std::pair(b->declared, b->named);
  });
  return found;
}

Closure::Closure(Translation& translation, const Construct& construct, const Context& outer,
                 const std::string& suffix, Owner owner)
    : translation_(translation),
      construct_(construct),
      outer_(outer),
      context_(outer),
      owner_(owner),
      name_(translation.name_for(construct.directive, outer, suffix)),
      data_(translation.names.free("data")),
      args_(translation.names.free("args")) {
  const Extent statement = construct.site->statement;
  context_.outlined_from = statement.begin;
  context_.loop = context_.sections = nullptr;
  context_.doacross = nullptr;
  context_.graph = nullptr;
  for (const Reference* one : translation.references_in(statement)) {
    if (one->is_assigned && outer.assigned.contains(one->variable)) {
      translation.refuse(one->begin, "'" + one->variable->name +
                                         "' is lastprivate(conditional:), and a region inside the "
                                         "loop assigns it, which is not supported");
    }
  }
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
  const std::string note = "  (void)sizeof " + variable.name + ";\n";
  if (!variable.is_global && !outer_.texts.contains(&variable) && is_visible &&
      copies_.find(note) == std::string::npos) {
    copies_ += note;
  }
}

// The whole file knows it, so that `typeof` can name its type.
bool Closure::is_known(const Variable& variable) const {
  return variable.is_global && !outer_.texts.contains(&variable);
}

std::string Closure::declare(const Variable& variable, const std::string& name,
                             Types::Const keep) const {
  if (is_known(variable) && !translation_.types.unnameable(variable.type).empty()) {
    return "__typeof__(" + variable.name + ") " + name;
  }
  return name.starts_with("*") ? translation_.types.declare_pointer(variable.type, name.substr(1))
                               : translation_.types.declare(variable.type, name, keep);
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
  point_to(variable, variable.name);
  context_.texts[&variable] = "(*" + variable.name + ")";
}

void Closure::make_private(const Variable& variable) {
  check(variable);
  const std::vector<std::string> lengths = pass_lengths(variable);
  note_use(variable);
  add_prologue((lengths.empty() ? declare(variable, variable.name)
                                : translation_.types.declare(variable.type, variable.name,
                                                             Types::Const::Keep, lengths)) +
               ";");
  context_.texts[&variable] = variable.name;
  context_.shared.erase(&variable);
}

void Closure::make_firstprivate(const Variable& variable) {
  check(variable);
  const Types& types = translation_.types;
  const std::string& name = variable.name;
  context_.shared.erase(&variable);
  context_.texts[&variable] = name;
  if (types.is_variable_array(variable.type)) {
    if (owner_ == Owner::Task) {
      translation_.refuse(
          construct_.directive,
          "the array '" + name + "' is firstprivate in a task, and its length is not constant");
    }
    const std::vector<std::string> lengths = pass_lengths(variable);
    add_member("void *" + name);
    add_initializer(name, "(void *)" + outer_.address_of(variable));
    add_prologue(types.declare(variable.type, name, Types::Const::Drop, lengths) + ";");
    add_prologue("__builtin_memcpy(" + name + ", " + member(name) + ", sizeof " + name + ");");
    return;
  }
  if (owner_ == Owner::Team && !variable.is_in_named_register && !types.is_scalar(variable.type) &&
      !types.is_variable(variable.type)) {
    // The encountering thread waits, so the threads copy what is there, without a copy between.
    const std::string pointer = point_to(variable, "");
    if (types.is_array(variable.type)) {
      add_prologue(types.declare(variable.type, name, Types::Const::Drop) + ";");
      add_prologue("__builtin_memcpy(" + name + ", " + pointer + ", sizeof " + name + ");");
    } else {
      add_prologue(declare(variable, name) + " = *" + pointer + ";");
    }
    return;
  }
  if (types.is_array(variable.type)) {
    add_member(types.declare(variable.type, name, Types::Const::Drop));
    copies_ += "  __builtin_memcpy(" + args_ + "." + name + ", " + outer_.text_of(variable) +
               ", sizeof " + args_ + "." + name + ");\n";
    if (owner_ == Owner::Task) {
      context_.texts[&variable] = member(name);
      return;
    }
    add_prologue(types.declare(variable.type, name, Types::Const::Drop) + ";");
    add_prologue("__builtin_memcpy(" + name + ", " + member(name) + ", sizeof " + name + ");");
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
    context_.texts[&variable] = member(name);
    return;
  }
  add_prologue(declare(variable, name) + " = " + member(name) + ";");
}

void Closure::write_structure() {
  if (is_empty() || is_structure_written_) return;
  is_structure_written_ = true;
  translation_.before_function("struct " + name_ + "_data {\n" + members_ + "};\n\n");
}

void Closure::write(const std::string& body) {
  write_structure();
  const std::string argument = translation_.names.free("argument");
  std::string text = "static void " + name_ + "(void *" + argument + ")";
  // On one line, that of the directive: a breakpoint on a later one shall find all variables set.
  text += translation_.marker(construct_.directive) + "{ ";
  if (is_empty()) {
    text += "(void)" + argument + ";";
  } else {
    text += "struct " + name_ + "_data *" + data_ + " = " + argument + ";" +
            (prologue_.find(data_) == std::string::npos ? " (void)" + data_ + ";" : "");
  }
  text += prologue_ + "\n" + body + "}\n\n";
  translation_.before_function(text);
}

std::string Closure::arguments() const {
  if (is_empty()) return copies_;
  return "  struct " + name_ + "_data " + args_ +
         (initializers_.empty() ? "" : " = {" + initializers_ + "}") + ";\n" + copies_;
}

std::string Closure::size_and_alignment() const {
  if (is_empty()) return "0, 1";
  return "sizeof " + args_ + ", _Alignof(struct " + name_ + "_data)";
}

}  // namespace bobbin::translate
