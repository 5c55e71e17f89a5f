// SPDX-License-Identifier: Apache-2.0
#include "sema/probe.h"

#include <algorithm>
#include <iterator>

namespace bobbin::translate {

Probe::Probe(const Source& source, std::vector<Directive>& directives) : source_(source) {
  // On a line of its own, so that no line number changes.
  text_ = "int " + std::string(kProbeName) + "(int, ...);\n# 1 \"<stdin>\"\n";
  copies_.push_back({0, 0});
  size_t at = 0;
  for (size_t number = 0; number < directives.size(); ++number) {
    copy(at, directives[number].begin);
    add(directives[number], number);
    at = directives[number].end;
  }
  copy(at, source.text().size());
}

void Probe::copy(size_t begin, size_t end) {
  copies_.push_back({text_.size(), begin});
  text_.append(source_.text(), begin, end - begin);
}

void Probe::copy(Span& span) {
  span.probe_begin = text_.size();
  copy(span.begin, span.end);
  span.probe_end = text_.size();
}

size_t Probe::to_source(size_t offset) const {
  const auto after = std::upper_bound(copies_.begin(), copies_.end(), offset,
                                      [](size_t at, const Copy& one) { return at < one.probe; });
  const Copy& copy = *std::prev(after);
  size_t place = copy.source + (offset - copy.probe);
  // Something that was added belongs to what is copied next.
  if (after != copies_.end()) place = std::min(place, after->source);
  return place;
}

void Probe::add_item(Item& item) {
  text_ += ", ((void)(";
  copy(item.base);
  text_ += "), 0)";
  for (Item::Section& section : item.sections) {
    for (std::optional<Span>* part : {&section.lower, &section.length}) {
      if (!*part) continue;
      text_ += ", (";
      copy(**part);
      text_ += ")";
    }
  }
}

// The items are parsed where the iterators are declared.
void Probe::add_iterators(Clause& clause) {
  text_ += ", ({ ";
  for (Iterator& one : clause.iterators) {
    text_ += one.type + " " + one.name + " = (";
    copy(one.begin);
    text_ += "); (void)(";
    copy(one.end);
    text_ += "); ";
    if (!one.step) continue;
    text_ += "(void)(";
    copy(*one.step);
    text_ += "); ";
  }
  text_ += "0";
}

void Probe::add_arguments(Directive& directive) {
  for (Item& item : directive.items) add_item(item);
  for (Clause& clause : directive.clauses) {
    if (!clause.iterators.empty()) add_iterators(clause);
    for (Item& item : clause.items) {
      // Operands that Clang does not have are no expressions.
      const std::string_view text =
          std::string_view(source_.text()).substr(item.base.begin, item.base.end - item.base.begin);
      if (clause.kind() == ClauseKind::Depend && text == "omp_all_memory") continue;
      if (clause.kind() == ClauseKind::Counts && text == "omp_fill") continue;
      if (clause.kind() == ClauseKind::TaskSchedule && !clause.modifiers.empty() &&
          clause.modifiers.front() == "hint") {
        continue;
      }
      add_item(item);
    }
    if (!clause.iterators.empty()) text_ += "; 0; })";
    for (std::optional<Span>* one : {&clause.expression, &clause.second}) {
      if (!*one) continue;
      text_ += ", (";
      copy(**one);
      text_ += ")";
    }
  }
}

// Of declare reduction and declare induction. The expressions are read as text
// (lower/data/declarations.cpp).
void Probe::add_types(Directive& directive, size_t number) {
  for (size_t i = 0; i < directive.types.size(); ++i) {
    text_ += " extern __typeof__(";
    copy(directive.types[i]);
    text_ += ") " + std::string(kProbeName) + "_" + std::to_string(number) + "_" +
             std::to_string(i) + ";";
  }
}

void Probe::add(Directive& directive, size_t number) {
  directive.probe_begin = text_.size();
  copies_.push_back({text_.size(), directive.begin});
  if (!directive.types.empty()) {
    add_types(directive, number);
  } else if (directive.row->association == Association::Declaration) {
    for (size_t i = 0; i < directive.items.size(); ++i) {
      text_ += " extern __typeof__(";
      copy(directive.items[i].base);
      text_ += ") *" + std::string(kProbeName) + "_" + std::to_string(number) + "_" +
               std::to_string(i) + ";";
    }
  } else {
    const bool alone = directive.row->association == Association::Alone;
    text_ += alone ? "" : "while (";
    text_ += std::string(kProbeName) + "(" + std::to_string(number);
    add_arguments(directive);
    text_ += alone ? ");" : ") ";
    if (!alone) text_ += ")";
  }
  directive.probe_end = text_.size();
}

}  // namespace bobbin::translate
