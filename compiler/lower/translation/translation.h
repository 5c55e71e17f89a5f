// SPDX-License-Identifier: Apache-2.0
// The translation of one file: what is known of it, and how its text is written anew.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "choose/variants.h"
#include "directives/directive.h"
#include "lex/diagnostics.h"
#include "lex/source.h"
#include "lower/translation/context.h"
#include "lower/translation/names.h"
#include "print/markers.h"
#include "sema/probe.h"
#include "sema/program.h"
#include "sema/types.h"

namespace bobbin::translate {

// One construct of a directive, and the directive's statement.
struct Construct {
  Construct(const Directive& the_whole, const Site* the_site, size_t the_leaf = 0)
      : whole(the_whole),
        directive(the_whole.parts.empty() ? the_whole : the_whole.parts[the_leaf]),
        site(the_site),
        leaf(the_leaf) {}

  const Directive& whole;
  const Directive& directive;  // with the clauses that apply to this construct
  const Site* site;            // null: it has no statement
  size_t leaf;                 // which of the directive's constructs it is

  const std::vector<Leaf>& leaves() const { return whole.row->leaves; }
  Leaf kind() const { return leaves()[leaf]; }
  bool is_last() const { return leaf + 1 == leaves().size(); }
  bool is_part_of(Leaf other) const {
    return std::find(leaves().begin(), leaves().begin() + offset(), other) !=
           leaves().begin() + offset();
  }
  bool contains(Leaf other) const {
    return std::find(leaves().begin() + offset(), leaves().end(), other) != leaves().end();
  }
  Construct inner() const { return {whole, site, leaf + 1}; }

 private:
  std::ptrdiff_t offset() const { return static_cast<std::ptrdiff_t>(leaf); }
};

// A reduction that the user has declared.
struct DeclaredReduction {
  std::string name;
  Type type;
  std::string combine;     // function(T *out, T *in)
  std::string initialize;  // function(T *private_copy, T *original)
  bool reads_original = false;
};

class PartPlan;

// An induction that the user has declared.
struct DeclaredInduction {
  std::string name;
  Type type;
  Type step_type;
  std::string induct;  // function(T *variable, S step)
  std::string closed;  // T function(T first, S step, unsigned long long times)
};

// A block without its braces; another statement as it is.
std::string content_of(const std::string& statement);

class Translation {
 public:
  Translation(const Source& source, const Probe& probe, const std::vector<Directive>& directives,
              Program& program, Diagnostics& diagnostics);

  // Tasks become parts of their parents where that is possible.
  void make_parts();
  // The whole output.
  std::string run(Markers markers);

  // Text of the probe with all directives in it lowered.
  std::string render(Extent extent, const Context& context);
  std::string render_span(const Span& span, const Context& context) {
    return render({span.probe_begin, span.probe_end}, context);
  }
  // The expression of a clause that has one.
  std::string expression_of(const Clause& clause, const Context& context) {
    return clause.expression ? render_span(*clause.expression, context) : "";
  }
  // What the construct's statement, or its next inner construct, becomes.
  std::string body(const Construct& construct, const Context& context);
  // The same behind the brace of a block: without braces of its own.
  std::string block_content(const Construct& construct, const Context& context);
  // Statements of one construct: a block, unless the directive stands in a block of the user's.
  std::string enclosed(const Construct& construct, const std::string& statements) const;
  // A statement after a line marker.
  std::string statement(Extent extent, const Context& context);

  // A line marker: the lines that follow belong to the one where `offset` is.
  std::string marker(size_t offset) const { return source.marker(probe.to_source(offset)); }
  std::string marker(const Directive& directive) const { return marker(directive.probe_begin); }

  // The same for text of the user's, which also begins in its column.
  std::string users_marker(size_t offset) const;

  // A type or a variable of a function's is now the file's, under another name.
  void move_to_file(const LocalType& type, const std::string& name);
  void move_to_file(const Variable& variable, const std::string& name);

  // A statement that uses the variable and does nothing. Compilers warn of sizeof an array
  // parameter, which is a pointer.
  std::string note_of_use(const Variable& variable) const {
    return std::string("(void)sizeof ") + (types.is_pointer(variable.type) ? "!" : "") +
           variable.name + ";\n";
  }

  // Writes something before the user's function.
  void before_function(const std::string& text) { outlined_ += text; }

  // The name of a new function or type for the directive, such as fib_task_12.
  std::string name_for(const Directive& directive, const Context& context,
                       const std::string& suffix);

  [[noreturn]] void refuse(size_t probe_offset, const std::string& message) const;
  [[noreturn]] void refuse(const Directive& directive, const std::string& message) const;

  // References in an extent, in order; directives in it.
  std::vector<const Reference*> references_in(Extent extent) const;
  const Variable* variable_at(const Span& span) const;
  // The variable of which the item is an element, a section or all; null: it is none of these.
  const Variable* base_of(const Item& item) const;
  // The variable that an item of a list is.
  const Variable& variable_of(const Item& item) const;
  std::vector<const Variable*> variables_of(const Directive& directive, ClauseKind kind) const;
  std::vector<size_t> directives_in(Extent extent) const;
  std::vector<Call> calls_in(Extent extent) const;
  // The word that begins there.
  std::string_view word_at(size_t offset) const;
  // Its tokens up to the semicolon.
  std::vector<Token> words_of_declaration(size_t begin) const;
  const Site* site_of(size_t number) const;
  Extent extent_of(size_t number) const;

  const Source& source;
  const Probe& probe;
  const std::vector<Directive>& directives;
  const Program& program;
  const Types types;
  Names names;
  std::vector<DeclaredReduction> reductions;
  std::deque<DeclaredInduction> inductions;
  Variants variants;
  std::string default_order = "relaxed";  // of atomic: requires atomic_default_mem_order
  // Text to be put at places of the probe, in place of what stands there up to `end`.
  struct Edit {
    size_t end;
    std::string text;
    // Text of the probe that follows, and what is behind it.
    Extent inserted = {};
    std::string rest = {};
  };
  std::map<size_t, Edit> edits;
  // What variables in memory of an allocator are called.
  std::map<const Variable*, Place> allocated_variables;
  // Declarations that go in front of the function that begins there.
  std::map<size_t, std::string> moved_variables;
  // Enumerators declared in these are known to the user's function no more.
  std::vector<Extent> moved_enumerations;
  // Which tasks can be parts of their parents.
  std::shared_ptr<const PartPlan> parts;
  // Locks of critical sections that have been written.
  std::map<std::string, std::string> locks;

 private:
  std::string lower(size_t number, const Context& context);
  // A variable's name in the user's text.
  void append(const Reference& reference, const Context& context, std::string& out) const;
  std::string dispatch(const Construct& construct, const Context& context);
  void make_threadprivate();
  void allocate_variables();
  void drop_register_words();
  std::string move_types(const Function& function);
  void write_function(const Function& function, size_t& at, std::string& out);
  size_t begin_of_declaration(size_t offset) const;
  size_t first_directive_from(size_t offset) const;
  bool calls_itself(const Function& function) const;

  Program& known_;  // the program again, to be changed
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;  // of the probe
  std::string outlined_;
};

}  // namespace bobbin::translate
