// SPDX-License-Identifier: Apache-2.0
// Calls of functions that have variants, and the dispatch construct.
#include "lower/constructs/variant_calls.h"

#include <optional>
#include <set>

#include "choose/around.h"
#include "lower/tasks/dependences.h"
#include "lower/translation/constructs.h"
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
    const Context context{.places = {}, .shared = {}, .function = one.of};
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
    declare_for_all_scopes(translation);
    for (const Call& call : translation.program.calls) {
      const auto found = call_at(translation, call);
      if (!found) continue;
      const std::string chosen = translation.variants.choose(
          found->function, constructs_at(translation, found->name.begin));
      if (chosen != found->function) {
        translation.edits[found->name.begin] = {found->name.end, chosen};
      }
    }
  } catch (const Refusal& refusal) {
    diagnostics.error(refusal);
  }
}

namespace {

// A call in a dispatch construct.
class DispatchedCall {
 public:
  DispatchedCall(Translation& translation, const Directive& directive, const Context& context,
                 NamedCall call)
      : translation_(translation),
        directive_(directive),
        context_(context),
        call_(std::move(call)) {
    std::vector<std::string> constructs = constructs_at(translation, call_.name.begin);
    without_ = translation.variants.choose(call_.function, constructs);
    constructs.emplace_back("dispatch");
    chosen_ = translation.variants.choose(call_.function, constructs);
  }

  std::string lower(const Construct& construct) {
    const size_t appended = translation_.variants.appended(call_.function, chosen_);
    check_objects(appended);
    if (appended != 0) return lower_with_objects(construct, appended);
    std::string chosen = chosen_;
    const auto unless = [&](ClauseKind kind, const std::string& other) {
      const std::string condition = this->condition(kind);
      if (!condition.empty()) chosen.insert(0, "(" + condition + " ? " + other + " : ").append(")");
    };
    unless(ClauseKind::Nocontext, without_);
    unless(ClauseKind::Novariants, call_.function);
    return lower_as(construct, chosen);
  }

 private:
  std::string condition(ClauseKind kind) const {
    const Clause* clause = directive_.find(kind);
    return clause != nullptr ? "(" + translation_.expression_of(*clause, context_) + ")" : "";
  }

  std::string lower_as(const Construct& construct, const std::string& function) {
    translation_.edits[call_.name.begin] = {call_.name.end, function};
    return translation_.body(construct, context_);
  }

  void check_objects(size_t appended) const {
    const Clause* clause = directive_.find(ClauseKind::Interop);
    if (clause == nullptr || clause->items.size() <= appended) return;
    throw Refusal{clause->at,
                  "'interop' has more objects than 'append_args' of the variant that is called"};
  }

  // The functions have different arguments, so the statement is written for each of them. An object
  // that the construct makes for the call is omp_interop_none, which is 0.
  std::string lower_with_objects(const Construct& construct, size_t appended) {
    std::vector<std::string> objects(appended, "0");
    if (const Clause* clause = directive_.find(ClauseKind::Interop)) {
      for (size_t i = 0; i < clause->items.size(); ++i) {
        objects[i] = translation_.render_span(clause->items[i].base, context_);
      }
    }
    std::string text;
    const auto unless = [&](ClauseKind kind, const std::string& other) {
      const std::string condition = this->condition(kind);
      if (condition.empty()) return;
      text += "if " + condition + " {" + lower_as(construct, other) + "}\nelse ";
    };
    unless(ClauseKind::Novariants, call_.function);
    unless(ClauseKind::Nocontext, without_);
    const std::vector<Token> words = tokenize(translation_.probe.text(), call_.name.end,
                                              construct.site->statement.end, HashLines::Ignore);
    std::string appendix;
    for (const std::string& one : objects) appendix += ", " + one;
    const size_t end = end_of_arguments(words);
    const bool has_others = words[1].begin != end;
    translation_.edits[end] = {end, appendix.substr(has_others ? 0 : 2)};
    text += "{" + lower_as(construct, chosen_) + "}\n";
    translation_.edits.erase(end);
    return text;
  }

  // Where the bracket is that closes the first one.
  size_t end_of_arguments(const std::vector<Token>& words) const {
    size_t depth = 0;
    for (const Token& one : words) {
      const std::string_view word = one.in(translation_.probe.text());
      if (word == "(") ++depth;
      if (word == ")" && --depth == 0) return one.begin;
    }
    translation_.refuse(directive_, "no bracket closes the arguments of the call");
  }

  Translation& translation_;
  const Directive& directive_;
  const Context& context_;
  NamedCall call_;
  std::string without_;  // dispatch around it
  std::string chosen_;
};

}  // namespace

std::string lower_dispatch(Translation& translation, const Construct& construct,
                           const Context& context) {
  const Directive& directive = construct.directive;
  const Extent extent = construct.site->statement;
  const Clause* device = directive.find(ClauseKind::Device);
  std::string text = "{\n";
  if (device != nullptr) text += "(void)(" + translation.expression_of(*device, context) + ");\n";
  // nowait permits, and does not demand, that the encountering thread goes on.
  text += wait_for_dependences(translation, directive, context, "0");
  // Calls in its arguments are no part of the region.
  for (const Call& call : translation.program.calls) {
    if (call.begin < extent.begin || call.begin >= extent.end) continue;
    if (!is_whole(translation, extent, call)) continue;
    const auto found = call_at(translation, call);
    if (!found) continue;
    return text + DispatchedCall(translation, directive, context, *found).lower(construct) + "}";
  }
  return text + translation.body(construct, context) + "}";
}

}  // namespace bobbin::translate
