// SPDX-License-Identifier: Apache-2.0
// The allocate directive. A variable on the stack becomes a pointer to memory of an allocator,
// which the compiler's attribute `cleanup` frees on each way out of its scope. A static variable
// stays in its place: the predefined allocators, no others are permitted, use the same memory.
#include <algorithm>
#include <array>
#include <string_view>

#include "lower/data/allocation.h"
#include "lower/translation/constructs.h"
#include "lower/translation/declarators.h"

namespace bobbin::translate {
namespace {

template <class T>
bool contains(const T& list, std::string_view one) {
  return std::find(std::begin(list), std::end(list), one) != std::end(list);
}

std::string text_of(const Translation& translation, const Span& span) {
  return translation.source.text().substr(span.begin, span.end - span.begin);
}

// Words of a declaration that would concern the pointer in place of the variable.
constexpr std::array<std::string_view, 12> kOfVariable = {
    "_Alignas", "alignas", "aligned", "__aligned__", "cleanup", "__cleanup__",
    "asm",      "__asm__", "auto",    "__auto_type", "mode",    "__mode__"};

// One variable of an allocate directive.
class Allocator {
 public:
  Allocator(Translation& translation, const Directive& directive, const Item& item)
      : translation_(translation),
        directive_(directive),
        item_(item),
        variable_(translation.variable_of(item)),
        together_(declared_with(translation, variable_)),
        declaration_(read_declarators(translation, variable_.declared, together_.front()->named)) {
    const auto found = std::find(together_.begin(), together_.end(), &variable_);
    number_ = static_cast<size_t>(found - together_.begin());
    allocator_ = argument_of(ClauseKind::Allocator);
    align_ = argument_of(ClauseKind::Align);
  }

  void run() {
    const bool is_in_function = directive_.row->leaves.front() == Leaf::Allocate;
    if (is_in_function && (variable_.is_global || variable_.is_thread_local)) {
      refuse("is not declared in this block, or is threadprivate");
    }
    const bool is_static = !is_in_function || variable_.is_static;
    if (!is_static) check_scope();
    if (declaration_.variables.size() != together_.size()) {
      refuse("needs a declaration of its own");
    }
    if (is_static) {
      align_static();
      return;
    }
    check_words();
    move();
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw Refusal{item_.base.begin, "'" + variable_.name + "' in 'allocate' " + reason};
  }

  // Null: no clause.
  const Span* argument_of(ClauseKind kind) const {
    const Clause* clause = directive_.find(kind);
    return clause != nullptr && clause->expression ? &*clause->expression : nullptr;
  }

  Extent declarator() const { return declaration_.variables[number_]; }

  // Where its initializer begins, with the equals sign, or where the declarator ends.
  size_t end_of_declarator() const {
    const std::string& text = translation_.probe.text();
    size_t depth = 0;
    for (const Token& one :
         tokenize(text, variable_.named, declarator().end, HashLines::Recognize)) {
      const std::string_view word = one.in(text);
      if (word == "(" || word == "[" || word == "{") ++depth;
      if ((word == ")" || word == "]" || word == "}") && depth > 0) --depth;
      if (word == "=" && depth == 0) return one.begin;
    }
    return declarator().end;
  }

  void align_static() {
    if (allocator_ != nullptr) {
      const std::string allocator = text_of(translation_, *allocator_);
      if (!allocator.starts_with("omp_") || !allocator.ends_with("_mem_alloc")) {
        refuse("is static, so its allocator must be a predefined one");
      }
    }
    if (align_ == nullptr) return;
    const size_t at = end_of_declarator();
    translation_.edits[at] = {at,
                              " __attribute__((aligned(" + text_of(translation_, *align_) + ")))"};
  }

  // The rest of the block in which it is declared.
  Extent scope() const {
    const std::string& text = translation_.probe.text();
    size_t depth = 0;
    for (const Token& one : tokenize(text, declaration_.end, text.size(), HashLines::Recognize)) {
      const std::string_view word = one.in(text);
      if (word == "{") ++depth;
      if (word == "}" && depth-- == 0) return {declaration_.end, one.begin};
      if (one.begin >= directive_.probe_begin && one.begin < directive_.probe_end && depth != 0) {
        break;
      }
    }
    return {};
  }

  void check_scope() const {
    const Extent scope = this->scope();
    const auto is_inside = [&](size_t offset) {
      return offset >= scope.begin && offset < scope.end;
    };
    if (!is_inside(directive_.probe_begin)) refuse("is not declared in this block");
    for (const Jump& jump : translation_.program.jumps) {
      if (!is_inside(jump.to) || is_inside(jump.from)) continue;
      translation_.refuse(jump.to, "a jump to this place enters the scope of '" + variable_.name +
                                       "', which is in 'allocate'");
    }
    if (allocator_ == nullptr) return;
    const Span& span = *allocator_;
    for (const Reference* one : translation_.references_in({span.probe_begin, span.probe_end})) {
      if (!one->variable->is_global && one->variable->declared >= declaration_.begin) {
        refuse("is declared before '" + one->variable->name + "', which its allocator names");
      }
      for (const Reference* use :
           translation_.references_in({declaration_.begin, directive_.probe_begin})) {
        if (use->variable != one->variable || !use->is_assigned) continue;
        refuse("is declared before '" + one->variable->name +
               "', which its allocator names, is assigned");
      }
    }
  }

  void check_words() const {
    const std::string& text = translation_.probe.text();
    for (const Token& one :
         tokenize(text, declaration_.begin, end_of_declarator(), HashLines::Recognize)) {
      if (!contains(kOfVariable, one.in(text))) continue;
      refuse("is declared with '" + std::string(one.in(text)) +
             "', which is not supported by bobbin translate");
    }
  }

  void move() {
    const std::string& name = variable_.name;
    const bool is_computed = translation_.types.is_variable(variable_.type);
    translation_.allocated_variables.insert_or_assign(&variable_, Place::behind(name));
    translation_.edits[variable_.named] = {variable_.named + name.size(),
                                           is_computed ? allocated(name) : "(*const " + name + ")"};
    complete_array();
    const size_t at = end_of_declarator();
    const bool has_value = at != declarator().end;
    Translation::Edit edit{at, "", {}, ""};
    edit.text = kFreedAtEnd + (translation_.probe.text()[at - 1] == ' ' ? 1 : 0);
    edit.text += is_computed ? " = 0; " + name + " = " : " = ";
    edit.text += "bobbin_omp_allocate(sizeof *" + name + ", __alignof__(*" + name + "), ";
    edit.text += (align_ != nullptr ? text_of(translation_, *align_) : "0") + ", ";
    if (allocator_ != nullptr) {
      edit.inserted = {allocator_->probe_begin, allocator_->probe_end};
      edit.rest = ")";
    } else {
      edit.rest = "0)";
    }
    const bool is_last = number_ + 1 == together_.size();
    std::string separator;
    if (!is_last && (has_value || is_computed)) {
      if (declaration_.defines_type) refuse("needs a declaration of its own");
      separator = "; " + declaration_.specifiers;
    }
    if (has_value) {
      edit.end = at + 1;
      edit.rest += "; " + assignment(edit.end);
    }
    const size_t end = declarator().end;
    const std::string behind = has_value ? end_of_assignment(at + 1) : "";
    if (has_value || is_last) {
      translation_.edits[at] = edit;
      if (!is_last) {
        translation_.edits[end] = {end + 1, behind + separator + blank_behind(end)};
      } else if (!behind.empty()) {
        translation_.edits[end] = {end, behind};
      }
      return;
    }
    // The comma is behind the declarator.
    edit.end = end + 1;
    edit.rest += separator.empty() ? "," : separator + blank_behind(end);
    translation_.edits[at] = edit;
  }

  std::string blank_behind(size_t comma) const {
    return translation_.probe.text()[comma + 1] == ' ' ? "" : " ";
  }

  // The length of an array that its initializer gives.
  void complete_array() {
    const std::string& text = translation_.probe.text();
    const std::vector<Token> words =
        tokenize(text, variable_.named, declarator().end, HashLines::Ignore);
    const bool is_open = words.size() > 2 && words[1].in(text) == "[" && words[2].in(text) == "]";
    if (!is_open) return;
    const Types& types = translation_.types;
    const size_t length =
        types.size(variable_.type) / std::max<size_t>(1, types.size(types.element(variable_.type)));
    translation_.edits[words[2].begin] = {words[2].begin, std::to_string(length)};
  }

  std::string_view first_word(size_t offset) const {
    const std::string& text = translation_.probe.text();
    const std::vector<Token> words = tokenize(text, offset, declarator().end, HashLines::Ignore);
    return words.empty() ? std::string_view() : words.front().in(text);
  }

  bool is_list(size_t value) const {
    return first_word(value) == "{" || translation_.types.is_array(variable_.type);
  }

  // Before and behind what is the value in the declaration. A list of values and a text of an array
  // are a compound literal, which is copied.
  std::string assignment(size_t value) const {
    const std::string& name = variable_.name;
    if (is_list(value)) {
      return "__builtin_memcpy((void *)" + name + ", &(__typeof__(*" + name + "))" +
             (first_word(value) == "{" ? "" : "{");
    }
    const Types& types = translation_.types;
    const bool is_constant = types.declare(variable_.type, "") != types.name(variable_.type);
    const std::string type = types.declare(variable_.type, "*", Types::Const::Drop);
    return (is_constant ? "*(" + type + ")" + name : "*" + name) + " =";
  }
  std::string end_of_assignment(size_t value) const {
    if (!is_list(value)) return "";
    return (first_word(value) == "{" ? "" : "}") + std::string(", sizeof *") + variable_.name + ")";
  }

  Translation& translation_;
  const Directive& directive_;
  const Item& item_;
  const Variable& variable_;
  std::vector<const Variable*> together_;
  Declarators declaration_;
  const Span* allocator_ = nullptr;
  const Span* align_ = nullptr;
  size_t number_ = 0;  // which of the declaration's variables it is
};

}  // namespace

void lower_allocate(Translation& translation, Diagnostics& diagnostics) {
  for (const Directive& directive : translation.directives) {
    const Leaf leaf = directive.row->leaves.front();
    if (leaf != Leaf::Allocate && leaf != Leaf::AllocateStatic) continue;
    for (const Item& item : directive.items) {
      try {
        Allocator(translation, directive, item).run();
      } catch (const Refusal& refusal) {
        diagnostics.error(refusal);
      }
    }
  }
}

}  // namespace bobbin::translate
