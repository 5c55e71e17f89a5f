// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/loops/nest.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

// The variables of the loops that the directive is associated with; none, without an error, for a
// directive that has no loops.
std::vector<const Variable*> associated_variables(const Translation& translation,
                                                  const Construct& construct);

// The associated loops of a nest as one space of numbered iterations. What is written before the
// loops declares constants: each loop's first value, its step and its number of iterations.
class Iterations {
 public:
  Iterations(Translation& translation, const Construct& construct, const Context& context);

  // The user's.
  const std::vector<CanonicalLoop>& loops() const { return nest_.users; }
  bool is_rectangular() const { return nest_.is_rectangular(); }

  // Declarations of the constants.
  const std::string& constants() const { return constants_; }
  // The number of iterations of the whole nest.
  const std::string& count() const { return count_; }
  // Those constants that a function must get from elsewhere.
  const std::vector<Constant>& passed() const { return passed_; }

  // Of the declarations of the loops' variables, which compilers see assigned in nests only.
  const char* attribute() const { return is_one_of_users() ? "" : " __attribute__((unused))"; }
  // The declaration, unless the loop's head is one.
  std::string declaration(const CanonicalLoop& loop) const;
  bool is_declared_in_head(const CanonicalLoop& loop) const;
  // What the associated loops execute.
  std::string body(const Context& context) const;
  // Executes a body, one statement, for the iterations from `first` up to, but not including,
  // `last`. `steps` are expressions behind commas, to be evaluated after each iteration.
  std::string execute(const std::string& first, const std::string& last, const std::string& body,
                      const Context& context, const std::string& steps = "") const;
  // Makes the innermost loop one of the native compiler's, with the pragma before it.
  void vectorize(const std::string& pragma) { pragma_ = pragma; }
  // The number of the iteration, in the body. To be called before execute().
  std::string number();
  // Gives a loop's variable the value it has after the last iteration.
  std::string finish(const Variable& variable) const;

 private:
  bool is_one_of_users() const { return depth_ == 1 && !nest_.is_transformed; }
  void refuse_lastprivate(const Construct& construct) const;
  void keep_inner_loops(const Construct& construct, const Context& context);
  bool is_simple(size_t level) const;
  std::string size_below(size_t level) const;
  std::string declare_at(size_t level, const Context& context) const;
  std::string count_from(size_t level, const Context& context) const;
  std::string execute_users(const CanonicalLoop& user, const std::string& first,
                            const std::string& last, const std::string& name,
                            const std::string& body, const std::string& steps) const;
  std::string execute_level(size_t level, bool is_walked, const std::string& body,
                            const Context& context, const std::string& steps) const;

  Translation& translation_;
  size_t depth_;
  Nest nest_;
  std::vector<size_t> homes_;
  std::vector<Constant> passed_;
  std::string constants_;
  std::string count_;
  std::string pragma_;
  bool is_numbered_ = false;
};

}  // namespace bobbin::translate
