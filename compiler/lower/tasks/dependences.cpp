// SPDX-License-Identifier: Apache-2.0
// depend clauses, and depobj.
#include "lower/tasks/dependences.h"

#include <vector>

#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

std::string kind_of(const Clause& clause, const std::string& kind) {
  if (kind == "in") return "bobbin_omp_in";
  for (const char* one : {"out", "inout", "mutexinoutset", "inoutset"}) {
    if (kind == one) return "bobbin_omp_" + kind;
  }
  throw Refusal{clause.at, "'depend(" + kind + "...)' is not supported by bobbin translate"};
}

std::string address_of(Translation& translation, const Item& item, const Context& context) {
  if (item.base.probe_begin == item.base.probe_end) return "(void *)0";  // omp_all_memory
  const Variable* variable = translation.variable_at(item.base);
  if (variable != nullptr && item.sections.empty()) return context.address_of(*variable);
  std::string address = variable != nullptr
                            ? "&" + context.text_of(*variable)
                            : "&(" + translation.render_span(item.base, context) + ")";
  for (const Item::Section& section : item.sections) {
    address += "[" + (section.lower ? translation.render_span(*section.lower, context) : "0") + "]";
  }
  return address;
}

// An initializer, or a call that returns the structure.
struct Element {
  std::string text;
  bool is_call = false;

  std::string value() const { return (is_call ? "" : "(struct bobbin_omp_dependence)") + text; }
};

std::vector<Element> elements_of(Translation& translation, const Clause& clause,
                                 const Context& context) {
  const std::string kind = clause.modifiers.empty() ? "" : clause.modifiers.back();
  std::vector<Element> found;
  for (const Item& item : clause.items) {
    const std::string address = address_of(translation, item, context);
    if (kind == "depobj") {
      found.push_back({"bobbin_omp_depobj_get(" + address + ")", true});
    } else {
      found.push_back({"{" + address + ", " + kind_of(clause, kind) + "}"});
    }
  }
  return found;
}

// The values of a clause's iterators (section 3.2.6) as nested loops. The clauses of a directive
// may have iterators of the same name, so `suffix` tells their constants apart.
class IteratorLoops {
 public:
  IteratorLoops(Translation& translation, const Clause& clause, const Context& context,
                const std::string& suffix) {
    for (const Iterator& one : clause.iterators) add(translation, one, context, suffix);
  }

  const std::string& constants() const { return constants_; }
  const std::string& count() const { return count_; }
  std::string around(const std::string& body) const { return loops_ + body + ends_; }

 private:
  void add(Translation& translation, const Iterator& iterator, const Context& context,
           const std::string& suffix) {
    const auto name = [&](const char* what) {
      return translation.names.free(iterator.name + "_" + what + suffix);
    };
    const std::string begin = name("begin");
    const std::string end = name("end");
    const std::string count = name("count");
    const std::string at = name("at");
    constants_ += iterator.type + " " + begin + " = " +
                  translation.render_span(iterator.begin, context) + ";\n" + iterator.type + " " +
                  end + " = " + translation.render_span(iterator.end, context) + ";\n";
    std::string number = begin + " < " + end + " ? (unsigned long)(" + end + " - " + begin + ")";
    std::string offset = at;
    if (iterator.step) {
      const std::string step = name("step");
      constants_ += "const long long " + step + " = " +
                    translation.render_span(*iterator.step, context) + ";\n";
      const std::string size = "(unsigned long)" + step;
      number = step + " < 0 ? (" + begin + " > " + end + " ? ((unsigned long)(" + begin + " - " +
               end + ") - 1) / -" + size + " + 1 : 0) : " + begin + " < " + end +
               " ? ((unsigned long)(" + end + " - " + begin + ") - 1) / " + size + " + 1";
      offset = "(long long)" + at + " * " + step;
    }
    constants_ += "const unsigned long " + count + " = " + number + " : 0;\n";
    count_ += (count_.empty() ? "" : " * ") + count;
    loops_ += "for (unsigned long " + at + " = 0; " + at + " < " + count + "; ++" + at + ") {\n" +
              iterator.type + " " + iterator.name + " = (" + iterator.type + ")(" + begin + " + " +
              offset + ");\n(void)" + iterator.name + ";\n";
    ends_ += "}\n";
  }

  std::string constants_;
  std::string count_;
  std::string loops_;
  std::string ends_;
};

bool has_iterators(const Directive& directive) {
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() == ClauseKind::Depend && !clause.iterators.empty()) return true;
  }
  return false;
}

// For each clause: visit(clause, its iterators' loops, the statements in these loops). add(value):
// the statement for one dependence.
template <class Add, class Visit>
void each_clause(Translation& translation, const Directive& directive, const Context& context,
                 Add&& add, Visit&& visit) {
  size_t clauses = 0;
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Depend) continue;
    const std::string suffix = clauses++ == 0 ? "" : "_" + std::to_string(clauses);
    const IteratorLoops loops(translation, clause, context, suffix);
    std::string body;
    for (const Element& one : elements_of(translation, clause, context)) {
      body.append(add(one.value()));
    }
    visit(clause, loops, loops.around(body));
  }
}

// An array that is filled in when the program runs. It has one element too many, so that it is not
// empty.
Dependences counted_dependences(Translation& translation, const Directive& directive,
                                const Context& context, const std::string& name) {
  const std::string number = translation.names.free("dependence");
  const std::string next = name + "[" + number + "++] = ";
  std::string constants;
  std::string size = "1";
  std::string fill;
  each_clause(
      translation, directive, context,
      [&](const std::string& value) { return next + value + ";\n"; },
      [&](const Clause& clause, const IteratorLoops& loops, const std::string& statements) {
        const std::string items = std::to_string(clause.items.size());
        size += " + " + (clause.iterators.empty() ? items : loops.count() + " * " + items);
        constants += loops.constants();
        fill += statements;
      });
  return {constants + "struct bobbin_omp_dependence " + name + "[" + size + "];\nunsigned long " +
              number + " = 0;\n" + fill,
          number};
}

}  // namespace

Dependences dependences_of(Translation& translation, const Directive& directive,
                           const Context& context, const std::string& name) {
  if (has_iterators(directive)) return counted_dependences(translation, directive, context, name);
  std::string elements;
  size_t number = 0;
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Depend) continue;
    for (const Element& one : elements_of(translation, clause, context)) {
      elements += (number++ == 0 ? "" : ", ") + one.text;
    }
  }
  if (number == 0) return {};
  return {"  const struct bobbin_omp_dependence " + name + "[] = {" + elements + "};\n",
          std::to_string(number)};
}

std::string add_dependences(Translation& translation, const Directive& directive,
                            const Context& context, const std::string& list) {
  std::string text;
  each_clause(
      translation, directive, context,
      [&](const std::string& value) {
        return "bobbin_omp_add_dependence(&" + list + ", " + value + ");\n";
      },
      [&](const Clause&, const IteratorLoops& loops, const std::string& statements) {
        text += loops.constants() + statements;
      });
  return text;
}

std::string wait_for_dependences(Translation& translation, const Directive& directive,
                                 const Context& context, const std::string& nowait) {
  const std::string depend = translation.names.free("dependences");
  const Dependences dependences = dependences_of(translation, directive, context, depend);
  if (dependences.declaration.empty()) return "";
  return dependences.declaration + translation.marker(directive) + "bobbin_omp_taskwait_depend(" +
         depend + ", " + dependences.number + ", " + nowait + ");\n";
}

std::string lower_depobj(Translation& translation, const Construct& construct,
                         const Context& context) {
  const Directive& directive = construct.directive;
  const std::string object =
      "&(" + translation.render_span(directive.items.front().base, context) + ")";
  if (directive.clauses.size() != 1) {
    translation.refuse(directive, "'depobj' takes one clause: depend, update or destroy");
  }
  const Clause& clause = directive.clauses.front();
  if (clause.kind() == ClauseKind::Update) {
    return "bobbin_omp_depobj_update(" + object + ", " + kind_of(clause, clause.word) + ");";
  }
  if (clause.kind() == ClauseKind::Destroy) return "bobbin_omp_depobj_destroy(" + object + ");";
  const std::string depend = translation.names.free("dependences");
  const Dependences dependences = dependences_of(translation, directive, context, depend);
  if (dependences.number != "1") {
    throw Refusal{clause.at, "'depobj' is made of one dependence"};
  }
  return "{\n" + dependences.declaration + translation.marker(directive) +
         "bobbin_omp_depobj_set(" + object + ", " + depend + ");\n}";
}

}  // namespace bobbin::translate
