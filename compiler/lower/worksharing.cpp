// SPDX-License-Identifier: Apache-2.0
// for and sections.
#include <algorithm>

#include "lower/constructs.h"
#include "lower/iteration.h"
#include "lower/privates.h"

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

struct Schedule {
  std::string kind = "bobbin_omp_static";
  std::string chunk = "0";
  bool has_one_chunk = true;  // of each thread
};

Schedule schedule_of(Translation& translation, const Directive& directive, const Context& context) {
  Schedule schedule;
  if (const Clause* clause = directive.find(ClauseKind::Schedule)) {
    const std::string word = clause->word == "auto" ? "static" : clause->word;
    schedule.kind = "bobbin_omp_" + word;
    schedule.has_one_chunk = word == "static" && !clause->expression;
    if (clause->expression) {
      schedule.chunk =
          "(unsigned long long)(" + translation.render_span(*clause->expression, context) + ")";
    }
  }
  if (const Clause* clause = directive.find(ClauseKind::Ordered)) {
    if (clause->expression) {
      throw Refusal{clause->at, "'ordered' with an argument is not supported by bobbin translate"};
    }
    schedule.kind += " | bobbin_omp_ordered";
    schedule.has_one_chunk = false;
  }
  return schedule;
}

}  // namespace

std::string lower_for(Translation& translation, const Construct& construct,
                      const Context& context) {
  Iterations iterations(translation, construct, context);
  Privates privates(translation, construct, context);
  for (const Loop& loop : iterations.loops()) privates.add_loop_variable(*loop.variable);
  const Schedule schedule = schedule_of(translation, construct.directive, context);
  const bool is_cancelled = has_cancel(translation, construct, Leaf::CancelFor);
  const Names& names = translation.names;
  const std::string first = names.free("first");
  const std::string last = names.free("last");
  const std::string is_last = names.free("is_last");
  CancelTarget end{translation.names.unique(names.free("end_of_for"))};
  privates.context().loop = &end;

  const std::string body =
      translation.statement(iterations.loops().back().body, privates.context());
  std::string finish;
  for (const Variable* variable : privates.lastprivates()) finish += iterations.finish(*variable);
  const bool has_last = !privates.lastprivates().empty();

  std::string text = "{\n" + privates.originals() + iterations.constants() + "{\n" +
                     privates.declarations() + "unsigned long long " + first + ", " + last + ";\n" +
                     (has_last ? "int " + is_last + " = 0;\n" : "") +
                     translation.marker(construct.directive);
  std::string chunk = iterations.execute(first, last, body);
  if (has_last) {
    chunk = "{\n" + chunk + is_last + " = " + first + " < " + last + " && " + last +
            " == " + iterations.count() + ";\n}\n";
  }
  if (schedule.has_one_chunk) {
    text += "bobbin_omp_static_begin(" + iterations.count() + ", &" + first + ", &" + last +
            ");\n" + chunk + end.place() + "bobbin_omp_static_end();\n";
  } else {
    text += "if (bobbin_omp_loop_begin(" + iterations.count() + ", " + schedule.kind + ", " +
            schedule.chunk + ", &" + first + ", &" + last + "))\ndo " + chunk +
            "while (bobbin_omp_loop_next(&" + first + ", &" + last + "));\n" + end.place() +
            "bobbin_omp_loop_end();\n";
  }
  if (has_last) text += "if (" + is_last + ") {\n" + finish + privates.assign_last() + "}\n";
  return text + privates.combine_reductions() + "}\n" +
         barrier_after(construct, context, is_cancelled) + "}";
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
  const bool has_last = !privates.lastprivates().empty();

  std::string cases;
  for (size_t i = 0; i < sections.size(); ++i) {
    cases += "case " + std::to_string(i + 1) + ": {" +
             translation.statement(sections[i], privates.context());
    if (has_last && i + 1 == sections.size()) cases += is_last + " = 1;\n";
    cases += "} break;\n";
  }
  return "{\n" + privates.originals() + "{\n" + privates.declarations() +
         (has_last ? "int " + is_last + " = 0;\n" : "") + translation.marker(construct.directive) +
         "for (unsigned " + section + " = bobbin_omp_sections_begin(" +
         std::to_string(sections.size()) + "); " + section + " != 0; " + section +
         " = bobbin_omp_sections_next())\nswitch (" + section + ") {\n" + cases + "}\n" +
         end.place() + "bobbin_omp_loop_end();\n" + assign_last(privates, is_last) +
         privates.combine_reductions() + "}\n" + barrier_after(construct, context, is_cancelled) +
         "}";
}

}  // namespace bobbin::translate
