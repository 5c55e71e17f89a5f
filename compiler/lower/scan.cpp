// SPDX-License-Identifier: Apache-2.0
// Scans in two passes. Each thread has one chunk of consecutive iterations. In the first pass it
// executes the input phases and keeps, for each iteration, what it has accumulated so far. Then the
// threads tell each other what they have accumulated in all. In the second pass each one executes
// the scan phases, with the sum of all earlier chunks and the value that it kept.
#include "lower/scan.h"

#include <utility>

#include "lower/reduction.h"

namespace bobbin::translate {
namespace {

class Scan {
 public:
  Scan(Translation& translation, const Construct& construct, Iterations& iterations,
       const Context& context)
      : translation_(translation),
        construct_(construct),
        iterations_(iterations),
        context_(context),
        items_(inscan_items(translation, construct.directive, context)),
        type_("struct " + translation.names.free("scan_values")) {
    // The threads of a cancelled region do not wait for each other.
    if (context.parallel != nullptr) {
      translation.refuse(construct.directive,
                         "'reduction(inscan, ...)' in a region with 'cancel parallel' is not "
                         "supported by bobbin translate");
    }
    for (const ReductionItem& item : items_) {
      if (item.is_section() || translation.types.is_array(item.variable().type)) {
        translation.refuse(construct.directive, "the array '" + item.variable().name +
                                                    "' in 'reduction(inscan, ...)' is not "
                                                    "supported by bobbin translate");
      }
    }
    divide();
  }

  std::string lower() {
    const std::string first = name("first");
    const std::string last = name("last");
    const std::string thread = name("thread");
    const std::string threads = name("threads");
    const std::string totals = name("totals");
    std::string members;
    std::string initial;
    std::string before;
    std::string all;
    std::string result;
    for (const ReductionItem& item : items_) {
      const std::string& variable = item.variable().name;
      members += declare(item, variable) + ";\n";
      initial += "{\n" + item.declare("") + at("running.", item) + " = " + variable + ";\n}\n";
      before += at("before.", item) + " = *" + item.original() + ";\n";
      all += combine(item, at("before.", item), of_other_thread(totals, variable));
      result += combine(item, at("before.", item), at("total.", item)) + "*" + item.original() +
                " = " + at("before.", item) + ";\n";
    }
    return type_ + " {\n" + members + "};\n" + type_ + " " + name("running") + ", " +
           name("before") + ";\n" + initial + "bobbin_omp_static_begin(" + iterations_.count() +
           ", &" + first + ", &" + last + ");\n" + type_ + " *const " + name("values") +
           " = bobbin_omp_scan_memory(" + last + " - " + first + ", sizeof(" + type_ + ")), *" +
           name("value") + " = " + name("values") + ";\n" +
           iterations_.execute(first, last, input(), context_) +
           // The loop's own sum has no address that others know, so it can be in a register.
           type_ + " " + name("total") + " = " + name("running") + ";\nunsigned " + thread + ", " +
           threads + ";\nvoid *const *const " + totals + " = bobbin_omp_exchange_begin(&" +
           name("total") + ", &" + thread + ", &" + threads + ");\n" + before + "for (unsigned " +
           name("other") + " = 0; " + name("other") + " < " + thread + "; ++" + name("other") +
           ") {\n" + all + "}\n" + name("value") + " = " + name("values") + ";\n" +
           iterations_.execute(first, last, scan(), context_) + "bobbin_omp_exchange_end();\n" +
           "bobbin_omp_scan_memory_free(" + name("values") + ");\nbobbin_omp_static_end();\nif (" +
           first + " < " + last + " && " + last + " == " + iterations_.count() + ") {\n" + result +
           "}\n";
  }

 private:
  std::string name(const char* wanted) const { return translation_.names.free(wanted); }
  // prefix: `total.` or `value->`
  std::string at(const std::string& prefix, const ReductionItem& item) const {
    const size_t end = prefix.find_first_of(".-");
    return name(prefix.substr(0, end).c_str()) + prefix.substr(end) + item.variable().name;
  }
  std::string declare(const ReductionItem& item, const std::string& declarator) const {
    return translation_.types.declare(item.variable().type, declarator, Types::Const::Drop);
  }

  std::string of_other_thread(const std::string& totals, const std::string& variable) const {
    return "((const " + type_ + " *)" + totals + "[" + name("other") + "])->" + variable;
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
           declare(item, item.variable().name) + " = " + in + ";\n" + item.combine() + "}\n";
  }

  std::string input() const {
    std::string text = "{\n";
    std::string keep;
    std::string accumulate;
    for (const ReductionItem& item : items_) {
      text += item.declare("");
      keep += at("value->", item) + " = " + at("running.", item) + ";\n";
      accumulate += "{\n__typeof__(" + at("running.", item) + ") *const " + item.original() +
                    " = &" + at("running.", item) + ";\n" + item.combine() + "}\n";
    }
    return text + translation_.statement(input_, context_) +
           (is_inclusive_ ? accumulate + keep : keep + accumulate) + "++" + name("value") +
           ";\n}\n";
  }

  std::string scan() const {
    std::string text = "{\n";
    for (const ReductionItem& item : items_) {
      const std::string& variable = item.variable().name;
      text += declare(item, variable) + " = " + at("before.", item) + ";\n" +
              combine(item, variable, at("value->", item));
    }
    return text + "++" + name("value") + ";\n" + translation_.statement(scan_, context_) + "}\n";
  }

  Translation& translation_;
  const Construct& construct_;
  Iterations& iterations_;
  const Context& context_;
  std::vector<ReductionItem> items_;
  std::string type_;
  Extent input_;
  Extent scan_;
  bool is_inclusive_ = true;
};

}  // namespace

std::string lower_scan(Translation& translation, const Construct& construct, Iterations& iterations,
                       const Context& context) {
  return Scan(translation, construct, iterations, context).lower();
}

}  // namespace bobbin::translate
