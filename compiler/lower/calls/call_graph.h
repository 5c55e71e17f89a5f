// SPDX-License-Identifier: Apache-2.0
// Which functions of the file call each other, and what can be said of all that they do.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "sema/program.h"

namespace bobbin::translate {

class Translation;

class CallGraph {
 public:
  explicit CallGraph(const Translation& translation);

  const Translation& translation() const { return translation_; }
  // The function that the text stands in; null: none.
  const Function* around(size_t offset) const;
  // A function of the file that is called; null: its text is not known.
  const Function* callee(size_t first_declared) const;

  // Does the function's text in the extent name a thread-local variable, or call what it does not
  // name?
  bool uses_thread_local(Extent extent) const;
  bool calls_pointer(const Function& function, Extent extent) const;
  bool accesses_volatile(const Function& function, Extent extent) const;

 private:
  const Translation& translation_;
  std::map<size_t, const Function*> defined_;  // by where they are first declared
  std::set<const Variable*> threadprivate_;    // which are not thread-local yet
};

// What a text does, or a function does that it calls.
class Effect {
 public:
  // own: does the text do it itself? library: does a function of the C library's, or of omp.h?
  // Others of which the text is not known do everything.
  using Own = std::function<bool(const Function& function, Extent extent)>;
  using Library = std::function<bool(std::string_view function)>;
  Effect(const CallGraph& graph, Own own, Library library);

  bool of(const Function& function, Extent extent) const;

 private:
  bool of_call(const Call& call) const;

  const CallGraph& graph_;
  Own own_;
  Library library_;
  std::set<const Function*> functions_;  // that do it
};

}  // namespace bobbin::translate
