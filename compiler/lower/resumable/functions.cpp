// SPDX-License-Identifier: Apache-2.0
#include "lower/resumable/functions.h"

#include <algorithm>

#include "lower/data/closure.h"
#include "lower/resumable/plan.h"
#include "lower/resumable/text.h"

namespace bobbin::translate {
namespace {

// What describes both forms of a task.
std::string form_of(const std::string& name) { return name + "_forms"; }

// What a caller needs: the structure that it fills in and reads, and two functions.
std::string declare_form(const Translation& translation, const Function& function) {
  const Types& types = translation.types;
  const FormNames names(translation.names, function);
  std::string text = "struct " + names.call + " {\n  struct bobbin_omp_frame " +
                     translation.names.free("frame") + ";\n";
  for (const Variable* one : function.parameters) {
    text += "  " + types.declare(types.without_aliases(one->type), one->name, Types::Const::Drop) +
            ";\n";
  }
  if (function.result != nullptr) {
    text += "  " +
            types.declare(types.without_aliases(function.result), translation.names.free("result"),
                          Types::Const::Drop) +
            ";\n";
  }
  return text + "};\nstatic struct " + names.call + " *" + names.begin +
         "(struct bobbin_omp_frame *caller);\nstatic int " + names.function +
         "(struct bobbin_omp_frame *frame);\n";
}

}  // namespace

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
    text.point_to_member(*one, text.scope().member("call." + one->name));
  }
  const std::string written =
      text.write(form.function, form.frame, "", marker(function.body.begin));
  return "struct " + form.frame + " {\n  struct " + form.call + " call;\n" + text.members() +
         "};\n\n__attribute__((unused)) " + written + "__attribute__((unused)) static struct " +
         form.call + " *" + form.begin + "(struct bobbin_omp_frame *caller)\n{\n  return (struct " +
         form.call + " *)bobbin_omp_inlined_call_frame(caller, " + form.function +
         ", sizeof(struct " + form.frame + "));\n}\n\n";
}

bool is_resumable_task(const Translation& translation, const Construct& construct,
                       const Closure& closure) {
  // Of the directive, whose one construct this is.
  const auto number = static_cast<size_t>(&construct.whole - translation.directives.data());
  if (!translation.resumable || !translation.resumable->is_resumable(number)) return false;
  return std::none_of(closure.captured().begin(), closure.captured().end(), [&](const auto& one) {
    return one.second != Closure::How::Shared && translation.types.is_variable(one.first->type);
  });
}

void write_resumable_task(Translation& translation, const Construct& construct,
                          const Closure& closure) {
  const Directive& directive = construct.directive;
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
        text.share(*variable, closure);
        break;
      case Closure::How::Firstprivate:
        text.point_to_member(*variable, closure.member(variable->name));
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
      written + "static const struct bobbin_omp_resumable " + form_of(name) + " = {" + name + ", " +
      resumable + ", sizeof(struct " + structure + "), " +
      (closure.is_empty() ? "0" : "sizeof(struct " + name + "_data)") + "};\n\n");
}

std::string call_resumable_task(const Translation& translation, const Construct& construct,
                                const Context& context, const Closure& closure,
                                const std::string& flags) {
  const std::string task = "&" + form_of(closure.name()) + ", " + closure.argument() + ", " +
                           (flags.empty() ? "0" : flags) + ")";
  ResumableScope* scope = context.resumable;
  return translation.marker(construct.directive) +
         (scope != nullptr
              ? scope->leave("bobbin_omp_inlined_make_way(" + scope->frame() + ", " + task)
              : "bobbin_omp_inlined_resumable_task(" + task + ";\n");
}

}  // namespace bobbin::translate
