// SPDX-License-Identifier: Apache-2.0
// The body of a loop with a scan has an input phase and a scan phase.
//
// The threads of a team execute the loop in two passes. Each thread has one chunk of consecutive
// iterations. In the first pass it executes the input phases and keeps, for each iteration, what it
// has accumulated so far. Then the threads tell each other what they have accumulated in all. In
// the second pass each one executes the scan phases, with the sum of all earlier chunks and the
// value that it kept.
//
// One thread alone executes both phases of an iteration before the next one.
#include "lower/data/scan.h"

#include <algorithm>
#include <utility>

#include "lower/data/reduction.h"

namespace bobbin::translate {
namespace {

class Scan {
 public:
  Scan(Translation& translation, const Construct& construct, Iterations& iterations,
       const Context& context, const LinearVariables& linears)
      : translation_(translation),
        construct_(construct),
        iterations_(iterations),
        context_(context),
        linears_(linears),
        items_(inscan_items(translation, construct.directive, context)),
        type_("struct " + translation.names.free("scan_values")) {
    for (const ReductionItem& item : items_) {
      if (item.is_section()) {
        translation.refuse(construct.directive,
                           "'" + item.variable().name +
                               "' in 'reduction(inscan, ...)': an array section or an array of "
                               "variable length is not supported by bobbin translate");
      }
    }
    refuse_linear();
    divide();
  }

  // By all threads of the team.
  std::string lower() {
    refuse_shared_last_values();
    const std::string first = name("first");
    const std::string last = name("last");
    const std::string thread = name("thread");
    const std::string threads = name("threads");
    const std::string totals = name("totals");
    std::string initial;
    std::string before;
    std::string all;
    std::string result;
    for (const ReductionItem& item : items_) {
      const std::string& variable = item.variable().name;
      initial += "{\n" + item.declare("") + assign(item, at("running.", item), variable) + "}\n";
      before += assign(item, at("before.", item), "*" + item.original());
      all += combine(item, at("before.", item), of_other_thread(totals, variable));
      result += combine(item, at("before.", item), at("total.", item)) +
                assign(item, "*" + item.original(), at("before.", item));
    }
    return structure() + type_ + " " + name("running") + ", " + name("before") + ";\n" + initial +
           "bobbin_omp_static_begin(" + iterations_.count() + ", &" + first + ", &" + last +
           ");\n" + type_ + " *const " + name("values") + " = bobbin_omp_scan_memory(" + last +
           " - " + first + ", sizeof(" + type_ + ")), *" + name("value") + " = " + name("values") +
           ";\n" + pass(first, last, input()) +
           // The loop's own sum has no address that others know, so it can be in a register.
           type_ + " " + name("total") + " = " + name("running") + ";\nunsigned " + thread + ", " +
           threads + ";\nvoid *const *const " + totals + " = " + exchange("&" + name("total")) +
           before + "for (unsigned " + name("other") + " = 0; " + name("other") + " < " + thread +
           "; ++" + name("other") + ") {\n" + all + "}\n" + name("value") + " = " + name("values") +
           ";\n" + pass(first, last, scan()) + "bobbin_omp_exchange_end();\n" + end_pass() +
           "if (" + first + " < " + last + " && " + last + " == " + iterations_.count() + ") {\n" +
           result + "}\n";
  }

  // By one thread.
  std::string lower_serially(const std::string& first, const std::string& last) {
    std::string initial;
    std::string accumulate;
    std::string use;
    std::string result;
    for (const ReductionItem& item : items_) {
      initial += assign(item, at("running.", item), "*" + item.original());
      accumulate += combine_running(item);
      use += declare_with(item, at("running.", item)) + "(void)" + item.variable().name + ";\n";
      result += assign(item, "*" + item.original(), at("running.", item));
    }
    const std::string input =
        "{\n" + declare_copies() + translation_.statement(input_, context_) + accumulate + "}\n";
    const std::string scan = "{\n" + use + translation_.statement(scan_, context_) + "}\n";
    return structure() + type_ + " " + name("running") + ";\n" + initial +
           pass(first, last, "{\n" + (is_inclusive_ ? input + scan : scan + input) + "}\n") +
           result;
  }

 private:
  std::string name(const char* wanted) const { return translation_.names.free(wanted); }
  // prefix: `total.` or `value->`
  std::string at(const std::string& prefix, const ReductionItem& item) const {
    const size_t end = prefix.find_first_of(".-");
    return name(prefix.substr(0, end).c_str()) + prefix.substr(end) + item.variable().name;
  }
  std::string declare(const ReductionItem& item, const std::string& declarator) const {
    return translation_.types.declare(item.variable(), declarator, Types::Const::Drop);
  }
  std::string assign(const ReductionItem& item, const std::string& to,
                     const std::string& from) const {
    if (!translation_.types.is_array(item.variable().type)) return to + " = " + from + ";\n";
    return "__builtin_memcpy(" + to + ", " + from + ", sizeof(" + to + "));\n";
  }
  // The copy under the variable's name, with that value.
  std::string declare_with(const ReductionItem& item, const std::string& value) const {
    const std::string& variable = item.variable().name;
    if (!translation_.types.is_array(item.variable().type)) {
      return declare(item, variable) + " = " + value + ";\n";
    }
    return declare(item, variable) + ";\n" + assign(item, variable, value);
  }
  // The same with the operator's initial value.
  std::string declare_copies() const {
    std::string text;
    for (const ReductionItem& item : items_) text += item.declare("");
    return text;
  }
  // What has been accumulated.
  std::string structure() const {
    std::string members;
    for (const ReductionItem& item : items_) {
      members += declare(item, item.variable().name) + ";\n";
    }
    return type_ + " {\n" + members + "};\n";
  }

  std::string of_other_thread(const std::string& totals, const std::string& variable) const {
    return "((const " + type_ + " *)" + totals + "[" + name("other") + "])->" + variable;
  }

  // The threads of a cancelled region do not wait for each other.
  std::string exchange(const std::string& own) const {
    const std::string call =
        "exchange_begin(" + own + ", &" + name("thread") + ", &" + name("threads") + ");\n";
    if (context_.parallel == nullptr) return "bobbin_omp_" + call;
    return "bobbin_omp_cancellable_" + call + "if (" + name("totals") + " == 0) {\n" + end_pass() +
           context_.parallel->jump() + "\n}\n";
  }
  std::string end_pass() const {
    return "bobbin_omp_scan_memory_free(" + name("values") + ");\nbobbin_omp_static_end();\n";
  }

  std::string pass(const std::string& first, const std::string& last,
                   const std::string& body) const {
    if (linears_.empty()) return iterations_.execute(first, last, body, context_);
    const std::string number = linears_.needs_number() ? iterations_.number() : "";
    return "{\n" + linears_.start(first) +
           iterations_.execute(first, last, "{\n" + linears_.assign(number) + body + "}\n",
                               context_, linears_.step()) +
           "}\n";
  }

  // Section 7.5.6.
  void refuse_linear() const {
    if (const Clause* clause = construct_.directive.find(ClauseKind::Linear)) {
      throw Refusal{clause->at,
                    "OpenMP permits only the loops' variables in 'linear' together with "
                    "'reduction(inscan, ...)'"};
    }
  }

  bool is_named(const Variable& variable, Extent extent) const {
    const std::vector<const Reference*> references = translation_.references_in(extent);
    return std::any_of(references.begin(), references.end(),
                       [&](const Reference* one) { return one->variable == &variable; });
  }
  bool is_of_loop(const Variable& variable) const {
    return std::any_of(iterations_.loops().begin(), iterations_.loops().end(),
                       [&](const CanonicalLoop& loop) { return &loop.variable() == &variable; });
  }
  // After the two passes it is not known which phase has assigned such a variable last.
  void refuse_shared_last_values() const {
    for (const Clause& clause : construct_.directive.clauses) {
      if (clause.kind() != ClauseKind::Lastprivate) continue;
      for (const Item& item : clause.items) {
        const Variable& variable = translation_.variable_of(item);
        if (is_of_loop(variable) || !is_named(variable, input_) || !is_named(variable, scan_)) {
          continue;
        }
        throw Refusal{item.base.begin,
                      "'" + variable.name +
                          "' is lastprivate and used on both sides of 'scan', which is not "
                          "supported by bobbin translate"};
      }
    }
  }

  // The two parts of the innermost loop's body.
  void divide() {
    const Directive& directive = construct_.directive;
    const std::vector<Loop>& loops = construct_.site->loops;
    if (loops.size() < directive.collapse) {
      translation_.refuse(directive, "'scan' in generated loops is not supported");
    }
    const Extent body = loops[directive.collapse - 1].body;
    const Directive* found = nullptr;
    size_t inner_end = 0;
    for (const size_t number : translation_.directives_in(body)) {
      const Directive& one = translation_.directives[number];
      if (one.probe_begin < inner_end) continue;  // of a construct in the loop
      inner_end = translation_.extent_of(number).end;
      if (one.row->leaves.front() == Leaf::Scan) found = &one;
    }
    if (found == nullptr || translation_.probe.text()[body.begin] != '{') {
      translation_.refuse(directive,
                          "'reduction(inscan, ...)' needs a 'scan' directive in the loop");
    }
    is_inclusive_ = found->has(ClauseKind::Inclusive);
    input_ = {body.begin + 1, found->probe_begin};
    scan_ = {found->probe_end, body.end - 1};
    // What an exclusive scan gives does not depend on the same iteration, so it comes first.
    if (!is_inclusive_) std::swap(input_, scan_);
  }

  // out = out OPERATOR in: the item's text has its own names for them.
  std::string combine(const ReductionItem& item, const std::string& out,
                      const std::string& in) const {
    return "{\n__typeof__(" + out + ") *const " + item.original() + " = &" + out + ";\n" +
           declare_with(item, in) + item.combine() + "}\n";
  }

  // The value of the phase is added to what has been accumulated.
  std::string combine_running(const ReductionItem& item) const {
    return "{\n__typeof__(" + at("running.", item) + ") *const " + item.original() + " = &" +
           at("running.", item) + ";\n" + item.combine() + "}\n";
  }

  std::string input() const {
    std::string keep;
    std::string accumulate;
    for (const ReductionItem& item : items_) {
      keep += assign(item, at("value->", item), at("running.", item));
      accumulate += combine_running(item);
    }
    return "{\n" + declare_copies() + translation_.statement(input_, context_) +
           (is_inclusive_ ? accumulate + keep : keep + accumulate) + "++" + name("value") +
           ";\n}\n";
  }

  std::string scan() const {
    std::string text = "{\n";
    for (const ReductionItem& item : items_) {
      text += declare_with(item, at("before.", item)) +
              combine(item, item.variable().name, at("value->", item));
    }
    return text + "++" + name("value") + ";\n" + translation_.statement(scan_, context_) + "}\n";
  }

  Translation& translation_;
  const Construct& construct_;
  Iterations& iterations_;
  const Context& context_;
  const LinearVariables& linears_;
  std::vector<ReductionItem> items_;
  std::string type_;
  Extent input_;
  Extent scan_;
  bool is_inclusive_ = true;
};

}  // namespace

std::string lower_scan(Translation& translation, const Construct& construct, Iterations& iterations,
                       const Context& context, const LinearVariables& linears) {
  return Scan(translation, construct, iterations, context, linears).lower();
}

std::string lower_serial_scan(Translation& translation, const Construct& construct,
                              Iterations& iterations, const Context& context,
                              const LinearVariables& linears, const std::string& first,
                              const std::string& last) {
  return Scan(translation, construct, iterations, context, linears).lower_serially(first, last);
}

}  // namespace bobbin::translate
