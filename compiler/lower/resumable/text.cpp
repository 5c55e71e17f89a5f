// SPDX-License-Identifier: Apache-2.0
#include "lower/resumable/text.h"

#include "lower/resumable/plan.h"
#include "print/layout.h"

namespace bobbin::translate {

ResumableText::ResumableText(Translation& translation, const Function& function, Extent extent,
                             const Context& outer)
    : translation_(translation),
      function_(function),
      extent_(extent),
      scope_(translation.names),
      context_(outer) {
  context_.resumable = &scope_;
  for (const char* one : {"frame", "call", "data", "own", "callee", "args", "result"}) {
    names_.insert(one);
    names_.insert(translation.names.free(one));
  }
}

ResumableText::~ResumableText() {
  for (const auto& [place, before] : replaced_) {
    if (before) {
      translation_.edits[place] = *before;
    } else {
      translation_.edits.erase(place);
    }
  }
}

void ResumableText::declare_pointer(const Variable& variable, const std::string& name,
                                    const std::string& pointer, const std::string& address) {
  names_.insert(name);
  pointers_ += " " + pointer + " __attribute__((unused)) = " + address + ";";
  context_.texts[&variable] = "(*" + name + ")";
}

void ResumableText::point(const Variable& variable, const std::string& name,
                          const std::string& address, Types::Const keep) {
  const Types& types = translation_.types;
  if (keep == Types::Const::Keep) {
    declare_pointer(variable, name, types.declare_pointer(variable.type, name), address);
    return;
  }
  const std::string declarator = types.is_array(variable.type) ? "(*" + name + ")" : "*" + name;
  declare_pointer(variable, name, types.declare(variable.type, declarator, keep), address);
}

void ResumableText::share(const Variable& variable, const Closure& closure) {
  const std::string& name = variable.name;
  if (!translation_.types.is_variable(variable.type)) {
    point(variable, name, closure.member(name), Types::Const::Keep);
    return;
  }
  const std::string length = closure.member(closure.length_member(name, 1));
  declare_pointer(variable, name, translation_.types.declare_pointer(variable.type, name, {length}),
                  closure.member(name));
}

void ResumableText::add_local(const Variable& variable) {
  std::string name = variable.name;
  // A name of a block's own may be one of the file's elsewhere in the function.
  for (int number = 2; translation_.names_other(function_.all, name) || !names_.insert(name).second;
       ++number) {
    name = translation_.names.free(variable.name + "_" + std::to_string(number));
  }
  const Types& types = translation_.types;
  if (types.is_variable(variable.type)) {
    // The memory is another one for each length.
    members_ +=
        "  " +
        types.declare(types.element(variable.type), "(*" + name + ")[]", Types::Const::Drop) +
        ";\n  unsigned long " + length_of(name) + ";\n";
    context_.texts[&variable] = "(*" + scope_.member(name) + ")";
    context_.lengths[&variable] = scope_.member(length_of(name));
    return;
  }
  members_ += "  " + types.declare(variable.type, name, Types::Const::Drop) + ";\n";
  point(variable, name, "&" + scope_.member(name), Types::Const::Drop);
}

std::string ResumableText::write(const std::string& name, const std::string& structure,
                                 const std::string& prologue, const std::string& place) {
  for (const Variable* one : translation_.resumable->variables_in(extent_)) add_local(*one);
  edit_calls();
  edit_returns();
  edit_declarations();
  const std::string body = translation_.statement(extent_, context_);
  const std::string frame = scope_.frame();
  return "static int " + name + "(struct bobbin_omp_frame *" + frame + ")" + place + "{ struct " +
         structure + " *" + scope_.own() + " = (struct " + structure + " *)" + frame + "; (void)" +
         scope_.own() + ";" + prologue + pointers_ + "\n" + scope_.resume() + body +
         "return 1;\n}\n\n";
}

void ResumableText::edit(Extent extent, const std::string& text) {
  const auto found = translation_.edits.find(extent.begin);
  replaced_.emplace_back(extent.begin, found != translation_.edits.end()
                                           ? std::optional(found->second)
                                           : std::nullopt);
  translation_.edits[extent.begin] = {extent.end, text};
}

bool ResumableText::is_own(size_t offset) const {
  return offset >= extent_.begin && offset < extent_.end &&
         !translation_.resumable->is_in_task(offset, extent_);
}

std::string ResumableText::return_value(const std::string& value) const {
  const bool is_of_task = extent_.begin != function_.body.begin;
  const bool may_have_comma = value.find(',') != std::string::npos;
  return scope_.member(is_of_task ? "" : "call.") + translation_.names.free("result") + " = " +
         (may_have_comma ? "(" + value + ")" : value) + "; ";
}

// Calls of resumable functions. An ordinary call is chosen if thieves have enough.
void ResumableText::edit_calls() {
  for (const CallStatement& call : function_.calls) {
    const Function* callee = translation_.resumable->resumable_callee(call);
    if (callee == nullptr || !is_own(call.statement.begin) || is_edited(call.statement) ||
        translation_.resumable->is_in_directive(call.statement.begin, extent_)) {
      continue;
    }
    edit(call.statement, "\n" + std::string(1, kGenerated) + write_call(call, *callee) + "\n" +
                             kUsers + translation_.users_marker(call.statement.end));
    edited_.insert(call.statement.begin);
  }
}

// By a variant of the function, for instance.
bool ResumableText::is_edited(Extent extent) const {
  const auto found = translation_.edits.lower_bound(extent.begin);
  return found != translation_.edits.end() && found->first < extent.end;
}

std::string ResumableText::write_call(const CallStatement& call, const Function& callee) {
  const FormNames names(translation_.names, callee);
  const std::string made = translation_.names.free("callee");
  std::string arguments;
  std::string passed;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string value = render(call.arguments[i]);
    arguments.append(i != 0 ? ", " : "").append(value);
    passed.append(made).append("->").append(callee.parameters[i]->name);
    passed.append(" = ").append(value).append(";\n");
  }
  const std::string plain = callee.name + "(" + arguments + ")";
  const std::string result = "((struct " + names.call + " *)" + scope_.frame() + "->callee)->" +
                             translation_.names.free("result");
  const std::string free = "bobbin_omp_free_callee(" + scope_.frame() + ");\n";
  std::string use_of_plain = use(call, plain, "");
  std::string use_of_result = use(call, result, free);
  if (callee.result == nullptr || call.result == CallStatement::Result::Dropped) {
    const bool returns = call.result == CallStatement::Result::Returned;
    use_of_plain = plain + ";\n" + (returns ? "return 1;\n" : "");
    use_of_result = free + (returns ? "return 1;\n" : "");
  }
  return "{\nstruct " + names.call + " *" + made + " = " + names.begin + "(" + scope_.frame() +
         ");\nif (!" + made + ") {\n" + use_of_plain + "} else {\n" + passed +
         scope_.leave(names.function + "(&" + made + "->" + scope_.frame() + ")") + use_of_result +
         "}\n}";
}

// What is done with a value. Then its memory is given back.
std::string ResumableText::use(const CallStatement& call, const std::string& value,
                               const std::string& free) {
  switch (call.result) {
    case CallStatement::Result::Assigned:
      return render(call.target) + " " + call.operation + " " + value + ";\n" + free;
    case CallStatement::Result::Initializes:
      return context_.text_of(*call.variable) + " = " + value + ";\n" + free;
    case CallStatement::Result::Returned:
      return return_value(value) + "\n" + free + "return 1;\n";
    case CallStatement::Result::Dropped:
      break;
  }
  return "";
}

void ResumableText::edit_returns() {
  for (const ReturnStatement& one : function_.returns) {
    if (!is_own(one.statement.begin) || edited_.contains(one.statement.begin)) continue;
    const bool has_value = one.value.end != 0;
    edit(one.statement, has_value && function_.result != nullptr
                            ? "{ " + return_value(render(one.value)) + "return 1; }"
                            : "{ " + (has_value ? render(one.value) + "; " : "") + "return 1; }");
  }
}

void ResumableText::edit_declarations() {
  for (const LocalDeclaration& one : function_.declarations) {
    if (!is_own(one.statement.begin) || edited_.contains(one.statement.begin)) continue;
    std::string text;
    for (const LocalDeclaration::Declared& declared : one.variables) {
      if (declared.length.end != 0) {
        text += (text.empty() ? "" : " ") + allocate(declared);
        continue;
      }
      if (declared.value.end == 0) continue;
      text += (text.empty() ? "" : one.is_of_loop ? ", " : " ") + assign(declared);
      if (!one.is_of_loop) text += ";";
    }
    edit(one.statement, one.is_of_loop || text.empty() ? text + ";" : "{ " + text + " }");
  }
}

std::string ResumableText::allocate(const LocalDeclaration::Declared& declared) {
  const std::string array = context_.address_of(*declared.variable);
  const std::string length = context_.lengths.at(declared.variable);
  return length + " = (unsigned long)(" + render(declared.length) + "); bobbin_omp_frame_array(" +
         scope_.frame() + ", &" + array + ", " + length + " * sizeof (*" + array + ")[0]);";
}

std::string ResumableText::assign(const LocalDeclaration::Declared& declared) {
  const Variable& variable = *declared.variable;
  const Types& types = translation_.types;
  const std::string name = context_.text_of(variable);
  const std::string value = render(declared.value);
  if (types.is_array(variable.type)) {
    const bool is_string = !value.starts_with("{");
    return "__builtin_memcpy(" + name + ", (" + types.name(variable.type) + ")" +
           (is_string ? "{" + value + "}" : value) + ", sizeof " + name + ")";
  }
  return name + " = " + (declared.is_list ? "(" + types.name(variable.type) + ")" + value : value);
}

}  // namespace bobbin::translate
