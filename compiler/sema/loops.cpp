// SPDX-License-Identifier: Apache-2.0
#include "sema/loops.h"

#include <clang/AST/Expr.h>

#include <optional>
#include <utility>

namespace bobbin::translate {
namespace {

const clang::VarDecl* variable_in(const clang::Expr* expression) {
  if (expression == nullptr) return nullptr;
  const auto* name = clang::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name != nullptr ? clang::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

class LoopReader {
 public:
  LoopReader(const Extents& extents, const VariableOf& variable_of)
      : extents_(extents), variable_of_(variable_of) {}

  std::optional<Loop> read(const clang::ForStmt& statement) {
    if (!read_init(statement.getInit()) || !read_condition(statement.getCond()) ||
        !read_increment(statement.getInc())) {
      return std::nullopt;
    }
    loop_.variable = variable_of_(*declaration_);
    loop_.body = extents_.of_statement(*statement.getBody());
    return loop_;
  }

 private:
  bool is_variable(const clang::Expr* expression) const {
    const clang::VarDecl* named = variable_in(expression);
    return named != nullptr && named->getCanonicalDecl() == declaration_->getCanonicalDecl();
  }
  Extent extent_of(const clang::Expr& expression) const {
    return extents_.of(expression.getSourceRange());
  }

  bool read_init(const clang::Stmt* init) {
    if (const auto* declared = clang::dyn_cast_or_null<clang::DeclStmt>(init)) {
      if (!declared->isSingleDecl()) return false;
      declaration_ = clang::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
      if (declaration_ == nullptr || declaration_->getInit() == nullptr) return false;
      loop_.declares = true;
      loop_.lower = extent_of(*declaration_->getInit());
      return true;
    }
    const auto* assigned = clang::dyn_cast_or_null<clang::BinaryOperator>(init);
    if (assigned == nullptr || assigned->getOpcode() != clang::BO_Assign) return false;
    declaration_ = variable_in(assigned->getLHS());
    if (declaration_ == nullptr) return false;
    loop_.lower = extent_of(*assigned->getRHS());
    return true;
  }

  bool read_condition(const clang::Expr* condition) {
    const auto* compared = clang::dyn_cast_or_null<clang::BinaryOperator>(
        condition != nullptr ? condition->IgnoreParenImpCasts() : nullptr);
    if (compared == nullptr) return false;
    clang::BinaryOperatorKind operation = compared->getOpcode();
    const clang::Expr* bound = compared->getRHS();
    if (!is_variable(compared->getLHS())) {
      if (!is_variable(compared->getRHS())) return false;
      bound = compared->getLHS();
      operation = clang::BinaryOperator::reverseComparisonOp(operation);
    }
    if (!clang::BinaryOperator::isRelationalOp(operation) && operation != clang::BO_NE)
      return false;
    loop_.comparison = clang::BinaryOperator::getOpcodeStr(operation).str();
    loop_.compared = compared->getLHS()->getType().getUnqualifiedType().getAsOpaquePtr();
    loop_.bound = extent_of(*bound);
    return true;
  }

  bool read_increment(const clang::Expr* increment) {
    if (increment == nullptr) return false;
    increment = increment->IgnoreParenImpCasts();
    if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(increment)) {
      loop_.steps_down = unary->isDecrementOp();
      return unary->isIncrementDecrementOp() && is_variable(unary->getSubExpr());
    }
    const auto* binary = clang::dyn_cast<clang::BinaryOperator>(increment);
    if (binary == nullptr || !is_variable(binary->getLHS())) return false;
    if (binary->getOpcode() == clang::BO_AddAssign || binary->getOpcode() == clang::BO_SubAssign) {
      loop_.steps_down = binary->getOpcode() == clang::BO_SubAssign;
      loop_.step = extent_of(*binary->getRHS());
      return true;
    }
    if (binary->getOpcode() != clang::BO_Assign) return false;
    const auto* sum =
        clang::dyn_cast<clang::BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
    if (sum == nullptr || !sum->isAdditiveOp()) return false;
    loop_.steps_down = sum->getOpcode() == clang::BO_Sub;
    if (is_variable(sum->getLHS())) {
      loop_.step = extent_of(*sum->getRHS());
      return true;
    }
    loop_.step = extent_of(*sum->getLHS());
    return !loop_.steps_down && is_variable(sum->getRHS());
  }

  const Extents& extents_;
  const VariableOf& variable_of_;
  const clang::VarDecl* declaration_ = nullptr;
  Loop loop_;
};

}  // namespace

void read_loops(const clang::Stmt& statement, const Extents& extents, const VariableOf& variable_of,
                const NumberOf& number_of, Site& site) {
  const clang::Stmt* next = &statement;
  while (next != nullptr) {
    // Braces around the next loop and nothing else.
    while (const auto* block = clang::dyn_cast<clang::CompoundStmt>(next)) {
      if (site.loops.empty() || block->size() != 1) break;
      next = block->body_front();
    }
    const auto* directive = clang::dyn_cast<clang::WhileStmt>(next);
    const int number = directive != nullptr ? number_of(directive->getCond()) : -1;
    if (number >= 0) {
      site.nested = static_cast<size_t>(number);
      site.loop_problem = "expected a for loop";
      return;
    }
    const auto* loop = clang::dyn_cast<clang::ForStmt>(next);
    if (loop == nullptr) {
      site.loop_problem =
          site.loops.empty() ? "expected a for loop" : "the loops are not nested perfectly";
      break;
    }
    const std::optional<Loop> read = LoopReader(extents, variable_of).read(*loop);
    if (!read) {
      site.loop_problem = "the loop does not have the canonical form";
      return;
    }
    site.loops.push_back(*read);
    next = loop->getBody();
  }
  if (!site.loops.empty()) return;
  const auto* block = clang::dyn_cast<clang::CompoundStmt>(&statement);
  if (block == nullptr) return;
  for (const clang::Stmt* part : block->body()) {
    Site one;
    one.statement = extents.of_statement(*part);
    if (!clang::isa<clang::CompoundStmt>(part)) {
      read_loops(*part, extents, variable_of, number_of, one);
    }
    if (one.loops.empty() && !one.nested) {
      site.sequence.clear();
      return;
    }
    site.sequence.push_back(std::move(one));
  }
}

}  // namespace bobbin::translate
