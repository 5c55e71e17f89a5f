// SPDX-License-Identifier: Apache-2.0
// What Clang knows of the probe, without Clang's classes. All offsets are those of the probe.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bobbin::translate {

// A type of Clang's: see sema/types.h.
using Type = const void*;

struct Extent {
  size_t begin = 0;
  size_t end = 0;

  bool contains(size_t offset) const { return offset >= begin && offset < end; }
};

struct Variable {
  std::string name;
  size_t declared = 0;  // where its declaration begins
  size_t named = 0;     // where its name stands in it
  Type type = nullptr;
  size_t alignment = 0;    // that the declaration asks for; 0: none
  Extent initializer;      // of one of the file's, or a static one
  bool is_global = false;  // of a file, or declared extern
  bool is_static = false;  // static in a function
  bool is_thread_local = false;
  bool is_register = false;
  bool is_in_named_register = false;  // register int x asm("eax")
};

// Where the text names a variable.
struct Reference {
  size_t begin;
  size_t end;
  const Variable* variable;
  bool is_assigned = false;  // there, by an assignment, ++ or --
};

// A name of a function, which an outlined function may use only if it is declared before.
struct Call {
  size_t begin;
  size_t function;  // where the function's first declaration begins
};

// A type that is declared in a function, so that an outlined function cannot name it.
struct LocalType {
  enum class Kind : unsigned char { Record, Enumeration, Alias };

  struct Enumerator {
    std::string name;
    std::string value;
  };

  Kind kind = Kind::Record;
  std::string name;     // empty: it has none
  std::string keyword;  // struct, union or enum
  size_t declared = 0;  // where its first declaration begins
  Extent definition;    // of a tag, with its keyword and braces; empty: it has none
  Extent braces;        // of the definition; a name can stand before them
  std::vector<Enumerator> enumerators;
  Type aliased = nullptr;             // of an alias
  const void* declaration = nullptr;  // Clang's
};

// A declaration of types and of nothing else.
struct TypeDeclaration {
  size_t begin;
  size_t end;
};

// Where the text names a type of the function's own.
struct LocalName {
  size_t begin;
  const LocalType* type;
};

// Text to be written instead, such as the value of an enumerator that is declared in a function.
struct Replacement {
  size_t begin;
  size_t end;
  size_t declared;  // not if this is in the same region
  std::string text;
};

struct Function {
  std::string name;
  Extent all;
  Extent body;
  bool has_prototype = false;
  bool is_declared_before = false;
  size_t first_declared = 0;           // as in Call
  std::vector<size_t> indirect_calls;  // by place
  // Accesses by which threads may wait for each other, of volatile and atomic objects, by
  // assembly and by the compiler's own functions for atomic operations.
  std::vector<size_t> volatile_accesses;
};

// for (variable = lower; variable OPERATOR bound; variable += step)
struct Loop {
  const Variable* variable = nullptr;
  bool declares = false;  // in its first part
  Extent lower;
  Extent bound;
  std::optional<long long> lower_value;  // if it is constant
  std::optional<long long> bound_value;
  Type compared = nullptr;              // in which type the comparison is made
  std::string comparison;               // as if the variable were on the left
  Extent step;                          // empty: 1
  bool steps_down = false;              // the step is subtracted
  std::optional<long long> step_value;  // if it is constant
  Extent body;
  // Of a body that has more statements than the next loop: those before it and behind it.
  Extent before;
  Extent behind;

  bool is_perfect() const { return before.begin == before.end && behind.begin == behind.end; }
};

// target = value, target OPERATOR= operand, or ++ and --, as atomic has them.
struct Assignment {
  Extent target;
  size_t size = 0;          // of the target, in bytes; 0: it is a bit-field
  bool is_integer = false;  // target and operand are, and the former is no bool
  bool is_atomic = false;   // the target has an _Atomic type
  Extent value;             // of an assignment; also the operand of an update; empty: 1
  size_t value_size = 0;    // as `size`, of a value that is itself an object
  bool value_is_atomic = false;
  std::string operation;     // of an update: `target = target OPERATION value`
  bool is_reversed = false;  // target = value OPERATION target
  bool is_postfix = false;
  std::shared_ptr<Assignment> inner;  // the value is itself an assignment

  // Only if `target COMPARISON compared`.
  std::string comparison;  // empty: always
  Extent compared;
  bool compares_reversed = false;  // compared COMPARISON target
  Extent outcome;                  // to what the comparison's result is assigned; empty: to nothing
  Extent on_failure;               // to what the target's value is assigned if it does not compare
};

// A label or a case, and from where it is reached.
struct Jump {
  size_t from;  // kAnywhere: the label's address is taken
  size_t to;

  static constexpr size_t kAnywhere = static_cast<size_t>(-1);
};

// What belongs to a directive.
struct Site {
  Extent statement;
  bool is_compound = false;
  std::vector<Loop> loops;              // the nest, as deep as it is perfect
  std::string loop_problem;             // why it is not deeper
  size_t loop_problem_at = 0;           // and where that shows; 0: at the directive
  std::optional<size_t> nested;         // because this directive generates the other loops
  std::vector<Site> sequence;           // of a block: its loops, if it consists of such
  std::vector<Assignment> assignments;  // if the statement consists of these
};

struct Program {
  std::deque<Variable> variables;
  std::vector<Reference> references;  // sorted by place, as the next ones
  std::vector<Call> calls;
  std::deque<LocalType> local_types;
  std::vector<LocalName> local_names;
  std::vector<TypeDeclaration> type_declarations;
  std::vector<Replacement> replacements;
  std::vector<Function> functions;
  std::vector<Jump> jumps;
  std::map<size_t, Site> sites;           // by the directive's number
  std::map<size_t, long long> constants;  // arguments of directives, by place, that are such
  std::map<std::string, Type> probed;     // variables that the probe declares
  std::map<std::string, std::vector<const Variable*>> globals;  // each declaration

  std::set<const void*> moved;  // declarations of local types that have been moved to the file

  std::shared_ptr<void> clang;  // keeps the types alive
};

// The type gets a name of the file's, which all texts of types (sema/types.h) have from now on.
void move_to_file(Program& program, const LocalType& type, const std::string& name);

}  // namespace bobbin::translate
