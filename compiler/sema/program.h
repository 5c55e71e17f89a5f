// SPDX-License-Identifier: Apache-2.0
// What Clang knows of the probe, without Clang's classes. All offsets are those of the probe.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bobbin::translate {

// A type of Clang's: see sema/types.h.
using Type = const void*;

struct Variable {
  std::string name;
  size_t declared = 0;  // where its declaration begins
  size_t named = 0;     // where its name stands in it
  Type type = nullptr;
  bool is_global = false;  // of a file, or declared extern
  bool is_static = false;  // static in a function
  bool is_thread_local = false;
  bool is_register = false;
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

// Something of a function's own that an outlined function cannot name: a type, a label's address.
struct LocalName {
  size_t begin;
  size_t declared;
  std::string name;
};

// Text to be written instead, such as the value of an enumerator that is declared in a function.
struct Replacement {
  size_t begin;
  size_t end;
  size_t declared;  // not if this is in the same region
  std::string text;
};

struct Extent {
  size_t begin = 0;
  size_t end = 0;
};

struct Function {
  std::string name;
  Extent all;
  Extent body;
  bool has_prototype = false;
  bool is_declared_before = false;
};

// for (variable = lower; variable OPERATOR bound; variable += step)
struct Loop {
  const Variable* variable = nullptr;
  bool declares = false;  // in its first part
  Extent lower;
  Extent bound;
  Type compared = nullptr;  // in which type the comparison is made
  std::string comparison;   // as if the variable were on the left
  Extent step;              // empty: 1
  bool steps_down = false;  // the step is subtracted
  Extent body;
};

// target = value, target OPERATOR= operand, or ++ and --, as atomic has them.
struct Assignment {
  Extent target;
  size_t size = 0;           // of the target, in bytes; 0: it is a bit-field
  bool is_integer = false;   // target and operand are, and the former is no bool
  Extent value;              // of an assignment; also the operand of an update; empty: 1
  std::string operation;     // of an update: `target = target OPERATION value`
  bool is_reversed = false;  // target = value OPERATION target
  bool is_postfix = false;
  std::shared_ptr<Assignment> inner;  // the value is itself an assignment
};

// What belongs to a directive.
struct Site {
  Extent statement;
  bool is_compound = false;
  std::vector<Loop> loops;              // the nest, as deep as it is perfect
  std::string loop_problem;             // why it is not deeper
  std::optional<size_t> nested;         // because this directive generates the other loops
  std::vector<Site> sequence;           // of a block: its loops, if it consists of such
  std::vector<Assignment> assignments;  // if the statement consists of these
};

struct Program {
  std::deque<Variable> variables;
  std::vector<Reference> references;  // sorted by place, as the next ones
  std::vector<Call> calls;
  std::vector<LocalName> local_names;
  std::vector<Replacement> replacements;
  std::vector<Function> functions;
  std::map<size_t, Site> sites;                                 // by the directive's number
  std::map<std::string, Type> probed;                           // variables that the probe declares
  std::map<std::string, std::vector<const Variable*>> globals;  // each declaration

  std::shared_ptr<void> clang;  // keeps the types alive
};

}  // namespace bobbin::translate
