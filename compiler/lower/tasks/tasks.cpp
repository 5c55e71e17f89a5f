// SPDX-License-Identifier: Apache-2.0
// task and taskloop.
#include <algorithm>

#include "lower/calls/part_plan.h"
#include "lower/data/captures.h"
#include "lower/data/closure.h"
#include "lower/data/linear.h"
#include "lower/data/reduction.h"
#include "lower/data/space.h"
#include "lower/loops/task_iteration.h"
#include "lower/tasks/dependences.h"
#include "lower/tasks/dependent_chunks.h"
#include "lower/tasks/replayable.h"
#include "lower/tasks/task_clauses.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

bool contains(const std::vector<const Variable*>& list, const Variable* variable) {
  return std::find(list.begin(), list.end(), variable) != list.end();
}

class TaskMaker {
 public:
  TaskMaker(Translation& translation, const Construct& construct, const Context& context,
            const std::string& suffix)
      : translation_(translation),
        construct_(construct),
        directive_(construct.directive),
        context_(context),
        closure_(translation, construct, context, suffix, Closure::Owner::Task),
        end_{translation.names.free(closure_.name() + "_end")},
        reductions_(reduction_items(translation, directive_, context)),
        in_reductions_(reduction_items(translation, directive_, context, ClauseKind::InReduction)) {
    closure_.context().taskgroup = &end_;
  }

  std::string lower_task() {
    add_event();
    capture({});
    const std::string body = translation_.body(construct_, closure_.context());
    closure_.write(body + end_.place());  // which knows by now whether the body leads there
    return call_task();
  }

  std::string lower_taskloop();

 private:
  std::vector<const Variable*> listed(ClauseKind kind) const {
    return translation_.variables_of(directive_, kind);
  }

  // The runtime stores the handle in the task's first word, too.
  void add_event() {
    const std::vector<const Variable*> events = listed(ClauseKind::Detach);
    if (events.empty()) return;
    const Variable& event = *events.front();
    closure_.add_member(translation_.types.declare(event.type, event.name));
    if (!contains(captured_by(translation_, construct_, context_), &event)) return;
    closure_.add_prologue(translation_.types.declare(event.type, event.name) + " = " +
                          closure_.member(event.name) + ";");
    closure_.context().put(event, Place::named(event.name));
  }

  // The implicit rules of section 7.1.1.
  // own: those that the loop declares.
  void capture(const std::vector<const Variable*>& own) {
    const std::vector<const Variable*> shareds = listed(ClauseKind::Shared);
    const std::vector<const Variable*> privates = listed(ClauseKind::Private);
    const std::vector<const Variable*> firstprivates = listed(ClauseKind::Firstprivate);
    const std::vector<const Variable*> lastprivates = listed(ClauseKind::Lastprivate);
    const std::vector<const Variable*> events = listed(ClauseKind::Detach);
    const Clause* clause = directive_.find(ClauseKind::Default);
    const std::string by_default = clause != nullptr ? clause->word : "";
    const std::set<const Variable*> shared_before = closure_.context().shared;
    closure_.context().shared.clear();
    for (const Variable* variable : captured_by(translation_, construct_, context_)) {
      if (contains(events, variable)) continue;
      if (const ReductionItem* item = reduced(*variable)) {
        use_own_copy(*item);
        continue;
      }
      const bool is_last = contains(lastprivates, variable);
      if (is_last) {
        make_lastprivate(*variable, contains(own, variable), contains(firstprivates, variable));
      } else if (contains(own, variable)) {
        // Its type's lengths come with the task.
        if (translation_.types.is_variable(variable->type)) closure_.make_private(*variable);
      } else if (contains(shareds, variable)) {
        share(*variable, shared_before);
      } else if (contains(privates, variable)) {
        closure_.make_private(*variable);
      } else if (contains(firstprivates, variable)) {
        closure_.make_firstprivate(*variable);
      } else if (by_default == "shared" || variable->is_static ||
                 (by_default != "private" && by_default != "firstprivate" &&
                  shared_before.contains(variable))) {
        share(*variable, shared_before);
      } else if (by_default == "private") {
        closure_.make_private(*variable);
      } else {
        closure_.make_firstprivate(*variable);
      }
    }
  }

  const ReductionItem* reduced(const Variable& variable) const {
    for (const std::vector<ReductionItem>* items : {&reductions_, &in_reductions_}) {
      for (const ReductionItem& item : *items) {
        if (&item.variable() == &variable) return &item;
      }
    }
    return nullptr;
  }

  // The copy is that of the thread that executes the task.
  void use_own_copy(const ReductionItem& item) {
    const Variable& variable = item.variable();
    if (!item.is_section()) {
      const std::string original = closure_.point_to(variable, "");
      closure_.add_prologue(translation_.types.declare_pointer(variable.type, variable.name) +
                            " = bobbin_omp_own_copy(" + original + ");");
      closure_.context().make_private(variable);
      closure_.context().put(variable, Place::behind(variable.name));
      return;
    }
    for (const ReductionItem::Constant& one : item.constants()) {
      if (one.name == item.original() || one.name == item.offset()) {
        closure_.pass(one.declaration, one.name, one.value);
      } else {
        // The task does not need the length, so what it names may have no other use.
        uses_ += "(void)(" + one.value + ");\n";
      }
    }
    sections_.push_back({&variable, item.original(), item.offset()});
    const std::string copy = "bobbin_omp_own_copy(" + closure_.member(item.original()) + ")";
    const std::string moved = closure_.declare_moved(variable);
    closure_.add_prologue(item.move(moved, copy, closure_.member(item.offset())));
  }

  void share(const Variable& variable, const std::set<const Variable*>& shared_before) {
    if (variable.is_global && !context_.places.contains(&variable)) return;
    closure_.share(variable);
    if (shared_before.contains(&variable)) closure_.context().shared.insert(&variable);
  }

  void make_lastprivate(const Variable& variable, bool is_loop_variable, bool is_first) {
    const std::string original = translation_.names.free(variable.name + "_original");
    const Types& types = translation_.types;
    const bool is_array = types.is_array(variable.type);
    if (types.is_variable(variable.type) || (is_array && is_first)) {
      translation_.refuse(directive_,
                          "'" + variable.name +
                              "' in 'lastprivate' of a taskloop: an array of variable length, or "
                              "one that is firstprivate, too, is not supported");
    }
    closure_.point_to(variable, original);
    closure_.context().put(variable, Place::named(variable.name));
    if (is_loop_variable && closure_.allocations().find(variable) != nullptr) {
      translation_.refuse(directive_, "'allocate' of the loop variable '" + variable.name +
                                          "' is not supported by bobbin translate");
    }
    std::string copy = variable.name;
    if (is_first) {
      // The last task may have assigned the original before another one begins.
      const std::string first = translation_.names.free(variable.name + "_first");
      closure_.pass(types.declare(variable.type, first, Types::Const::Drop), first,
                    context_.text_of(variable));
      copy = closure_.declare_copy(variable);
      closure_.add_prologue(copy + " = " + closure_.member(first) + ";");
    } else if (!is_loop_variable) {
      copy = closure_.declare_copy(variable);
      if (types.is_scalar(variable.type)) closure_.add_prologue(copy + " = 0;");
    }
    assign_last_ += is_array
                        ? "__builtin_memcpy(" + original + ", " + copy + ", sizeof " + copy + ");\n"
                        : "*" + original + " = " + copy + ";\n";
  }

  std::string expression(const Clause& clause) const {
    return translation_.expression_of(clause, context_);
  }

  std::string flags() const {
    std::string text;
    const auto add = [&](const std::string& flag) { text += (text.empty() ? "" : " | ") + flag; };
    if (directive_.has(ClauseKind::Untied)) add("bobbin_omp_untied");
    if (directive_.has(ClauseKind::Mergeable)) add("bobbin_omp_mergeable");
    if (is_for_pool(directive_)) add("bobbin_omp_pool");
    if (const Clause* clause = directive_.find(ClauseKind::Final)) {
      add("((" + expression(*clause) + ") ? bobbin_omp_final : 0)");
    }
    if (const Clause* clause = directive_.find(ClauseKind::If)) {
      add("((" + expression(*clause) + ") ? 0 : bobbin_omp_undeferred)");
    }
    // Each execution of a recorded task may read the same data.
    if (is_replayable() && closure_.has_constant_data()) add("bobbin_omp_constant_data");
    return text;
  }

  // For tasks that the thread may execute at once.
  std::string inlined_function(bool has_no_flags) const {
    const auto number = static_cast<size_t>(&construct_.whole - translation_.directives.data());
    std::string name = "bobbin_omp_inlined_task";
    switch (translation_.parts->part(number)) {
      case PartPlan::Part::Yes:
        name = "bobbin_omp_inlined_waitless_part";
        break;
      case PartPlan::Part::Waits:
        name = "bobbin_omp_inlined_part";
        break;
      case PartPlan::Part::No:
        break;
    }
    return name + (has_no_flags ? "(" : "_with(");
  }
  bool is_replayable() const { return !replayable_if(translation_, directive_, context_).empty(); }

  std::string priority() const {
    const Clause* clause = directive_.find(ClauseKind::Priority);
    return clause != nullptr ? expression(*clause) : "0";
  }

  std::string call_task();
  std::string make_tasks(const TaskCall& call) {
    return translate::make_tasks(translation_, directive_, closure_, sections_, context_, call);
  }

  Translation& translation_;
  const Construct& construct_;
  const Directive& directive_;
  const Context& context_;
  Closure closure_;
  CancelTarget end_;
  std::vector<ReductionItem> reductions_;
  std::vector<ReductionItem> in_reductions_;
  std::vector<RelocatedSection> sections_;
  std::string uses_;
  std::string assign_last_;
};

std::string TaskMaker::call_task() {
  const std::string size = closure_.size_and_alignment();
  const std::string begin = "{\n" + closure_.arguments() + uses_;
  const std::string task = closure_.name() + ", " + closure_.argument() + ", " + size;
  const std::string all = flags();
  std::string fields;
  const auto add = [&](const std::string& field) {
    fields += (fields.empty() ? "" : ", ") + field;
  };
  if (directive_.has(ClauseKind::Priority)) add(".priority = " + priority());
  const std::string depend = translation_.names.free("dependences");
  const std::string clauses = translation_.names.free("clauses");
  const Dependences dependences = dependences_of(translation_, directive_, context_, depend);
  const std::string& declarations = dependences.declaration;
  if (!declarations.empty()) {
    add(".dependences = " + dependences.number + ", .depend = " + depend);
  }
  if (directive_.has(ClauseKind::Detach)) {
    add(".event = (void **)" + context_.address_of(*listed(ClauseKind::Detach).front()));
  }
  const std::string transparent = begin_transparent(translation_, directive_, context_);
  // Where a task is for free agents, the thread may not call its function at once.
  if (fields.empty() && !is_replayable() && transparent.empty() && !is_for_pool(directive_)) {
    return begin + translation_.marker(directive_) + inlined_function(all.empty()) + task +
           (all.empty() ? "" : ", " + all) + ");\n}";
  }
  if (!all.empty()) add(".flags = " + all);
  if (fields.empty()) add(".flags = 0");
  const std::string values =
      declarations + "  const struct bobbin_omp_task_clauses " + clauses + " = {" + fields + "};\n";
  return begin + values + translation_.marker(directive_) + transparent +
         make_tasks(
             {"bobbin_omp_task_with", "bobbin_omp_replayable_task", task + ", &" + clauses}) +
         end_transparent(directive_) + "}";
}

std::string TaskMaker::lower_taskloop() {
  const Names& names = translation_.names;
  Space space(translation_, construct_, context_);
  Iterations& iterations = space.iterations();
  const std::string first = names.free("first");
  const std::string last = names.free("last");
  // The runtime's two words come first.
  closure_.add_member("unsigned long long " + first);
  closure_.add_member("unsigned long long " + last);
  for (const Constant& one : iterations.passed()) {
    closure_.add_member(one.member);
    closure_.add_initializer(one.name, one.name);
    closure_.add_prologue(one.constant + " __attribute__((unused)) = " + closure_.member(one.name) +
                          ";");
  }
  std::vector<const Variable*> loop_variables;
  for (const CanonicalLoop& loop : iterations.loops()) loop_variables.push_back(&loop.variable());
  const LinearVariables linears(translation_, directive_, context_, iterations);
  std::vector<const Variable*> own = linears.variables();
  own.insert(own.end(), loop_variables.begin(), loop_variables.end());
  capture(own);
  linears.pass_to(closure_);
  for (const Variable* variable : loop_variables) {
    closure_.context().make_private(*variable);
  }
  std::string text;
  for (const CanonicalLoop& loop : iterations.loops()) {
    const bool is_declared =
        construct_.is_last() || contains(listed(ClauseKind::Lastprivate), &loop.variable());
    if (is_declared && !translation_.types.is_variable(loop.variable().type))
      text += iterations.declaration(loop);
  }
  text +=
      linears.declarations() + space.execute(construct_, closure_.context(), closure_.member(first),
                                             closure_.member(last), linears);
  assign_last_ += linears.assign_last(iterations.count());
  if (!assign_last_.empty()) {
    std::string finish;
    for (const Variable* variable : loop_variables) {
      if (contains(listed(ClauseKind::Lastprivate), variable))
        finish += iterations.finish(*variable);
    }
    text += "if (" + closure_.member(last) + " == " + iterations.count() + ") {\n" + finish +
            assign_last_ + "}\n";
  }
  closure_.write(text + end_.place());

  std::string all = flags();
  std::string begin;
  std::string end;
  if (!reductions_.empty()) {
    const Allocations allocations(translation_, directive_, context_, begin);
    for (ReductionItem& item : reductions_) item.allocate(allocations.find(item.variable()));
    const TaskReductions reductions = task_reductions(translation_, directive_, reductions_);
    begin += reductions.declarations + "bobbin_omp_taskgroup_begin();\n" + reductions.begin;
    end = "bobbin_omp_taskgroup_end();\n";
  }
  const std::vector<const Directive*> iteration_clauses =
      task_iterations_of(translation_, construct_);
  const bool is_grouped = !directive_.has(ClauseKind::Nogroup);
  if (!iteration_clauses.empty() && is_grouped && reductions_.empty()) {
    begin = "bobbin_omp_taskgroup_begin();\n";
    end = "bobbin_omp_taskgroup_end();\n";
  }
  if (!is_grouped || !end.empty())
    all += (all.empty() ? "" : " | ") + std::string("bobbin_omp_nogroup");
  std::string division = "bobbin_omp_no_division, 0";
  for (const ClauseKind kind : {ClauseKind::Grainsize, ClauseKind::NumTasks}) {
    const Clause* clause = directive_.find(kind);
    if (clause == nullptr) continue;
    division = std::string(kind == ClauseKind::Grainsize ? "bobbin_omp_grainsize"
                                                         : "bobbin_omp_num_tasks") +
               ", " + expression(*clause);
    if (!clause->modifiers.empty())
      all += (all.empty() ? "" : " | ") + std::string("bobbin_omp_strict");
  }
  if (all.empty()) all = "0";
  const std::string tasks =
      iteration_clauses.empty()
          ? make_tasks({"bobbin_omp_taskloop", "bobbin_omp_replayable_taskloop",
                        closure_.name() + ", " + closure_.argument() + ", " +
                            closure_.size_and_alignment() + ", " + all + ", " + priority() + ", " +
                            iterations.count() + ", " + division})
          : make_dependent_chunks(translation_, iteration_clauses, iterations, closure_, context_,
                                  {all, priority(), division},
                                  [&](const TaskCall& one) { return make_tasks(one); });
  return "{\n" + iterations.constants() + closure_.arguments() + uses_ + begin +
         translation_.marker(directive_) + tasks + end + "}";
}

}  // namespace

std::string lower_task(Translation& translation, const Construct& construct,
                       const Context& context) {
  return TaskMaker(translation, construct, context, "task").lower_task();
}

std::string lower_taskloop(Translation& translation, const Construct& construct,
                           const Context& context) {
  return TaskMaker(translation, construct, context, "taskloop").lower_taskloop();
}

}  // namespace bobbin::translate
