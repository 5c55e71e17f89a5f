// SPDX-License-Identifier: Apache-2.0
// for, distribute and sections.
#include <algorithm>

#include "lower/data/conditional.h"
#include "lower/data/linear.h"
#include "lower/data/privates.h"
#include "lower/data/scan.h"
#include "lower/data/space.h"
#include "lower/loops/doacross.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

bool has_cancel(const Translation& translation, const Construct& construct, Leaf kind) {
  const std::vector<size_t> inside = translation.directives_in(construct.site->statement);
  return std::any_of(inside.begin(), inside.end(), [&](size_t number) {
    return translation.directives[number].row->leaves.back() == kind;
  });
}

// Combined with parallel, the region's own end is the barrier.
std::string barrier_after(const Construct& construct, const Context& context, bool is_cancelled) {
  if (construct.directive.has(ClauseKind::Nowait) || construct.is_part_of(Leaf::Parallel))
    return "";
  if (is_cancelled && context.parallel == nullptr) {
    return "bobbin_omp_cancellable_barrier(bobbin_omp_workshare_barrier);\n";
  }
  return barrier(context, "bobbin_omp_workshare_barrier") + "\n";
}

std::string assign_last(const Privates& privates, const std::string& condition) {
  if (privates.lastprivates().empty()) return "";
  return "if (" + condition + ") {\n" + privates.assign_last() + "}\n";
}

// The chunks of a thread, as long as there is another one.
std::string repeat(const std::string& chunk, const std::string& next) {
  return "{\ndo {\n" + content_of(chunk) + "} while (" + next + ");\n}\n";
}

struct Schedule {
  std::string kind = "bobbin_omp_static";
  std::string chunk = "0";
  bool has_one_chunk = true;  // of each thread
};

Schedule schedule_of(Translation& translation, const Directive& directive, const Context& context) {
  Schedule schedule;
  if (const Clause* clause = directive.find(ClauseKind::Schedule)) {
    const std::string word = clause->word == "auto" ? "static" : clause->word;
    if (word != "static" && word != "dynamic" && word != "guided" && word != "runtime") {
      throw Refusal{clause->at, "unknown schedule '" + word + "'"};
    }
    schedule.kind = "bobbin_omp_" + word;
    schedule.has_one_chunk = word == "static" && !clause->expression;
    if (clause->expression) {
      schedule.chunk = translation.expression_of(*clause, context);
    }
  }
  if (directive.has(ClauseKind::Ordered)) schedule.has_one_chunk = false;
  return schedule;
}

// Those that the construct inside does not declare for itself alone.
void add_lastprivate_variables(const Iterations& iterations, Privates& privates) {
  for (const CanonicalLoop& loop : iterations.loops()) {
    const auto& all = privates.lastprivates();
    if (std::find(all.begin(), all.end(), &loop.variable()) != all.end()) {
      privates.add_loop_variable(iterations, loop);
    }
  }
}

class WorksharingLoop {
 public:
  WorksharingLoop(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        construct_(construct),
        directive_(construct.directive),
        context_(context),
        space_(translation, construct, context),
        iterations_(space_.iterations()),
        privates_(translation, construct, context),
        linears_(translation, directive_, context, iterations_),
        conditionals_(translation, construct, context),
        first_(translation.names.free("first")),
        last_(translation.names.free("last")),
        is_last_(translation.names.free("is_last")),
        end_{translation.names.unique(translation.names.free("end_of_for"))} {
    if (!construct.is_last() && !has_inscan(directive_)) {
      add_lastprivate_variables(iterations_, privates_);
      return;
    }
    for (size_t i = 0; i < iterations_.loops().size(); ++i) {
      const CanonicalLoop& loop = iterations_.loops()[i];
      // The inner loops of ordered(n) stay as they are.
      const bool stays = directive_.ordered > directive_.collapse && i >= directive_.collapse;
      if (stays && loop.loop().declares) continue;
      privates_.add_loop_variable(iterations_, loop);
    }
  }

  std::string lower() {
    const bool is_cancelled = has_cancel(translation_, construct_, Leaf::CancelFor);
    const DoacrossNest nest{iterations_.loops(), directive_.collapse};
    const bool has_doacross = is_doacross(translation_, construct_);
    Context& inside = privates_.context();
    inside.loop = &end_;
    inside.doacross = has_doacross ? &nest : nullptr;
    linears_.declare_in(inside);
    if (!conditionals_.empty()) conditionals_.note_assignments(inside, iterations_.number());
    std::string text = "{\n" + privates_.originals() + linears_.originals() + await_first_values() +
                       space_.constants() + privates_.declarations() + linears_.declarations() +
                       conditionals_.declarations() + "unsigned long long " + first_ + ", " +
                       last_ + ";\n";
    if (has_inscan(directive_)) {
      check_scan(is_cancelled);
      text += translation_.marker(directive_) +
              lower_scan(translation_, construct_, iterations_, inside, linears_);
      if (has_last()) text += "if (" + is_final_chunk() + ") {\n" + assign_last() + "}\n";
    } else {
      text += (has_last() ? "int " + is_last_ + " = 0;\n" : "") +
              chunks(nest, has_doacross, is_cancelled);
      if (has_last()) text += "if (" + is_last_ + ") {\n" + assign_last() + "}\n";
    }
    return text + conditionals_.assign_last() + privates_.combine_reductions() +
           barrier_after(construct_, context_, is_cancelled) + "}";
  }

 private:
  void check_scan(bool is_cancelled) const {
    if (space_.is_taken()) translation_.refuse(directive_, "'inscan' of a part of a league's loop");
    if (is_cancelled) {
      translation_.refuse(directive_,
                          "OpenMP does not permit 'cancel for' in a loop with "
                          "'reduction(inscan, ...)'");
    }
  }

  // No thread may assign the last value before all have read the first one.
  std::string await_first_values() const {
    return linears_.empty() ? "" : "bobbin_omp_barrier(bobbin_omp_workshare_barrier);\n";
  }

  bool has_last() const { return !privates_.lastprivates().empty() || !linears_.empty(); }
  std::string is_final_chunk() const {
    return first_ + " < " + last_ + " && " + last_ + " == " + space_.count();
  }
  std::string assign_last() const {
    std::string text;
    for (const Variable* variable : privates_.lastprivates()) text += iterations_.finish(*variable);
    return text + privates_.assign_last() + linears_.assign_last(space_.count());
  }

  // Takes the thread's chunks and executes them.
  std::string chunks(const DoacrossNest& nest, bool has_doacross, bool is_cancelled) {
    std::string chunk = space_.execute(construct_, privates_.context(), first_, last_, linears_);
    if (has_last()) {
      chunk = "{\n" + chunk + is_last_ + " = " + is_final_chunk() + ";\n}\n";
    }
    const Schedule schedule = schedule_of(translation_, directive_, context_);
    const std::string marker = translation_.marker(directive_);
    const std::string range = ", &" + first_ + ", &" + last_ + ")";
    if (schedule.has_one_chunk) {
      return marker + "bobbin_omp_inlined_static_begin(" + space_.count() + range + ";\n" + chunk +
             end_.place() + "bobbin_omp_inlined_static_end();\n";
    }
    if (schedule.kind == "bobbin_omp_static" && !has_doacross && !is_cancelled &&
        !directive_.has(ClauseKind::Ordered)) {
      return static_chunks(schedule, marker, chunk);
    }
    std::string begin = "if (bobbin_omp_loop_begin(" + space_.count() + ", " + schedule.kind +
                        (directive_.has(ClauseKind::Ordered) ? " | bobbin_omp_ordered" : "");
    if (has_doacross) {
      const std::string counts = translation_.names.free("counts");
      begin = "const unsigned long long " + counts +
              "[] = " + doacross_counts(nest, iterations_.count()) +
              ";\nif (bobbin_omp_doacross_begin(sizeof " + counts + " / sizeof *" + counts + ", " +
              counts + ", " + schedule.kind;
    }
    return marker + begin + ", " + schedule.chunk + range + ") " +
           repeat(chunk, "bobbin_omp_loop_next(&" + first_ + ", &" + last_ + ")") + end_.place() +
           "bobbin_omp_loop_end();\n";
  }

  std::string static_chunks(const Schedule& schedule, const std::string& marker,
                            const std::string& chunk) const {
    const std::string size = translation_.names.free("chunk");
    const std::string distance = translation_.names.free("distance");
    const std::string before = "(" + space_.count() + ", " + size + ", &" + first_ + ", &" + last_;
    return "const unsigned long long " + size + " = " + schedule.chunk + ";\nunsigned long long " +
           distance + ";\n" + marker + "if (bobbin_omp_static_chunks_begin" + before + ", &" +
           distance + ")) " +
           repeat(chunk, "bobbin_omp_static_chunks_next" + before + ", " + distance + ")") +
           "bobbin_omp_inlined_static_end();\n";
  }

  Translation& translation_;
  const Construct& construct_;
  const Directive& directive_;
  const Context& context_;
  Space space_;
  Iterations& iterations_;
  Privates privates_;
  LinearVariables linears_;
  ConditionalVariables conditionals_;
  std::string first_;
  std::string last_;
  std::string is_last_;
  CancelTarget end_;
};

}  // namespace

std::string lower_for(Translation& translation, const Construct& construct,
                      const Context& context) {
  return WorksharingLoop(translation, construct, context).lower();
}

namespace {

// Section 13.7: the teams do not wait for each other, so that none may read what another assigns.
void refuse_shared(const LinearVariables& linears, const Context& context,
                   const Construct& construct) {
  for (const Variable* one : linears.variables()) {
    if (!context.shared.contains(one) && !(one->is_global && !context.places.contains(one)))
      continue;
    throw Refusal{construct.directive.begin,
                  "'" + one->name +
                      "' in 'induction' is shared by the teams, which OpenMP does not permit on "
                      "'distribute'"};
  }
}

}  // namespace

std::string lower_distribute(Translation& translation, const Construct& construct,
                             const Context& context) {
  Space space(translation, construct, context);
  const Iterations& iterations = space.iterations();
  Privates privates(translation, construct, context);
  const LinearVariables linears(translation, construct.directive, context, iterations);
  refuse_shared(linears, context, construct);
  linears.declare_in(privates.context());
  if (construct.is_last()) {
    for (const CanonicalLoop& loop : iterations.loops()) {
      privates.add_loop_variable(iterations, loop);
    }
  } else {
    add_lastprivate_variables(iterations, privates);
  }
  const Names& names = translation.names;
  const std::string first = names.free("team_first");
  const std::string last = names.free("team_last");
  const std::string size = names.free("team_chunk");
  const std::string is_last = names.free("is_last");
  const Clause* clause = construct.directive.find(ClauseKind::DistSchedule);
  const std::string chunk_size =
      clause != nullptr && clause->expression ? translation.expression_of(*clause, context) : "0";
  std::string chunk = space.execute(construct, privates.context(), first, last, linears);
  std::string end;
  if (!privates.lastprivates().empty() || !linears.empty()) {
    chunk = "{\n" + chunk + is_last + " = " + last + " == " + space.count() + ";\n}\n";
    end = "if (" + is_last + ") {\n";
    for (const Variable* variable : privates.lastprivates()) end += iterations.finish(*variable);
    end += privates.assign_last() + linears.assign_last(space.count()) + "}\n";
  }
  const std::string arguments = "(" + space.count() + ", " + size + ", &" + first + ", &" + last;
  return "{\n" + privates.originals() + linears.originals() + space.constants() +
         privates.declarations() + linears.declarations() + "const unsigned long long " + size +
         " = " + chunk_size + ";\nunsigned long long " + first + ", " + last + ";\n" +
         (end.empty() ? "" : "int " + is_last + " = 0;\n") +
         translation.marker(construct.directive) + "if (bobbin_omp_distribute_begin" + arguments +
         ")) " + repeat(chunk, "bobbin_omp_distribute_next" + arguments + ")") +
         "bobbin_omp_distribute_end();\n" + end + "}";
}

namespace {

// The statements of the sections, in order.
std::vector<Extent> sections_in(const Translation& translation, const Construct& construct) {
  const Site& site = *construct.site;
  if (!site.is_compound) translation.refuse(construct.directive, "expected '{' after 'sections'");
  std::vector<Extent> found;
  size_t at = site.statement.begin + 1;
  const auto take_text = [&](size_t to) {
    const std::vector<Token> tokens =
        tokenize(translation.probe.text(), at, to, HashLines::Recognize);
    const auto first = std::find_if(tokens.begin(), tokens.end(), [](const Token& one) {
      return one.kind != TokenKind::HashLine;
    });
    if (first == tokens.end()) return;
    if (!found.empty()) {
      translation.refuse(first->begin, "a section of more than one statement needs braces");
    }
    found.push_back({at, to});  // the first section needs no directive
  };
  for (const size_t number : translation.directives_in(site.statement)) {
    const Extent extent = translation.extent_of(number);
    if (extent.begin < at) continue;
    if (translation.directives[number].row->leaves.front() != Leaf::Section) continue;
    bool is_inside_another = false;
    for (const size_t other : translation.directives_in({at, extent.begin})) {
      is_inside_another = is_inside_another || translation.extent_of(other).end > extent.begin;
    }
    if (is_inside_another) continue;
    take_text(extent.begin);
    found.push_back(translation.site_of(number)->statement);
    at = extent.end;
  }
  take_text(site.statement.end - 1);
  return found;
}

}  // namespace

std::string lower_sections(Translation& translation, const Construct& construct,
                           const Context& context) {
  Privates privates(translation, construct, context);
  const std::vector<Extent> sections = sections_in(translation, construct);
  const bool is_cancelled = has_cancel(translation, construct, Leaf::CancelSections);
  const Names& names = translation.names;
  const std::string section = names.free("section");
  const std::string is_last = names.free("is_last");
  CancelTarget end{translation.names.unique(names.free("end_of_sections"))};
  privates.context().sections = &end;
  const ConditionalVariables conditionals(translation, construct, context);
  const bool has_last = !privates.lastprivates().empty();

  std::string cases;
  for (size_t i = 0; i < sections.size(); ++i) {
    conditionals.note_assignments(privates.context(), std::to_string(i));
    cases += "case " + std::to_string(i + 1) + ": {" +
             translation.statement(sections[i], privates.context());
    if (has_last && i + 1 == sections.size()) cases += is_last + " = 1;\n";
    cases += "} break;\n";
  }
  return "{\n" + privates.originals() + privates.declarations() + conditionals.declarations() +
         (has_last ? "int " + is_last + " = 0;\n" : "") + translation.marker(construct.directive) +
         "for (unsigned " + section + " = bobbin_omp_sections_begin(" +
         std::to_string(sections.size()) + "); " + section + " != 0; " + section +
         " = bobbin_omp_sections_next())\nswitch (" + section + ") {\n" + cases + "}\n" +
         end.place() + "bobbin_omp_loop_end();\n" + assign_last(privates, is_last) +
         conditionals.assign_last() + privates.combine_reductions() +
         barrier_after(construct, context, is_cancelled) + "}";
}

}  // namespace bobbin::translate
