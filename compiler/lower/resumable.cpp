// SPDX-License-Identifier: Apache-2.0
#include "lower/resumable.h"

#include <optional>
#include <set>

#include "lower/closure.h"
#include "lower/resumable_plan.h"
#include "print/layout.h"

namespace bobbin::translate {
namespace {

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

// The text of one resumable function: of a function of the user's, or of a task's statement.
class ResumableText {
 public:
  ResumableText(Translation& translation, const Function& function, Extent extent,
                const Context& outer)
      : translation_(translation),
        function_(function),
        extent_(extent),
        scope_(translation.names),
        context_(outer) {
    context_.resumable = &scope_;
    for (const Variable* one : translation_.resumable->variables_in(extent)) add_local(*one);
  }
  ResumableText(const ResumableText&) = delete;
  ResumableText& operator=(const ResumableText&) = delete;
  ~ResumableText() {
    for (const auto& [place, before] : replaced_) {
      if (before) {
        translation_.edits[place] = *before;
      } else {
        translation_.edits.erase(place);
      }
    }
  }

  Context& context() { return context_; }
  ResumableScope& scope() { return scope_; }

  // A variable that is a member of the frame's structure.
  void add_local(const Variable& variable) {
    std::string name = variable.name;
    for (int number = 2; means_other(name) || !names_.insert(name).second; ++number) {
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
    point(variable, name, "&" + scope_.member(name));
  }
  // One that lies elsewhere. What lies in a frame is not const.
  void point(const Variable& variable, const std::string& name, const std::string& address,
             Types::Const keep = Types::Const::Drop) {
    const Types& types = translation_.types;
    const std::string pointer =
        keep == Types::Const::Keep      ? types.declare_pointer(variable.type, name)
        : types.is_array(variable.type) ? types.declare(variable.type, "(*" + name + ")", keep)
                                        : types.declare(variable.type, "*" + name, keep);
    names_.insert(name);
    pointers_ += " " + pointer + " __attribute__((unused)) = " + address + ";";
    context_.texts[&variable] = "(*" + name + ")";
  }

  // One of the function around a task, which may be an array of variable length.
  void point_with_lengths(const Variable& variable, const Closure& closure) {
    if (!translation_.types.is_variable(variable.type)) {
      point(variable, variable.name, closure.member(variable.name), Types::Const::Keep);
      return;
    }
    names_.insert(variable.name);
    const std::string length = closure.member(closure.length_member(variable.name, 1));
    pointers_ += " " + translation_.types.declare_pointer(variable.type, variable.name, {length}) +
                 " __attribute__((unused)) = " + closure.member(variable.name) + ";";
    context_.texts[&variable] = "(*" + variable.name + ")";
  }

  const std::string& members() const { return members_; }

  // The function: `name`, and the structure around its frame.
  std::string write(const std::string& name, const std::string& structure,
                    const std::string& prologue, const std::string& place) {
    edit_calls();
    edit_returns();
    edit_declarations();
    const std::string body = translation_.statement(extent_, context_);
    const std::string frame = scope_.frame();
    return "static int " + name + "(struct bobbin_omp_frame *" + frame + ")" + place + "{ struct " +
           structure + " *" + translation_.names.free("own") + " = (struct " + structure + " *)" +
           frame + "; (void)" + translation_.names.free("own") + ";" + prologue + pointers_ + "\n" +
           scope_.resume() + body + "return 1;\n}\n\n";
  }

 private:
  std::string length_of(const std::string& name) const {
    return translation_.names.free(name + "_length");
  }

  // A name of a block's own may be one of the file's elsewhere in the function.
  bool means_other(const std::string& name) const {
    for (const Reference* one : translation_.references_in(function_.all)) {
      if (one->variable->is_global && one->variable->name == name) return true;
    }
    for (const Call& one : translation_.calls_in(function_.all)) {
      if (translation_.word_at(one.begin) == name) return true;
    }
    return false;
  }

  void edit(Extent extent, const std::string& text) {
    const auto found = translation_.edits.find(extent.begin);
    replaced_.emplace_back(extent.begin, found != translation_.edits.end()
                                             ? std::optional(found->second)
                                             : std::nullopt);
    translation_.edits[extent.begin] = {extent.end, text};
  }

  bool is_own(size_t offset) const {
    return offset >= extent_.begin && offset < extent_.end &&
           !translation_.resumable->is_in_task(offset, extent_);
  }
  std::string render(Extent extent) { return translation_.render(extent, context_); }

  std::string return_value(const std::string& value) const {
    return scope_.member(has_call() ? "call." : "") + translation_.names.free("result") + " = " +
           value + "; ";
  }
  bool has_call() const { return extent_.begin == function_.body.begin; }

  // Calls of resumable functions. An ordinary call is chosen if thieves have enough.
  void edit_calls() {
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
  bool is_edited(Extent extent) const {
    const auto found = translation_.edits.lower_bound(extent.begin);
    return found != translation_.edits.end() && found->first < extent.end;
  }

  std::string write_call(const CallStatement& call, const Function& callee) {
    const FormNames names(translation_.names, callee);
    const std::string made = translation_.names.free("callee");
    std::string arguments;
    std::string passed;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const std::string value = render(call.arguments[i]);
      arguments += (i != 0 ? ", " : "") + value;
      passed += made + "->" + callee.parameters[i]->name + " = " + value + ";\n";
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
           scope_.leave(names.function + "(&" + made + "->frame)") + use_of_result + "}\n}";
  }

  // What is done with a value. Then its memory is given back.
  std::string use(const CallStatement& call, const std::string& value, const std::string& free) {
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

  void edit_returns() {
    for (const ReturnStatement& one : function_.returns) {
      if (!is_own(one.statement.begin) || edited_.contains(one.statement.begin)) continue;
      const bool has_value = one.value.end != 0;
      edit(one.statement, has_value && function_.result != nullptr
                              ? "{ " + return_value(render(one.value)) + "return 1; }"
                              : "{ " + (has_value ? render(one.value) + "; " : "") + "return 1; }");
    }
  }

  void edit_declarations() {
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

  std::string allocate(const LocalDeclaration::Declared& declared) {
    const std::string array = context_.address_of(*declared.variable);
    const std::string length = context_.lengths.at(declared.variable);
    return length + " = (unsigned long)(" + render(declared.length) + "); bobbin_omp_frame_array(" +
           scope_.frame() + ", &" + array + ", " + length + " * sizeof (*" + array + ")[0]);";
  }

  std::string assign(const LocalDeclaration::Declared& declared) {
    const Variable& variable = *declared.variable;
    const Types& types = translation_.types;
    const std::string name = context_.text_of(variable);
    const std::string value = render(declared.value);
    if (types.is_array(variable.type)) {
      const bool is_string = !value.starts_with("{");
      return "__builtin_memcpy(" + name + ", (" + types.name(variable.type) + ")" +
             (is_string ? "{" + value + "}" : value) + ", sizeof " + name + ")";
    }
    return name + " = " +
           (declared.is_list ? "(" + types.name(variable.type) + ")" + value : value);
  }

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

// What a caller needs: the structure that it fills in and reads, and two functions.
std::string declare_form(const Translation& translation, const Function& function) {
  const Types& types = translation.types;
  const FormNames names(translation.names, function);
  std::string text = "struct " + names.call + " {\n  struct bobbin_omp_frame frame;\n";
  for (const Variable* one : function.parameters) {
    text += "  " + types.declare(one->type, one->name, Types::Const::Drop) + ";\n";
  }
  if (function.result != nullptr) {
    text += "  " +
            types.declare(function.result, translation.names.free("result"), Types::Const::Drop) +
            ";\n";
  }
  return text + "};\nstatic struct " + names.call + " *" + names.begin +
         "(struct bobbin_omp_frame *caller);\nstatic int " + names.function +
         "(struct bobbin_omp_frame *frame);\n";
}

}  // namespace

std::string ResumableScope::resume() const {
  if (points_ == 0) return "";
  std::string text = "switch (" + frame() + "->at) {\n";
  for (unsigned point = 1; point <= points_; ++point) {
    const std::string number = std::to_string(point);
    text += "case " + number + ": goto " + names_.free("resume_" + number) + ";\n";
  }
  return text + "}\n";
}

void Translation::make_resumable() { resumable = std::make_shared<const ResumablePlan>(*this); }

bool Translation::is_resumable(const Function& function) const {
  return resumable != nullptr && resumable->is_resumable(function);
}

std::string Translation::declare_resumable_callees(const Function& function) {
  std::string text;
  const auto declare = [&](const Function& one) {
    if (declared_resumables_.insert(&one).second) text += declare_form(*this, one);
  };
  if (resumable == nullptr) return text;
  if (resumable->is_resumable(function)) declare(function);
  for (const CallStatement& call : function.calls) {
    const Function* callee = resumable->resumable_callee(call);
    if (callee != nullptr) declare(*callee);
  }
  return text;
}

std::string Translation::write_resumable(const Function& function) {
  const Context outer{
      .texts = {}, .shared = {}, .outlined_from = function.body.begin, .function = function.name};
  ResumableText text(*this, function, function.body, outer);
  const FormNames form(names, function);
  for (const Variable* one : function.parameters) {
    text.point(*one, one->name, "&" + text.scope().member("call." + one->name));
  }
  const std::string written =
      text.write(form.function, form.frame, "", marker(function.body.begin));
  return "struct " + form.frame + " {\n  struct " + form.call + " call;\n" + text.members() +
         "};\n\n__attribute__((unused)) " + written + "__attribute__((unused)) static struct " +
         form.call + " *" + form.begin + "(struct bobbin_omp_frame *caller)\n{\n  return (struct " +
         form.call + " *)bobbin_omp_inlined_call_frame(caller, " + form.function +
         ", sizeof(struct " + form.frame + "));\n}\n\n";
}

void write_resumable_task(Translation& translation, size_t number, const Closure& closure,
                          const Construct& construct) {
  const Directive& directive = translation.directives[number];
  const Function& function = *translation.resumable->function_around(directive.probe_begin);
  ResumableText text(translation, function, construct.site->statement, closure.context());
  const std::string& name = closure.name();
  const std::string data = translation.names.free("data");
  std::string prologue;
  if (!closure.is_empty()) {
    prologue = " struct " + name + "_data *" + data + " = &" + text.scope().member("data") +
               "; (void)" + data + ";";
  }
  for (const auto& [variable, how] : closure.captured()) {
    switch (how) {
      case Closure::How::Shared:
        text.point_with_lengths(*variable, closure);
        break;
      case Closure::How::Firstprivate:
        text.point(*variable, variable->name, "&" + closure.member(variable->name));
        break;
      case Closure::How::Private:
        text.add_local(*variable);
        break;
    }
  }
  const std::string structure = name + "_frame";
  const std::string resumable = name + "_resumable";
  const std::string written =
      text.write(resumable, structure, prologue, translation.marker(directive));
  translation.before_function(
      "struct " + structure + " {\n  struct bobbin_omp_frame frame;\n" +
      (closure.is_empty() ? "" : "  struct " + name + "_data data;\n") + text.members() + "};\n\n" +
      written + "static const struct bobbin_omp_resumable " + resumable_form(name) + " = {" + name +
      ", " + resumable + ", sizeof(struct " + structure + "), " +
      (closure.is_empty() ? "0" : "sizeof(struct " + name + "_data)") + "};\n\n");
}

}  // namespace bobbin::translate
