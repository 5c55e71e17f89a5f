// SPDX-License-Identifier: Apache-2.0
// A nest of loops as numbered iterations. The user's canonical loops become such loops, and the
// loop-transforming directives make others of them (lower/loops/transformations.cpp).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "lower/loops/canonical.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

// A loop that counts from 0 up to, but not including, `count`.
struct NumberedLoop {
  std::string number;               // its counter
  std::string count;                // an expression
  std::vector<Constant> constants;  // declared before it
  std::string begin;                // begins each iteration: computes variables
  // The same in the head of the loop: `begin` is then the assignment at its start.
  std::string advance;
  std::string hint;  // before the loop: a pragma of the native compilers'
  // Which variables of outer loops the constants and the count need, and which ones the iterations
  // compute. Counters are known by their names, the user's variables by the places of their
  // declarations.
  std::set<std::string> needs;
  std::set<std::string> makes;

  // The loop from where its counter is up to `end`. body: one statement. more: what else the loop's
  // head counts.
  std::string execute(const std::string& end, const std::string& body,
                      const std::string& more = "") const;
  // The statements that compute the variables from the counter.
  std::string compute() const { return advance.empty() ? begin : begin + ";\n"; }
};

struct Nest {
  std::vector<NumberedLoop> loops;
  std::vector<CanonicalLoop> users;  // those that it was made of
  bool is_transformed = false;
  // What the innermost loop executes.
  std::function<std::string(const Context&)> body;

  // For each loop: before which one, by number, all is known that its constants need.
  std::vector<size_t> homes() const;
  // Are all constants known before the first loop?
  bool is_rectangular() const;
  // The context in which its loops are: their variables are the block's own.
  Context inside(Context context) const;
  // Declarations of the users' variables.
  std::string variables(const std::string& attribute) const;

  // The loops from `level` on, executed one by one: one statement, unless that of the body is not.
  std::string execute_from(size_t level, const Context& inside) const;

 private:
  std::string execute_level(size_t level, size_t first, const Context& inside) const;
};

// The nest that the directive is associated with: at least `depth` loops. `suffix` begins what
// tells its constants from those of a nest around it.
Nest nest_of(Translation& translation, const Directive& directive, const Site& site, size_t depth,
             const std::string& suffix = "");

// The loops of the user's of which that nest is made; fewer, without an error, if there are fewer.
std::vector<Loop> users_loops(const Translation& translation, const Site& site, size_t depth);
// The user's loops that a loop-transforming directive takes.
std::vector<Loop> all_loops(const Translation& translation, size_t number);

// The nest that a loop-transforming directive generates.
Nest transformed(Translation& translation, size_t number);

}  // namespace bobbin::translate
