// SPDX-License-Identifier: Apache-2.0
#include "sema/assignments.h"

#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

namespace bobbin::translate {
namespace {

class Reader {
 public:
  Reader(clang::ASTContext& context, const Extents& extents)
      : context_(context), extents_(extents) {}

  // A list of statements.
  std::vector<Assignment> read(const std::vector<const clang::Stmt*>& parts) const {
    if (const std::optional<Assignment> one = read_outcome(parts)) return {*one};
    std::vector<Assignment> found;
    for (const clang::Stmt* part : parts) {
      const std::optional<Assignment> one = read_statement(*part);
      if (!one) return {};
      found.push_back(*one);
    }
    return found;
  }

 private:
  std::optional<Assignment> read_statement(const clang::Stmt& statement) const {
    if (const auto* choice = clang::dyn_cast<clang::IfStmt>(&statement)) return read_if(*choice);
    const auto* expression = clang::dyn_cast<clang::Expr>(&statement);
    return expression != nullptr ? read(*expression) : std::nullopt;
  }

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
    const Assignment read_from = assignment_to(*binary->getRHS()->IgnoreParenImpCasts());
    made.value_size = read_from.size;
    made.value_is_atomic = read_from.is_atomic;
    made.is_integer = made.is_integer && binary->getRHS()->getType()->isIntegerType();
    if (binary->isCompoundAssignmentOp()) {
      made.operation = clang::BinaryOperator::getOpcodeStr(
                           clang::BinaryOperator::getOpForCompoundAssignment(binary->getOpcode()))
                           .str();
      return made;
    }
    if (const std::optional<Assignment> inner = read(*binary->getRHS())) {
      made.inner = std::make_shared<Assignment>(*inner);
    } else if (!read_choice(*binary->getRHS(), made)) {
      read_update(*binary->getRHS(), made);
    }
    return made;
  }

  // x = x < e ? e : x
  bool read_choice(const clang::Expr& value, Assignment& made) const {
    const auto* choice = clang::dyn_cast<clang::ConditionalOperator>(value.IgnoreParenImpCasts());
    if (choice == nullptr || text_of(*choice->getFalseExpr()) != extents_.text_of(made.target) ||
        !read_comparison(*choice->getCond(), made)) {
      return false;
    }
    made.value = extent_of(*choice->getTrueExpr());
    return true;
  }

  // Is the target one side of it?
  bool read_comparison(const clang::Expr& condition, Assignment& made) const {
    const auto* compared = clang::dyn_cast<clang::BinaryOperator>(condition.IgnoreParenImpCasts());
    if (compared == nullptr) return false;
    const clang::BinaryOperatorKind operation = compared->getOpcode();
    if (operation != clang::BO_LT && operation != clang::BO_GT && operation != clang::BO_EQ) {
      return false;
    }
    const std::string target = extents_.text_of(made.target);
    const bool on_left = text_of(*compared->getLHS()) == target;
    if (!on_left && text_of(*compared->getRHS()) != target) return false;
    made.comparison = compared->getOpcodeStr().str();
    made.compares_reversed = !on_left;
    made.compared = extent_of(on_left ? *compared->getRHS() : *compared->getLHS());
    return true;
  }

  // if (x < e) { x = e; } else { v = x; }
  std::optional<Assignment> read_if(const clang::IfStmt& choice) const {
    std::optional<Assignment> made = read_only(choice.getThen());
    if (!made || !made->operation.empty() || !made->comparison.empty() ||
        !read_comparison(*choice.getCond(), *made) || !read_else(choice, *made)) {
      return std::nullopt;
    }
    return made;
  }

  bool read_else(const clang::IfStmt& choice, Assignment& made) const {
    if (choice.getElse() == nullptr) return true;
    const std::optional<Assignment> otherwise = read_only(choice.getElse());
    if (!otherwise || extents_.text_of(otherwise->value) != extents_.text_of(made.target)) {
      return false;
    }
    made.on_failure = otherwise->target;
    return true;
  }

  // The only assignment of a statement.
  std::optional<Assignment> read_only(const clang::Stmt* statement) const {
    if (const auto* block = clang::dyn_cast<clang::CompoundStmt>(statement)) {
      if (block->size() != 1) return std::nullopt;
      statement = block->body_front();
    }
    return read_statement(*statement);
  }

  // r = x == e; if (r) { x = d; } else { v = x; }
  std::optional<Assignment> read_outcome(const std::vector<const clang::Stmt*>& parts) const {
    if (parts.size() != 2) return std::nullopt;
    const auto* first = clang::dyn_cast<clang::BinaryOperator>(parts[0]);
    const auto* second = clang::dyn_cast<clang::IfStmt>(parts[1]);
    if (first == nullptr || second == nullptr || first->getOpcode() != clang::BO_Assign ||
        text_of(*second->getCond()) != text_of(*first->getLHS())) {
      return std::nullopt;
    }
    std::optional<Assignment> made = read_only(second->getThen());
    if (!made || !read_comparison(*first->getRHS(), *made) || !read_else(*second, *made)) {
      return std::nullopt;
    }
    made->outcome = extent_of(*first->getLHS());
    return made;
  }

  Extent extent_of(const clang::Expr& expression) const {
    return extents_.of(expression.getSourceRange());
  }
  std::string text_of(const clang::Expr& expression) const {
    return extents_.text_of(extent_of(*expression.IgnoreParenImpCasts()));
  }

  Assignment assignment_to(const clang::Expr& target) const {
    Assignment made;
    made.target = extent_of(target);
    made.is_atomic = target.getType()->isAtomicType();
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
  return Reader(context, extents).read(parts);
}

}  // namespace bobbin::translate
