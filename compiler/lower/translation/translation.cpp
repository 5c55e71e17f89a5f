// SPDX-License-Identifier: Apache-2.0
#include "lower/translation/translation.h"

#include <algorithm>

#include "print/layout.h"

namespace bobbin::translate {
namespace {

template <class T>
auto first_from(const std::vector<T>& all, size_t offset) {
  return std::lower_bound(all.begin(), all.end(), offset,
                          [](const T& one, size_t at) { return one.begin < at; });
}

bool is_in(const std::vector<Extent>& extents, size_t offset) {
  return std::any_of(extents.begin(), extents.end(),
                     [&](const Extent& one) { return offset >= one.begin && offset < one.end; });
}

}  // namespace

Translation::Translation(const Source& the_source, const Probe& the_probe,
                         const std::vector<Directive>& all, Program& the_program,
                         Diagnostics& diagnostics)
    : source(the_source),
      probe(the_probe),
      directives(all),
      program(the_program),
      types(the_program),
      names(the_source),
      known_(the_program),
      diagnostics_(diagnostics),
      tokens_(tokenize(probe.text(), 0, probe.text().size(), HashLines::Recognize)) {
  for (const Directive& directive : directives) {
    const Clause* order = directive.find(ClauseKind::AtomicDefaultMemOrder);
    if (order != nullptr) default_order = order->word;
  }
}

void Translation::refuse(size_t probe_offset, const std::string& message) const {
  throw Refusal{probe.to_source(probe_offset), message};
}

void Translation::refuse(const Directive& directive, const std::string& message) const {
  throw Refusal{directive.begin, message};
}

std::string Translation::users_marker(size_t offset) const {
  const Position at = source.position(probe.to_source(offset));
  return marker(offset).substr(1) + std::string(at.column - 1, ' ');
}

std::string Translation::name_for(const Directive& directive, const Context& context,
                                  const std::string& suffix) {
  const Position at = source.position(directive.begin);
  return names.unique(context.function + "_" + suffix + "_" + std::to_string(at.line));
}

void Translation::move_to_file(const LocalType& type, const std::string& name) {
  translate::move_to_file(known_, type, name);
}

void Translation::move_to_file(const Variable& variable, const std::string& name) {
  for (Variable& one : known_.variables) {
    if (&one != &variable) continue;
    one.name = name;
    one.is_global = true;
    one.is_static = false;
    one.is_thread_local = true;
  }
}

std::vector<const Reference*> Translation::references_in(Extent extent) const {
  std::vector<const Reference*> found;
  for (auto one = first_from(program.references, extent.begin);
       one != program.references.end() && one->begin < extent.end; ++one) {
    found.push_back(&*one);
  }
  return found;
}

std::vector<Call> Translation::calls_in(Extent extent) const {
  return {first_from(program.calls, extent.begin), first_from(program.calls, extent.end)};
}

std::string_view Translation::word_at(size_t offset) const {
  const auto token = first_from(tokens_, offset);
  return token != tokens_.end() ? token->in(probe.text()) : std::string_view();
}

const Variable* Translation::variable_at(const Span& span) const {
  const auto found = first_from(program.references, span.probe_begin);
  const bool is_whole = found != program.references.end() && found->begin == span.probe_begin &&
                        found->end == span.probe_end;
  return is_whole ? found->variable : nullptr;
}

const Variable* Translation::base_of(const Item& item) const {
  const auto found = first_from(program.references, item.base.probe_begin);
  const bool begins = found != program.references.end() && found->begin == item.base.probe_begin;
  return begins && item.subscripts ? found->variable : nullptr;
}

const Variable& Translation::variable_of(const Item& item) const {
  const Variable* variable = variable_at(item.base);
  if (variable == nullptr) throw Refusal{item.base.begin, "expected a variable's name"};
  return *variable;
}

std::vector<const Variable*> Translation::variables_of(const Directive& directive,
                                                       ClauseKind kind) const {
  std::vector<const Variable*> found;
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != kind) continue;
    for (const Item& item : clause.items) {
      const Variable* base = base_of(item);  // a section's array is shared
      found.push_back(base != nullptr ? base : &variable_of(item));
    }
  }
  return found;
}

const Site* Translation::site_of(size_t number) const {
  const auto found = program.sites.find(number);
  return found != program.sites.end() ? &found->second : nullptr;
}

Extent Translation::extent_of(size_t number) const {
  const Directive& directive = directives[number];
  const Site* site = site_of(number);
  return {directive.probe_begin, site != nullptr ? site->statement.end : directive.probe_end};
}

size_t Translation::first_directive_from(size_t offset) const {
  const auto found =
      std::lower_bound(directives.begin(), directives.end(), offset,
                       [](const Directive& one, size_t at) { return one.probe_begin < at; });
  return static_cast<size_t>(found - directives.begin());
}

std::vector<size_t> Translation::directives_in(Extent extent) const {
  std::vector<size_t> found;
  for (size_t i = first_directive_from(extent.begin);
       i < directives.size() && directives[i].probe_begin < extent.end; ++i) {
    found.push_back(i);
  }
  return found;
}

void Translation::append(const Reference& reference, const Context& context,
                         std::string& out) const {
  const auto noted = context.assigned.find(reference.variable);
  if (reference.is_assigned && noted != context.assigned.end()) {
    out += "(*(" + noted->second.place.text() + " = " + noted->second.value + ", " +
           context.address_of(*reference.variable) + "))";
    return;
  }
  context.place_of(*reference.variable)
      .append_to(out, std::string_view(probe.text()).substr(reference.end));
}

std::string Translation::render(Extent extent, const Context& context) {
  std::string out;
  size_t at = extent.begin;
  auto reference = first_from(program.references, at);
  auto replacement = first_from(program.replacements, at);
  auto edit = edits.lower_bound(at);
  auto directive = directives.begin() + static_cast<std::ptrdiff_t>(first_directive_from(at));
  const auto copy_to = [&](size_t to) {
    out.append(probe.text(), at, to - at);
    at = to;
  };
  while (true) {
    while (reference != program.references.end() && reference->begin < at) ++reference;
    while (replacement != program.replacements.end() && replacement->begin < at) ++replacement;
    while (edit != edits.end() && edit->first < at) ++edit;
    while (directive != directives.end() && directive->probe_begin < at) ++directive;
    size_t next = extent.end;
    if (reference != program.references.end()) next = std::min(next, reference->begin);
    if (replacement != program.replacements.end()) next = std::min(next, replacement->begin);
    if (edit != edits.end()) next = std::min(next, edit->first);
    if (directive != directives.end()) next = std::min(next, directive->probe_begin);
    copy_to(next);
    if (next >= extent.end) return out;
    if (directive != directives.end() && directive->probe_begin == next) {
      const auto number = static_cast<size_t>(directive - directives.begin());
      out += "\n";
      out += kGenerated + lower(number, context) + "\n" + kUsers;
      at = extent_of(number).end;
      ++directive;                   // it may be empty
      edit = edits.lower_bound(at);  // the directive may have made some
      out += users_marker(at);
    } else if (edit != edits.end() && edit->first == next) {
      const Edit& made = edit->second;
      out += made.text + render(made.inserted, context) + made.rest;
      at = edit->second.end;
      ++edit;
    } else if (replacement != program.replacements.end() && replacement->begin == next) {
      if (replacement->declared < context.outlined_from ||
          is_in(moved_enumerations, replacement->declared)) {
        out += replacement->text;
        at = replacement->end;
      }
      ++replacement;
    } else {
      append(*reference, context, out);
      at = reference->end;
    }
  }
}

std::string Translation::statement(Extent extent, const Context& context) {
  return "\n" + std::string(1, kUsers) + users_marker(extent.begin) + render(extent, context) +
         "\n" + kGenerated;
}

std::string Translation::body(const Construct& construct, const Context& context) {
  if (!construct.is_last()) return dispatch(construct.inner(), context) + "\n";
  return statement(construct.site->statement, context);
}

std::string Translation::block_content(const Construct& construct, const Context& context) {
  const Site& site = *construct.site;
  if (!construct.is_last() || !site.is_compound) return body(construct, context);
  return statement({site.statement.begin + 1, site.statement.end - 1}, context);
}

std::string Translation::enclosed(const Construct& construct, const std::string& statements) const {
  const auto number = static_cast<size_t>(&construct.whole - directives.data());
  const Site* around = number > 0 ? site_of(number - 1) : nullptr;
  bool stands_in_block = false;
  if (construct.leaf > 0) {
    stands_in_block = construct.leaves()[construct.leaf - 1] == Leaf::Parallel;
  } else if (around != nullptr && around->statement.begin == construct.whole.probe_begin) {
    // It is the statement of a construct that becomes a function.
    const Leaf leaf = directives[number - 1].row->leaves.back();
    stands_in_block = leaf == Leaf::Parallel || leaf == Leaf::Task;
  } else {
    auto token = first_from(tokens_, construct.whole.probe_begin);
    while (token != tokens_.begin() && (token - 1)->kind == TokenKind::HashLine) --token;
    const std::string_view before =
        token != tokens_.begin() ? (token - 1)->in(probe.text()) : std::string_view();
    stands_in_block = before == ";" || before == "{" || before == "}";
  }
  return stands_in_block ? statements : "{\n" + statements + "}";
}

std::string content_of(const std::string& statement) {
  const bool is_block = statement.starts_with("{\n") && statement.ends_with("}\n");
  return is_block ? statement.substr(2, statement.size() - 4) : statement;
}

// Attributes before a declaration belong to it, and Clang does not count them. So does what
// `declare simd` and `declare variant` say of a function.
size_t Translation::begin_of_declaration(size_t offset) const {
  auto token = std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                                [](const Token& one, size_t at) { return one.begin < at; });
  size_t begin = offset;
  while (token != tokens_.begin()) {
    --token;
    const std::string_view text = token->in(probe.text());
    if (text == ";" || text == "}" || text.starts_with("#pragma")) break;
    if (token->kind != TokenKind::HashLine) begin = token->begin;
  }
  const size_t end = token == tokens_.begin() ? 0 : token->end;
  for (const size_t number : directives_in({end, begin})) {
    const Leaf leaf = directives[number].row->leaves.front();
    if (leaf == Leaf::DeclareSimd || leaf == Leaf::DeclareVariant) {
      return directives[number].probe_begin;
    }
  }
  return begin;
}

std::vector<Token> Translation::words_of_declaration(size_t begin) const {
  std::vector<Token> words;
  size_t depth = 0;
  for (auto token = first_from(tokens_, begin); token != tokens_.end(); ++token) {
    const std::string_view text = token->in(probe.text());
    if (token->kind == TokenKind::HashLine) continue;
    words.push_back(*token);
    if (text == "(" || text == "{" || text == "[") ++depth;
    if ((text == ")" || text == "}" || text == "]") && depth > 0) --depth;
    if (text == ";" && depth == 0) break;
  }
  return words;
}

bool Translation::calls_itself(const Function& function) const {
  return std::any_of(first_from(program.calls, function.body.begin),
                     first_from(program.calls, function.body.end),
                     [&](const Call& call) { return call.function == function.all.begin; });
}

// The outlined functions come before the function, those of inner regions first.
void Translation::write_function(const Function& function, size_t& at, std::string& out) {
  if (directives_in(function.body).empty()) return;
  const size_t begin = begin_of_declaration(function.all.begin);
  const Context context{.places = allocated_variables, .shared = {}, .function = function.name};
  out += render({at, begin}, context);
  const std::string moved = move_types(function) + moved_variables[function.all.begin];
  outlined_.clear();
  const std::string text = render({begin, function.all.end}, context);
  if (!outlined_.empty() || !moved.empty()) {
    if (calls_itself(function) && !function.is_declared_before) {
      if (!function.has_prototype) {
        refuse(function.all.begin,
               "'" + function.name + "' is called in a region, so it needs a prototype");
      }
      std::string head = render({begin, function.body.begin}, context);
      while (head.ends_with(' ') || head.ends_with('\n')) head.pop_back();
      out += kUsers + users_marker(begin) + head + ";\n\n";
    }
    out += kGenerated + moved + outlined_;
  }
  out += std::string("\n") + kUsers + users_marker(begin) + text;
  at = function.all.end;
}

// A shared variable has an address, and compilers make nothing of the word `register`.
void Translation::drop_register_words() {
  for (const Variable& variable : program.variables) {
    if (!variable.is_register || variable.is_in_named_register) continue;
    for (const Token& word : words_of_declaration(variable.declared)) {
      if (word.begin >= variable.named) break;
      if (word.in(probe.text()) == "register") edits[word.begin] = {word.end, ""};
    }
  }
}

std::string Translation::run(Markers markers) {
  make_threadprivate();
  allocate_variables();
  drop_register_words();
  // Behind the probe's own first lines.
  size_t at = probe.text().find('\n', probe.text().find('\n') + 1) + 1;
  std::string out;
  for (const Function& function : program.functions) {
    try {
      write_function(function, at, out);
    } catch (const Refusal& refusal) {
      diagnostics_.error(refusal);
    }
  }
  return lay_out(out + render({at, probe.text().size()}, {}), markers);
}

}  // namespace bobbin::translate
