// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/Stmt.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>

#include "sema/program.h"

namespace bobbin::translate {

// Where things of Clang's are in the text that it has parsed.
class Extents {
 public:
  Extents(const clang::SourceManager& sources, const clang::LangOptions& language)
      : sources_(sources), language_(language) {}

  bool is_in_text(clang::SourceLocation place) const;
  size_t begin(clang::SourceLocation place) const;
  // Behind the token that begins there.
  size_t end(clang::SourceLocation place) const;

  Extent of(clang::SourceRange range) const {
    return {begin(range.getBegin()), end(range.getEnd())};
  }
  // With the semicolon that ends it.
  Extent of_statement(const clang::Stmt& statement) const;
  // Behind the attributes of GNU's that stand there.
  size_t end_with_attributes(size_t offset) const;
  char at(size_t offset) const;
  // Without blanks.
  std::string text_of(Extent extent) const;

 private:
  size_t end_of_statement(const clang::Stmt& statement) const;

  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
};

}  // namespace bobbin::translate
