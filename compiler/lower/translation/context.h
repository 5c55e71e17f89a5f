// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "sema/program.h"

namespace bobbin::translate {

// Where threads go when a region is cancelled: to a label, which is written if it is used.
struct CancelTarget {
  std::string label;
  bool used = false;

  std::string jump() {
    used = true;
    return "goto " + label + ";";
  }
  std::string place() const { return used ? label + ":;\n" : ""; }
};

class Iterations;

// Of the loops' iterations those that an outer construct of the same directive has taken, as in
// `distribute parallel for`.
struct Chunk {
  Iterations* iterations = nullptr;
  std::string first;
  std::string last;
};

struct DoacrossNest;

// The taskgraph construct whose region makes the tasks that are written.
struct GraphScope {
  std::string surroundings;             // the structure that leads to the variables around it
  std::set<const Variable*> variables;  // its members
};

// What surrounds the text that is being written.
struct Context {
  // Variables that are not called by their own names: `(*x)` for one that is shared with the
  // function from which a function was outlined. Also, by its own name, what is private here.
  std::map<const Variable*, std::string> texts;
  // Those that all implicit tasks of the team share (section 7.1.1).
  std::set<const Variable*> shared;
  // Where the statement of the innermost outlined region begins; 0: it is the user's function.
  size_t outlined_from = 0;
  // The function's name in the user's text.
  std::string function;

  const Chunk* chunk = nullptr;  // null: the construct takes its own iterations

  CancelTarget* parallel = nullptr;  // if the region contains `cancel parallel`
  CancelTarget* loop = nullptr;
  CancelTarget* sections = nullptr;
  CancelTarget* taskgroup = nullptr;  // the end of the task

  const GraphScope* graph = nullptr;  // null: none, or a task of it is around

  // The loops to which doacross dependences bind.
  const DoacrossNest* doacross = nullptr;
  // Variables, lastprivate(conditional:), for which each assignment is noted.
  struct Noted {
    std::string place;  // the variable in which it is noted
    std::string value;  // what is noted
  };
  std::map<const Variable*, Noted> assigned = {};

  std::string text_of(const Variable& variable) const {
    const auto found = texts.find(&variable);
    return found != texts.end() ? found->second : variable.name;
  }
  std::string text_of(const Reference& reference) const {
    const auto found = assigned.find(reference.variable);
    if (!reference.is_assigned || found == assigned.end()) return text_of(*reference.variable);
    return "(*(" + found->second.place + " = " + found->second.value + ", " +
           address_of(*reference.variable) + "))";
  }
  std::string address_of(const Variable& variable) const {
    const std::string text = text_of(variable);
    return text.starts_with("(*") ? text.substr(2, text.size() - 3) : "&" + text;
  }
  // Is it a variable that a function outside of the user's cannot name?
  bool is_local(const Variable& variable) const {
    return !variable.is_global || texts.contains(&variable);
  }
};

}  // namespace bobbin::translate
