// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <type_traits>

#include "lower/closure.h"
#include "lower/constructs.h"
#include "lower/iteration.h"
#include "lower/reduction.h"

namespace bobbin::translate {
namespace {

// As omp_proc_bind_t has them.
const char* number_of_binding(const std::string& word) {
  if (word == "master" || word == "primary") return "2";
  return word == "close" ? "3" : "4";
}

template <class T>
bool contains(const std::vector<T>& list, std::type_identity_t<T> one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

class Region {
 public:
  Region(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        construct_(construct),
        directive_(construct.directive),
        context_(context),
        closure_(translation, construct, context, "parallel", Closure::Owner::Team),
        reductions_(reduction_items(translation, directive_)) {}

  std::string lower() {
    closure_.context().shared.clear();
    CancelTarget end{translation_.names.free(closure_.name() + "_end")};
    if (is_cancelled_in_text()) closure_.context().parallel = &end;
    capture();
    copy_in();
    std::string text;
    for (const ReductionItem& item : reductions_) {
      closure_.context().texts[&item.variable()] = item.variable().name;
      text += item.declare();
    }
    text += translation_.body(construct_, closure_.context());
    text += end.place() + combine(reductions_);
    closure_.write(text);
    return call();
  }

 private:
  // A directive that binds to this region, not to one inside it.
  bool is_cancelled_in_text() const {
    size_t inner_end = 0;
    for (const size_t number : translation_.directives_in(construct_.site->statement)) {
      const Directive& one = translation_.directives[number];
      if (one.probe_begin < inner_end) continue;
      const std::vector<Leaf>& leaves = one.row->leaves;
      if (contains(leaves, Leaf::Parallel)) inner_end = translation_.extent_of(number).end;
      if (leaves.back() == Leaf::CancelParallel) return true;
    }
    return false;
  }

  void capture() {
    const auto listed = [&](ClauseKind kind) {
      return translation_.variables_of(directive_, kind);
    };
    const std::vector<const Variable*> privates = listed(ClauseKind::Private);
    const std::vector<const Variable*> firstprivates = listed(ClauseKind::Firstprivate);
    const std::vector<const Variable*> shareds = listed(ClauseKind::Shared);
    const std::vector<const Variable*> loop_variables =
        associated_variables(translation_, construct_);
    const Clause* clause = directive_.find(ClauseKind::Default);
    const std::string by_default = clause != nullptr ? clause->word : "";
    std::set<const Variable*> reduced;
    for (const ReductionItem& item : reductions_) reduced.insert(&item.variable());

    for (const Variable* variable : captured_by(translation_, construct_, context_)) {
      if (reduced.contains(variable)) {
        closure_.point_to(*variable, translation_.names.free(variable->name + "_original"));
      } else if (contains(shareds, variable)) {
        share(*variable);
      } else if (contains(loop_variables, variable)) {
        continue;  // the loop declares it
      } else if (contains(privates, variable)) {
        closure_.make_private(*variable);
      } else if (contains(firstprivates, variable)) {
        closure_.make_firstprivate(*variable);
      } else if (by_default == "private" && !variable->is_static) {
        closure_.make_private(*variable);
      } else if (by_default == "firstprivate" && !variable->is_static) {
        closure_.make_firstprivate(*variable);
      } else {
        share(*variable);
      }
    }
  }

  void share(const Variable& variable) {
    // One that the whole file knows needs no pointer, unless it is private around here.
    if (variable.is_global && !context_.texts.contains(&variable)) return;
    closure_.share(variable);
    closure_.context().shared.insert(&variable);
  }

  void copy_in() {
    std::string copies;
    for (const Variable* variable : translation_.variables_of(directive_, ClauseKind::Copyin)) {
      const std::string master = closure_.point_to(*variable, "");
      const std::string& name = variable->name;
      const bool is_array = translation_.types.is_array(variable->type);
      copies += "if (&" + name + " != " + master + ") " +
                (is_array ? "__builtin_memcpy(" + name + ", " + master + ", sizeof " + name + ");"
                          : name + " = *" + master + ";") +
                "\n  ";
    }
    // The primary thread must not change its own copies before all have copied.
    if (!copies.empty()) {
      closure_.add_prologue(copies + "bobbin_omp_barrier(bobbin_omp_workshare_barrier);");
    }
  }

  std::string call() {
    std::string threads = "0";
    if (const Clause* clause = directive_.find(ClauseKind::NumThreads)) {
      if (!clause->modifiers.empty()) {
        throw Refusal{clause->at, "modifiers of 'num_threads' are not supported"};
      }
      threads = "(unsigned)(" + translation_.render_span(*clause->expression, context_) + ")";
    }
    if (const Clause* clause = directive_.find(ClauseKind::If)) {
      threads =
          "(" + translation_.render_span(*clause->expression, context_) + ") ? " + threads + " : 1";
    }
    const Clause* bind = directive_.find(ClauseKind::ProcBind);
    return "{\n" + closure_.arguments() + translation_.marker(directive_) + "bobbin_omp_parallel(" +
           closure_.name() + ", " + closure_.argument() + ", " + threads + ", " +
           (bind != nullptr ? number_of_binding(bind->word) : "0") + ");\n}";
  }

  Translation& translation_;
  const Construct& construct_;
  const Directive& directive_;
  const Context& context_;
  Closure closure_;
  std::vector<ReductionItem> reductions_;
};

}  // namespace

std::string lower_parallel(Translation& translation, const Construct& construct,
                           const Context& context) {
  return Region(translation, construct, context).lower();
}

}  // namespace bobbin::translate
