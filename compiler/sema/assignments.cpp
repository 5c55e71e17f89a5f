// SPDX-License-Identifier: Apache-2.0
#include "sema/assignments.h"

#include <clang/AST/Expr.h>

#include <optional>

namespace bobbin::translate {
namespace {

class Reader {
 public:
  Reader(clang::ASTContext& context, const Extents& extents)
      : context_(context), extents_(extents) {}

  std::optional<Assignment> read(const clang::Expr& whole) const {
    const clang::Expr* expression = whole.IgnoreParenImpCasts();
    if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(expression)) {
      if (!unary->isIncrementDecrementOp()) return std::nullopt;
      Assignment made = assignment_to(*unary->getSubExpr());
      made.operation = unary->isIncrementOp() ? "+" : "-";
      made.is_postfix = unary->isPostfix();
      return made;
    }
    const auto* binary = clang::dyn_cast<clang::BinaryOperator>(expression);
    if (binary == nullptr || !binary->isAssignmentOp()) return std::nullopt;
    Assignment made = assignment_to(*binary->getLHS());
    made.value = extent_of(*binary->getRHS());
    made.is_integer = made.is_integer && binary->getRHS()->getType()->isIntegerType();
    if (binary->isCompoundAssignmentOp()) {
      made.operation = clang::BinaryOperator::getOpcodeStr(
                           clang::BinaryOperator::getOpForCompoundAssignment(binary->getOpcode()))
                           .str();
      return made;
    }
    if (const std::optional<Assignment> inner = read(*binary->getRHS())) {
      made.inner = std::make_shared<Assignment>(*inner);
    } else {
      read_update(*binary->getRHS(), made);
    }
    return made;
  }

 private:
  Extent extent_of(const clang::Expr& expression) const {
    return extents_.of(expression.getSourceRange());
  }
  std::string text_of(const clang::Expr& expression) const {
    return extents_.text_of(extent_of(*expression.IgnoreParenImpCasts()));
  }

  Assignment assignment_to(const clang::Expr& target) const {
    Assignment made;
    made.target = extent_of(target);
    made.is_integer = target.getType()->isIntegerType() && !target.getType()->isBooleanType();
    const bool is_plain = target.getObjectKind() == clang::OK_Ordinary;
    made.size =
        is_plain ? static_cast<size_t>(context_.getTypeSizeInChars(target.getType()).getQuantity())
                 : 0;
    return made;
  }

  // x = x + e, x = e + x
  void read_update(const clang::Expr& value, Assignment& made) const {
    const auto* binary = clang::dyn_cast<clang::BinaryOperator>(value.IgnoreParenImpCasts());
    if (binary == nullptr) return;
    const std::string target = extents_.text_of(made.target);
    const bool on_left = text_of(*binary->getLHS()) == target;
    if (!on_left && text_of(*binary->getRHS()) != target) return;
    made.is_reversed = !on_left;
    made.operation = binary->getOpcodeStr().str();
    made.value = extent_of(on_left ? *binary->getRHS() : *binary->getLHS());
  }

  clang::ASTContext& context_;
  const Extents& extents_;
};

}  // namespace

std::vector<Assignment> read_assignments(const clang::Stmt& statement, clang::ASTContext& context,
                                         const Extents& extents) {
  std::vector<const clang::Stmt*> parts = {&statement};
  if (const auto* block = clang::dyn_cast<clang::CompoundStmt>(&statement)) {
    parts.assign(block->body_begin(), block->body_end());
  }
  std::vector<Assignment> found;
  for (const clang::Stmt* part : parts) {
    const auto* expression = clang::dyn_cast<clang::Expr>(part);
    if (expression == nullptr) return {};
    const std::optional<Assignment> one = Reader(context, extents).read(*expression);
    if (!one) return {};
    found.push_back(*one);
  }
  return found;
}

}  // namespace bobbin::translate
