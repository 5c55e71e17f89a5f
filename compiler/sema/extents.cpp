// SPDX-License-Identifier: Apache-2.0
#include "sema/extents.h"

#include <clang/Lex/Lexer.h>

namespace bobbin::translate {
namespace {

// The statement with which it ends, if it has a part that is one.
const clang::Stmt* last_part(const clang::Stmt& statement) {
  if (const auto* loop = clang::dyn_cast<clang::ForStmt>(&statement)) return loop->getBody();
  if (const auto* loop = clang::dyn_cast<clang::WhileStmt>(&statement)) return loop->getBody();
  if (const auto* choice = clang::dyn_cast<clang::IfStmt>(&statement)) {
    return choice->getElse() != nullptr ? choice->getElse() : choice->getThen();
  }
  if (const auto* choice = clang::dyn_cast<clang::SwitchStmt>(&statement)) return choice->getBody();
  if (const auto* label = clang::dyn_cast<clang::LabelStmt>(&statement)) return label->getSubStmt();
  if (const auto* label = clang::dyn_cast<clang::SwitchCase>(&statement)) {
    return label->getSubStmt();
  }
  if (const auto* with = clang::dyn_cast<clang::AttributedStmt>(&statement)) {
    return with->getSubStmt();
  }
  return nullptr;
}

}  // namespace

bool Extents::is_in_text(clang::SourceLocation place) const {
  return place.isValid() &&
         sources_.getFileID(sources_.getExpansionLoc(place)) == sources_.getMainFileID();
}

size_t Extents::begin(clang::SourceLocation place) const {
  return sources_.getFileOffset(sources_.getExpansionLoc(place));
}

size_t Extents::end(clang::SourceLocation place) const {
  const clang::SourceLocation at = sources_.getExpansionRange(place).getEnd();
  return begin(at) + clang::Lexer::MeasureTokenLength(at, sources_, language_);
}

char Extents::at(size_t offset) const {
  const llvm::StringRef text = sources_.getBufferData(sources_.getMainFileID());
  return offset < text.size() ? text[offset] : '\0';
}

size_t Extents::end_with_attributes(size_t offset) const {
  const llvm::StringRef text = sources_.getBufferData(sources_.getMainFileID());
  const size_t next = text.find_first_not_of(" \t\n", offset);
  if (next == llvm::StringRef::npos || !text.substr(next).starts_with("__attribute")) return offset;
  size_t depth = 0;
  for (size_t i = text.find('(', next); i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return end_with_attributes(i + 1);
  }
  return offset;
}

std::string Extents::text_of(Extent extent) const {
  std::string text;
  for (size_t i = extent.begin; i < extent.end; ++i) {
    if (at(i) != ' ' && at(i) != '\n' && at(i) != '\t') text.push_back(at(i));
  }
  return text;
}

size_t Extents::end_of_statement(const clang::Stmt& statement) const {
  if (const clang::Stmt* part = last_part(statement)) return end_of_statement(*part);
  size_t end = this->end(statement.getEndLoc());
  if (clang::isa<clang::CompoundStmt>(statement) || clang::isa<clang::NullStmt>(statement) ||
      clang::isa<clang::DeclStmt>(statement)) {
    return end;
  }
  // Only blanks and line markers can stand before the semicolon.
  while (at(end) != ';' && at(end) != '\0') {
    if (at(end) == '#') {
      while (at(end) != '\n' && at(end) != '\0') ++end;
    } else {
      ++end;
    }
  }
  return end + 1;
}

Extent Extents::of_statement(const clang::Stmt& statement) const {
  return {begin(statement.getBeginLoc()), end_of_statement(statement)};
}

}  // namespace bobbin::translate
