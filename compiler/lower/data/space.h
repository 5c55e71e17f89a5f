// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "lower/data/linear.h"
#include "lower/loops/iteration.h"
#include "lower/translation/translation.h"

namespace bobbin::translate {

// The iterations that a construct executes: those of its loops or, in a composite directive, the
// chunk that its outer construct has taken of them.
class Space {
 public:
  Space(Translation& translation, const Construct& construct, const Context& context);

  Iterations& iterations() { return own_ ? *own_ : *chunk_->iterations; }
  const Iterations& iterations() const { return own_ ? *own_ : *chunk_->iterations; }
  bool is_taken() const { return chunk_ != nullptr; }

  // Declarations of the loops' constants, if no outer construct has declared them.
  std::string constants() const { return own_ ? own_->constants() : ""; }
  // How many there are.
  std::string count() const;
  // The number in the loops' iterations of one that has the number `own` here.
  std::string number(const std::string& own) const;

  // Executes the iterations [first, last) of this space: the loop's body, or the next construct of
  // the directive.
  std::string execute(const Construct& construct, const Context& context, const std::string& first,
                      const std::string& last, const LinearVariables& linears);

 private:
  std::string execute_body(const Context& context, const std::string& first,
                           const std::string& last, const LinearVariables& linears);
  // The number here of the iteration that is executed.
  std::string own_number();

  Translation& translation_;
  const Chunk* chunk_;
  std::optional<Iterations> own_;
};

}  // namespace bobbin::translate
