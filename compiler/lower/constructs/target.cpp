// SPDX-License-Identifier: Apache-2.0
// target and its data constructs, on the host: all data is in its place. What remains is which
// variables the region has copies of, and in which order regions run.
#include <algorithm>

#include "lower/constructs/devices.h"
#include "lower/data/captures.h"
#include "lower/data/closure.h"
#include "lower/data/reduction.h"
#include "lower/data/used_allocators.h"
#include "lower/tasks/dependences.h"
#include "lower/tasks/nowait.h"
#include "lower/tasks/replayable.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

bool contains(const std::vector<const Variable*>& list, const Variable* variable) {
  return std::find(list.begin(), list.end(), variable) != list.end();
}

class TargetMaker {
 public:
  TargetMaker(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        construct_(construct),
        directive_(construct.directive),
        context_(context),
        is_task_(directive_.has(ClauseKind::Nowait) || directive_.has(ClauseKind::Depend)),
        allocators_(translation, directive_),
        closure_(translation, construct, context, "target",
                 is_task_ ? Closure::Owner::Task : Closure::Owner::Team) {
    closure_.context().taskgroup = nullptr;
  }

  std::string lower() {
    if (!allocators_.empty() && !replayable_if(translation_, directive_, context_).empty()) {
      translation_.refuse(directive_,
                          "'uses_allocators' in a replayable 'target' is not supported by bobbin "
                          "translate");
    }
    closure_.context().shared.clear();
    allocators_.declare_in(closure_, translation_, context_);
    uses_ += allocators_.note_use(context_);
    capture();
    if (is_task_) {
      closure_.add_member("int " + member("device"));
      closure_.add_member("int " + member("limit"));
      closure_.add_initializer(member("device"), device_of(translation_, directive_, context_));
      closure_.add_initializer(member("limit"), thread_limit());
    }
    closure_.write(translation_.body(construct_, closure_.context()));
    return is_task_ ? call_task() : call();
  }

 private:
  std::string member(const char* name) const { return translation_.names.free(name); }

  // Of these clauses the list items, or what they are parts of, are those of the device.
  bool is_mapped(const Variable& variable) const {
    for (const Clause& clause : directive_.clauses) {
      if (clause.kind() != ClauseKind::Map && clause.kind() != ClauseKind::HasDeviceAddr) continue;
      for (const Item& item : clause.items) {
        const std::vector<const Reference*> named =
            translation_.references_in({item.base.probe_begin, item.base.probe_end});
        if (named.empty() || named.front()->variable != &variable) continue;
        const bool is_whole = translation_.variable_at(item.base) == &variable;
        // What a pointer leads to is mapped; the region has a pointer of its own.
        if (!translation_.types.is_pointer(variable.type)) return true;
        if (is_whole && item.sections.empty()) return true;
      }
    }
    return false;
  }

  // The implicit rules (section 5.8.1), and those of defaultmap.
  bool is_shared_by_default(const Variable& variable) const {
    const Types& types = translation_.types;
    std::string category = "aggregate";
    if (types.is_pointer(variable.type)) {
      category = "pointer";
    } else if (types.is_scalar(variable.type)) {
      category = "scalar";
    }
    for (const Clause& clause : directive_.clauses) {
      if (clause.kind() != ClauseKind::Defaultmap) continue;
      std::string word = clause.word;
      std::erase(word, ' ');
      const size_t colon = word.find(':');
      const std::string wanted = colon == std::string::npos ? "all" : word.substr(colon + 1);
      const std::string behavior = word.substr(0, colon);
      if ((wanted == category || wanted == "all") && behavior != "default") {
        return behavior != "firstprivate";
      }
    }
    return category == "aggregate";
  }

  void capture() {
    const auto listed = [&](ClauseKind kind) {
      return translation_.variables_of(directive_, kind);
    };
    const std::vector<const Variable*> privates = listed(ClauseKind::Private);
    const std::vector<const Variable*> firstprivates = listed(ClauseKind::Firstprivate);
    const std::vector<const Variable*> pointers = listed(ClauseKind::IsDevicePtr);
    const std::vector<ReductionItem> reduced =
        reduction_items(translation_, directive_, context_, ClauseKind::InReduction);
    for (const Variable* variable : captured_by(translation_, construct_, context_)) {
      if (allocators_.contains(*variable)) continue;
      const auto item = std::find_if(reduced.begin(), reduced.end(), [&](const ReductionItem& one) {
        return &one.variable() == variable;
      });
      if (item != reduced.end()) {
        use_own_copy(*item);
      } else if (contains(privates, variable)) {
        closure_.make_private(*variable);
      } else if (contains(firstprivates, variable) || contains(pointers, variable)) {
        closure_.make_firstprivate(*variable);
      } else if (is_mapped(*variable) || is_on_all_devices(*variable) ||
                 is_shared_by_default(*variable)) {
        share(*variable);
      } else {
        closure_.make_firstprivate(*variable);
      }
    }
  }

  // The copy is that of the thread that executes the region. The region's own tasks know nothing of
  // the reduction, so the copy is found before the region is entered: at the place of the construct
  // or, if that makes a task, in the task.
  void use_own_copy(const ReductionItem& item) {
    const Variable& variable = item.variable();
    if (item.is_section()) {
      use_section(item);
      return;
    }
    const std::string pointer = translation_.types.declare_pointer(variable.type, variable.name);
    if (is_task_) {
      closure_.point_to(variable, "");
      find_copy_in_task(variable.name);
    } else {
      closure_.pass(pointer, variable.name, own_copy(context_.address_of(variable)));
    }
    closure_.add_prologue(pointer + " = " + closure_.member(variable.name) + ";");
    closure_.context().put(variable, Place::behind(variable.name));
    closure_.context().shared.insert(&variable);
  }

  void use_section(const ReductionItem& item) {
    for (const ReductionItem::Constant& one : item.constants()) {
      if (one.name == item.original()) {
        closure_.pass(one.declaration, one.name, is_task_ ? one.value : own_copy(one.value));
      } else if (one.name == item.offset()) {
        closure_.pass(one.declaration, one.name, one.value);
      } else {
        // The region does not need the length, so what it names may have no other use.
        uses_ += "(void)(" + one.value + ");\n";
      }
    }
    if (is_task_) {
      sections_.push_back({&item.variable(), item.original(), item.offset()});
      find_copy_in_task(item.original());
    }
    const std::string moved = closure_.declare_moved(item.variable());
    closure_.add_prologue(
        item.move(moved, closure_.member(item.original()), closure_.member(item.offset())));
    closure_.context().shared.insert(&item.variable());
  }

  static std::string own_copy(const std::string& original) {
    return "bobbin_omp_own_copy(" + original + ")";
  }
  void find_copy_in_task(const std::string& name) {
    const std::string address = closure_.member(name);
    find_copies_ += "  " + address + " = " + own_copy(address) + ";\n";
  }

  // One that all devices have, or that the region may only use as it is.
  bool is_on_all_devices(const Variable& variable) const {
    if (context_.places.contains(&variable)) return false;
    if (!variable.is_global && !variable.is_static) return false;
    return variable.is_thread_local ||
           translation_.source.in_system_header(translation_.probe.to_source(variable.declared)) ||
           is_declared_for_devices(translation_, variable);
  }

  void share(const Variable& variable) {
    if (variable.is_global && !context_.places.contains(&variable)) return;
    closure_.share(variable);
    closure_.context().shared.insert(&variable);
  }

  std::string thread_limit() const {
    const Clause* clause = directive_.find(ClauseKind::ThreadLimit);
    return clause != nullptr ? "(" + translation_.expression_of(*clause, context_) + ")" : "0";
  }

  std::string call() const {
    return "{\n" + closure_.arguments() + uses_ + translation_.marker(directive_) +
           "bobbin_omp_target(" + closure_.name() + ", " + closure_.argument() + ", " +
           device_of(translation_, directive_, context_) + ", " + thread_limit() + ");\n" +
           allocators_.destroy(member("args") + ".") + "}";
  }

  // The target task (section 13.8): its function enters the region.
  std::string call_task() {
    const std::string task = translation_.name_for(directive_, context_, "target_task");
    const std::string argument = member("argument");
    const std::string data = member("data");
    translation_.before_function(
        "static void " + task + "(void *" + argument + ")" + translation_.marker(directive_) +
        "{ struct " + closure_.name() + "_data *" + data + " = " + argument + ";\n" + find_copies_ +
        "  bobbin_omp_target(" + closure_.name() + ", " + argument + ", " + data + "->" +
        member("device") + ", " + data + "->" + member("limit") + ");\n" +
        allocators_.destroy(data + "->") + "}\n\n");
    const std::string depend = member("dependences");
    const std::string clauses = member("clauses");
    const Dependences dependences = dependences_of(translation_, directive_, context_, depend);
    const std::string nowait = nowait_of(translation_, directive_, context_);
    std::string fields = ".flags = " + (nowait == "1"   ? "0"
                                        : nowait == "0" ? "bobbin_omp_undeferred"
                                                        : nowait + " ? 0 : bobbin_omp_undeferred");
    if (!dependences.declaration.empty()) {
      fields += ", .dependences = " + dependences.number + ", .depend = " + depend;
    }
    return "{\n" + closure_.arguments() + uses_ + dependences.declaration +
           "  const struct bobbin_omp_task_clauses " + clauses + " = {" + fields + "};\n" +
           translation_.marker(directive_) +
           make_tasks(translation_, directive_, closure_, sections_, context_,
                      {"bobbin_omp_task_with", "bobbin_omp_replayable_task",
                       task + ", " + closure_.argument() + ", " + closure_.size_and_alignment() +
                           ", &" + clauses}) +
           "}";
  }

  Translation& translation_;
  const Construct& construct_;
  const Directive& directive_;
  const Context& context_;
  bool is_task_;
  UsedAllocators allocators_;
  Closure closure_;
  std::vector<RelocatedSection> sections_;
  std::string find_copies_;  // in the target task
  std::string uses_;
};

}  // namespace

std::string lower_target(Translation& translation, const Construct& construct,
                         const Context& context) {
  return TargetMaker(translation, construct, context).lower();
}

std::string lower_target_data(Translation& translation, const Construct& construct,
                              const Context& context) {
  return "{\n" + translation.marker(construct.directive) + "bobbin_omp_target_data(" +
         device_of(translation, construct.directive, context) + ");\n" +
         translation.body(construct, context) + "}";
}

// Also target enter data and target exit data: they are tasks that have nothing to do.
std::string lower_target_update(Translation& translation, const Construct& construct,
                                const Context& context) {
  const std::string check =
      "bobbin_omp_target_data(" + device_of(translation, construct.directive, context) + ");\n";
  const std::string wait = construct.directive.has(ClauseKind::Depend)
                               ? lower_taskwait(translation, construct, context) + "\n"
                               : "";
  return "{\n" + translation.marker(construct.directive) + check + wait + "}";
}

}  // namespace bobbin::translate
