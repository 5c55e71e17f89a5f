// SPDX-License-Identifier: Apache-2.0
// Which function lowers which directive.
#include "lower/loops/task_iteration.h"
#include "lower/tasks/nowait.h"
#include "lower/translation/constructs.h"
#include "lower/translation/local_types.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {
namespace {

std::string comment(const Directive& directive) {
  std::string text = directive.text;
  for (size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at)) {
    text.replace(at, 2, "* /");
  }
  return "/* " + text + " */\n";
}

}  // namespace

std::string Translation::lower(size_t number, const Context& context) {
  const Directive& directive = directives[number];
  std::string out = comment(directive);
  try {
    if (directive.row->leaves.front() == Leaf::DeclareReduction) {
      return out + lower_declared_reduction(*this, number);
    }
    if (directive.row->leaves.front() == Leaf::DeclareInduction) {
      return out + lower_declared_induction(*this, number);
    }
    if (directive.row->leaves.front() == Leaf::Error &&
        directive.row->association == Association::Declaration) {
      return lower_compilation_error(directive, source);
    }
    // The native compiler's own business.
    if (directive.row->leaves.front() == Leaf::DeclareSimd) return directive.text;
    if (directive.row->leaves.front() == Leaf::DeclareVariant) {
      // Calls of the variants may be all that there are.
      const std::vector<Token> words = words_of_declaration(directive.probe_end);
      const bool is_static = !words.empty() && words.front().in(probe.text()) == "static";
      return out + (is_static ? "__attribute__((unused))" : "");
    }
    if (directive.row->association == Association::Declaration) return out;
    const Site* site = site_of(number);
    if (site == nullptr && directive.row->association == Association::Statement) {
      refuse(directive, "the directive stands where no statement can");
    }
    return out + dispatch({directive, site}, context);
  } catch (const Refusal& refusal) {
    diagnostics_.error(refusal);
    return out + ";";
  }
}

std::string Translation::dispatch(const Construct& construct, const Context& context) {
  switch (construct.kind()) {
    case Leaf::Parallel:
      return lower_parallel(*this, construct, context);
    case Leaf::Teams:
      return lower_teams(*this, construct, context);
    case Leaf::Target:
      return lower_target(*this, construct, context);
    case Leaf::TargetData:
      return lower_target_data(*this, construct, context);
    case Leaf::TargetUpdate:
      return lower_target_update(*this, construct, context);
    case Leaf::Distribute:
      return lower_distribute(*this, construct, context);
    case Leaf::Simd:
      return lower_simd(*this, construct, context);
    case Leaf::For:
      return wait_by_argument(*this, construct, context, lower_for(*this, construct, context));
    case Leaf::Sections:
      return wait_by_argument(*this, construct, context, lower_sections(*this, construct, context));
    case Leaf::Section:
      refuse(construct.directive, "'section' stands outside of 'sections'");
    case Leaf::Scope:
      return wait_by_argument(*this, construct, context, lower_scope(*this, construct, context));
    case Leaf::Single:
      return wait_by_argument(*this, construct, context, lower_single(*this, construct, context));
    case Leaf::Masked:
      return lower_masked(*this, construct, context);
    case Leaf::Critical:
      return lower_critical(*this, construct, context);
    case Leaf::Barrier:
      return "{ " + barrier(context, "bobbin_omp_explicit_barrier") + " }";
    case Leaf::Flush:
      return lower_flush(construct);
    case Leaf::Atomic:
      return lower_atomic(*this, construct, context);
    case Leaf::Ordered:
      return lower_ordered(*this, construct, context);
    case Leaf::Doacross:
      return lower_doacross(*this, construct, context);
    case Leaf::Scan:
      refuse(construct.directive, "'scan' stands outside of a loop with 'reduction(inscan, ...)'");
    case Leaf::Tile:
    case Leaf::Stripe:
    case Leaf::Unroll:
    case Leaf::Interchange:
    case Leaf::Reverse:
    case Leaf::Fuse:
    case Leaf::Split:
      return lower_transformation(*this, construct, context);
    case Leaf::Task:
      return lower_task(*this, construct, context);
    case Leaf::Taskloop:
      return lower_taskloop(*this, construct, context);
    case Leaf::TaskIteration:
      check_task_iteration(*this, construct.whole);
      return ";";
    case Leaf::Taskwait:
      return lower_taskwait(*this, construct, context);
    case Leaf::Taskgroup:
      return lower_taskgroup(*this, construct, context);
    case Leaf::Depobj:
      return lower_depobj(*this, construct, context);
    case Leaf::Taskgraph:
      return lower_taskgraph(*this, construct, context);
    case Leaf::Taskyield:
      return "bobbin_omp_taskyield();";
    case Leaf::CancelParallel:
    case Leaf::CancelFor:
    case Leaf::CancelSections:
    case Leaf::CancelTaskgroup:
    case Leaf::CancellationPoint:
      return lower_cancel(*this, construct, context);
    case Leaf::Error:
      return lower_error(*this, construct, context);
    case Leaf::Dispatch:
      return lower_dispatch(*this, construct, context);
    case Leaf::Interop:
      return lower_interop(*this, construct, context);
    case Leaf::Assume:
      return body(construct, context);
    default:  // a declaration
      return ";";
  }
}

void Translation::make_threadprivate() { lower_threadprivate(*this, diagnostics_); }

void Translation::allocate_variables() { lower_allocate(*this, diagnostics_); }

std::string Translation::move_types(const Function& function) {
  return move_local_types(*this, function);
}

}  // namespace bobbin::translate
