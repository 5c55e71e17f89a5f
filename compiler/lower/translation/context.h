// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "lower/translation/place.h"
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
  // Variables that are not called by their own names, such as those that are shared with the
  // function from which a function was outlined. Also, by its own name, what is private here.
  std::map<const Variable*, Place> places;
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
    Place place;        // of the variable in which it is noted
    std::string value;  // what is noted
  };
  std::map<const Variable*, Noted> assigned = {};

  Place place_of(const Variable& variable) const {
    const auto found = places.find(&variable);
    return found != places.end() ? found->second : Place::named(variable.name);
  }
  std::string text_of(const Variable& variable) const { return place_of(variable).text(); }
  std::string address_of(const Variable& variable) const { return place_of(variable).address(); }
  void put(const Variable& variable, Place place) {
    places.insert_or_assign(&variable, std::move(place));
  }
  // Each task has one of its own, by the variable's name.
  void make_private(const Variable& variable) {
    put(variable, Place::named(variable.name));
    shared.erase(&variable);
  }
  // Is it a variable that a function outside of the user's cannot name?
  bool is_local(const Variable& variable) const {
    return !variable.is_global || places.contains(&variable);
  }
};

}  // namespace bobbin::translate
