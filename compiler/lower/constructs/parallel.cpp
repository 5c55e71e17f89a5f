// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <set>
#include <type_traits>

#include "lower/data/captures.h"
#include "lower/data/closure.h"
#include "lower/data/reduction.h"
#include "lower/loops/iteration.h"
#include "lower/tasks/task_schedule.h"
#include "lower/translation/constructs.h"

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

// A parallel or a teams region.
class Region {
 public:
  Region(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        construct_(construct),
        directive_(construct.directive),
        context_(context),
        closure_(translation, construct, context,
                 construct.kind() == Leaf::Teams ? "teams" : "parallel", Closure::Owner::Team),
        reductions_(reduction_items(translation, directive_, context)) {
    for (ReductionItem& item : reductions_) {
      item.allocate(closure_.allocations().find(item.variable()));
    }
  }

  std::string lower() {
    closure_.context().shared.clear();
    CancelTarget end{translation_.names.free(closure_.name() + "_end")};
    if (is_cancelled_in_text()) closure_.context().parallel = &end;
    capture();
    if (context_.chunk != nullptr) pass_chunk(*context_.chunk);
    copy_in();
    std::string text;
    for (const ReductionItem& item : reductions_) {
      if (item.is_section()) {
        text += item.declare(closure_.declare_moved(item.variable()));
      } else {
        text += item.declare("");
      }
      closure_.context().put(item.variable(), item.place());
    }
    const std::string barrier = await_initialization(reductions_);
    if (construct_.kind() == Leaf::Teams && !barrier.empty()) {
      translation_.refuse(directive_,
                          "'reduction' on teams with an initializer that names omp_orig is not "
                          "supported");
    }
    text += barrier + begin_tasks(translation_, directive_, reductions_);
    text += body();
    text += end.place() + end_tasks(reductions_) + combine(reductions_);
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
    for (const ReductionItem& item : reductions_) {
      for (const ReductionItem::Constant& one : item.constants()) {
        closure_.pass(one.declaration, one.name, one.value);
        closure_.add_prologue(one.declaration + " = " + closure_.member(one.name) + ";");
      }
      reduced.insert(&item.variable());
    }
    const auto is_section = [&](const Variable* variable) {
      return std::any_of(reductions_.begin(), reductions_.end(), [&](const ReductionItem& item) {
        return &item.variable() == variable && item.is_section();
      });
    };

    for (const Variable* variable : captured_by(translation_, construct_, context_)) {
      if (is_section(variable)) {
        continue;  // what is needed of it has been passed
      }
      if (reduced.contains(variable)) {
        closure_.point_to(*variable, translation_.names.free(variable->name + "_original"));
      } else if (contains(shareds, variable)) {
        share(*variable);
      } else if (contains(loop_variables, variable) &&
                 !translation_.types.is_variable(variable->type)) {
        continue;  // the loop declares it
      } else if (contains(privates, variable) || contains(loop_variables, variable)) {
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

  // Without braces, where nothing that it declares has a name of the function's beginning.
  std::string body() {
    const auto is_free = [&](const Variable* one) { return !closure_.mentions(one->name); };
    if (construct_.is_last()) {
      const Extent statement = construct_.site->statement;
      const std::deque<Variable>& all = translation_.program.variables;
      const bool declares = std::any_of(all.begin(), all.end(), [&](const Variable& one) {
        return statement.contains(one.declared);
      });
      return declares ? translation_.body(construct_, closure_.context())
                      : translation_.block_content(construct_, closure_.context());
    }
    std::vector<const Variable*> declared = associated_variables(translation_, construct_);
    for (size_t leaf = construct_.leaf + 1; leaf < construct_.leaves().size(); ++leaf) {
      const Construct inner(construct_.whole, construct_.site, leaf);
      for (const Clause& clause : inner.directive.clauses) {
        for (const Item& item : clause.items) {
          const Variable* one = translation_.base_of(item);
          if (one != nullptr) declared.push_back(one);
        }
      }
    }
    const std::string text = translation_.body(construct_, closure_.context());
    return std::all_of(declared.begin(), declared.end(), is_free) ? content_of(text) : text;
  }

  void share(const Variable& variable) {
    // One that the whole file knows needs no pointer, unless it is private around here.
    if (variable.is_global && !context_.places.contains(&variable)) return;
    closure_.share(variable);
    closure_.context().shared.insert(&variable);
  }

  // To the construct that divides it among the threads.
  void pass_chunk(const Chunk& chunk) {
    const auto pass = [&](const std::string& name, const std::string& member,
                          const std::string& constant) {
      closure_.add_member(member);
      closure_.add_initializer(name, name);
      closure_.add_prologue(constant + " __attribute__((unused)) = " + closure_.member(name) + ";");
    };
    for (const Constant& one : chunk.iterations->passed()) {
      pass(one.name, one.member, one.constant);
    }
    for (const std::string& name : {chunk.first, chunk.last}) {
      pass(name, "unsigned long long " + name, "const unsigned long long " + name);
    }
  }

  // Unless it is the primary thread's own copy.
  static std::string copy_from(const std::string& master, const std::string& name, bool is_array) {
    const std::string copy =
        is_array ? "__builtin_memcpy(" + name + ", " + master + ", sizeof " + name + ");"
                 : name + " = *" + master + ";";
    return "if (&" + name + " != " + master + ") " + copy + "\n  ";
  }

  void copy_in() {
    std::string copies;
    for (const Variable* variable : translation_.variables_of(directive_, ClauseKind::Copyin)) {
      copies += copy_from(closure_.point_to(*variable, ""), variable->name,
                          translation_.types.is_array(variable->type));
    }
    // The primary thread must not change its own copies before all have copied.
    if (!copies.empty()) {
      closure_.add_prologue(copies + "bobbin_omp_barrier(bobbin_omp_workshare_barrier);");
    }
  }

  std::string value_of(ClauseKind kind) {
    const Clause* clause = directive_.find(kind);
    return clause != nullptr ? translation_.expression_of(*clause, context_) : "0";
  }

  std::string call() {
    const std::string arguments = closure_.arguments();
    const std::string call = translation_.marker(directive_) + this->call_text();
    return arguments.empty() ? call : "{\n" + arguments + call + "\n}";
  }

  std::string call_text() {
    const std::string function = closure_.name() + ", " + closure_.argument();
    if (construct_.kind() == Leaf::Teams) {
      return "bobbin_omp_teams(" + function + ", " + value_of(ClauseKind::NumTeams) + ", " +
             value_of(ClauseKind::ThreadLimit) + ");";
    }
    std::string threads = "0";
    bool is_strict = false;
    if (const Clause* clause = directive_.find(ClauseKind::NumThreads)) {
      if (!clause->modifiers.empty() && clause->modifiers.front() != "strict") {
        throw Refusal{clause->at, "expected 'strict', the only modifier of 'num_threads'"};
      }
      is_strict = !clause->modifiers.empty();
      threads = translation_.expression_of(*clause, context_);
    }
    if (const Clause* clause = directive_.find(ClauseKind::If)) {
      threads = "(" + translation_.expression_of(*clause, context_) + ") ? " + threads + " : 1";
    }
    const Clause* bind = directive_.find(ClauseKind::ProcBind);
    const std::string binding = bind != nullptr ? number_of_binding(bind->word) : "0";
    const std::string policy = task_policy(translation_, directive_, context_);
    if (!is_strict && policy.empty()) {
      return "bobbin_omp_parallel(" + function + ", " + threads + ", " + binding + ");";
    }
    std::string clauses = ".threads = " + threads + ", .bind = " + binding;
    if (is_strict) clauses += ", .is_strict = 1" + severity();
    if (!policy.empty()) clauses += ", .task_policy = " + policy;
    return "bobbin_omp_parallel_with(" + function +
           ", &(const struct bobbin_omp_parallel_clauses){" + clauses + "});";
  }

  // What happens if the team is smaller than num_threads(strict: ) says.
  std::string severity() {
    std::string text;
    if (const Clause* clause = directive_.find(ClauseKind::Severity)) {
      if (clause->word == "warning") text += ", .only_warns = 1";
    }
    if (const Clause* clause = directive_.find(ClauseKind::Message)) {
      text += ", .message = " + translation_.expression_of(*clause, context_);
    }
    return text;
  }

  Translation& translation_;
  const Construct& construct_;
  const Directive& directive_;
  const Context& context_;
  Closure closure_;
  std::vector<ReductionItem> reductions_;
};

}  // namespace

std::string lower_teams(Translation& translation, const Construct& construct,
                        const Context& context) {
  return Region(translation, construct, context).lower();
}

std::string lower_parallel(Translation& translation, const Construct& construct,
                           const Context& context) {
  return Region(translation, construct, context).lower();
}

}  // namespace bobbin::translate
