// SPDX-License-Identifier: Apache-2.0
// Calls of functions that have variants, and the dispatch construct.
#include "lower/variant_calls.h"

#include <optional>
#include <set>

#include "choose/around.h"
#include "lower/constructs.h"
#include "lower/dependences.h"
#include "print/layout.h"

namespace bobbin::translate {
namespace {

struct NamedCall {
  Extent name;
  std::string function;
};

std::optional<NamedCall> call_at(const Translation& translation, const Call& call) {
  const std::string& text = translation.probe.text();
  size_t end = call.begin;
  while (end < text.size() && (is_identifier_start(text[end]) || isdigit(text[end]) != 0)) ++end;
  const size_t next = text.find_first_not_of(" \t\n", end);
  if (next == std::string::npos || text[next] != '(') return std::nullopt;
  std::string name = text.substr(call.begin, end - call.begin);
  if (!translation.variants.has(name)) return std::nullopt;
  return NamedCall{{call.begin, end}, std::move(name)};
}

// Does the statement consist of the call, or of an assignment of its value?
bool is_whole(const Translation& translation, Extent statement, const Call& call) {
  const std::string_view text = translation.probe.text();
  size_t depth = 0;
  for (const Token& one : tokenize(text, statement.begin, call.begin, HashLines::Ignore)) {
    const std::string_view word = one.in(text);
    if (word == "(" || word == "[") ++depth;
    if (word == ")" || word == "]") --depth;
  }
  return depth == 0;
}

// The constructs around, as selectors name them. A dispatch construct is around its call only.
std::vector<std::string> constructs_at(const Translation& translation, size_t offset) {
  std::vector<std::string> found;
  for (size_t i = 0; i < translation.directives.size(); ++i) {
    const Site* site = translation.site_of(i);
    if (site == nullptr || offset < site->statement.begin || offset >= site->statement.end)
      continue;
    const DirectiveRow& row = *translation.directives[i].row;
    if (row.leaves.front() == Leaf::Dispatch) continue;
    for (std::string& one : constructs_of(row)) found.push_back(std::move(one));
  }
  return found;
}

// Names that mean something else in a part of some function.
std::set<std::string> local_names(const Program& program) {
  std::set<std::string> found;
  for (const Variable& variable : program.variables) {
    if (!variable.is_global) found.insert(variable.name);
  }
  for (const LocalType& type : program.local_types) {
    found.insert(type.name);
    for (const LocalType::Enumerator& one : type.enumerators) found.insert(one.name);
  }
  return found;
}

// In front of the directives that belong to the same declaration, where the file's names are meant.
size_t place_before(const Translation& translation, size_t directive) {
  const std::vector<Directive>& all = translation.directives;
  while (directive > 0 && all[directive - 1].row->association == Association::Declaration &&
         is_blank(translation.probe.text(), all[directive - 1].probe_end,
                  all[directive].probe_begin)) {
    --directive;
  }
  return all[directive].probe_begin - 1;
}

// Conditions become constants of the file, and variants that a function's own names hide get
// another name.
void declare_for_all_scopes(Translation& translation) {
  const std::set<std::string> hiding = local_names(translation.program);
  for (Variant& one : translation.variants.all) {
    const Directive& directive = translation.directives[one.directive];
    const Context context{.texts = {}, .shared = {}, .function = one.of};
    std::string text;
    if (!one.condition.empty()) {
      const std::string name = translation.name_for(directive, context, "condition");
      text += "enum { " + name + " = " + one.condition + " ? 1 : 0 };\n";
      one.condition = name;
    }
    if (hiding.contains(one.name)) {
      const std::string name = translation.name_for(directive, context, "variant");
      text += "static __typeof__(" + one.name + ") *const " + name +
              " __attribute__((unused)) = " + one.name + ";\n";
      one.name = name;
    }
    if (text.empty()) continue;
    const size_t place = place_before(translation, one.directive);
    Translation::Edit& edit = translation.edits[place];
    edit.end = place;
    edit.text += kGenerated + translation.marker(directive) + text + kUsers;
  }
}

}  // namespace

void find_variants(Translation& translation, const std::vector<std::string>& features,
                   Diagnostics& diagnostics) {
  try {
    translation.variants = Variants(translation.source, translation.directives, features);
  } catch (const Refusal& refusal) {
    return diagnostics.error(refusal);
  }
  if (translation.variants.all.empty()) return;
  declare_for_all_scopes(translation);
  for (const Call& call : translation.program.calls) {
    const auto found = call_at(translation, call);
    if (!found) continue;
    const std::string chosen =
        translation.variants.choose(found->function, constructs_at(translation, found->name.begin));
    if (chosen != found->function) {
      translation.edits[found->name.begin] = {found->name.end, chosen};
    }
  }
}

std::string lower_dispatch(Translation& translation, const Construct& construct,
                           const Context& context) {
  const Directive& directive = construct.directive;
  const Extent extent = construct.site->statement;
  // Calls in its arguments are no part of the region.
  for (const Call& call : translation.program.calls) {
    if (call.begin < extent.begin || call.begin >= extent.end) continue;
    if (!is_whole(translation, extent, call)) continue;
    const auto found = call_at(translation, call);
    if (!found) continue;
    std::vector<std::string> constructs = constructs_at(translation, call.begin);
    const std::string without = translation.variants.choose(found->function, constructs);
    constructs.emplace_back("dispatch");
    std::string chosen = translation.variants.choose(found->function, constructs);
    const auto unless = [&](ClauseKind kind, const std::string& other) {
      const Clause* clause = directive.find(kind);
      if (clause == nullptr) return;
      const std::string condition = "((" + translation.expression_of(*clause, context) + ") ? ";
      chosen.insert(0, condition + other + " : ").append(")");
    };
    unless(ClauseKind::Nocontext, without);
    unless(ClauseKind::Novariants, found->function);
    translation.edits[found->name.begin] = {found->name.end, chosen};
    break;
  }
  const Clause* device = directive.find(ClauseKind::Device);
  const std::string number =
      device != nullptr ? "(void)(" + translation.expression_of(*device, context) + ");\n" : "";
  // nowait permits, and does not demand, that the encountering thread goes on.
  return "{\n" + number + wait_for_dependences(translation, directive, context, false) +
         translation.body(construct, context) + "}";
}

}  // namespace bobbin::translate
