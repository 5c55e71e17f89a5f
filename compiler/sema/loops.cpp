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
  LoopReader(const clang::ASTContext& context, const Extents& extents,
             const VariableOf& variable_of)
      : context_(context), extents_(extents), variable_of_(variable_of) {}

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
      set_lower(*declaration_->getInit());
      return true;
    }
    const auto* assigned = clang::dyn_cast_or_null<clang::BinaryOperator>(init);
    if (assigned == nullptr || assigned->getOpcode() != clang::BO_Assign) return false;
    declaration_ = variable_in(assigned->getLHS());
    if (declaration_ == nullptr) return false;
    set_lower(*assigned->getRHS());
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
    loop_.bound_value = constant_value(*bound, context_);
    return true;
  }

  bool read_increment(const clang::Expr* increment) {
    if (increment == nullptr) return false;
    increment = increment->IgnoreParenImpCasts();
    if (const auto* unary = clang::dyn_cast<clang::UnaryOperator>(increment)) {
      loop_.steps_down = unary->isDecrementOp();
      loop_.step_value = 1;
      return unary->isIncrementDecrementOp() && is_variable(unary->getSubExpr());
    }
    const auto* binary = clang::dyn_cast<clang::BinaryOperator>(increment);
    if (binary == nullptr || !is_variable(binary->getLHS())) return false;
    if (binary->getOpcode() == clang::BO_AddAssign || binary->getOpcode() == clang::BO_SubAssign) {
      loop_.steps_down = binary->getOpcode() == clang::BO_SubAssign;
      set_step(*binary->getRHS());
      return true;
    }
    if (binary->getOpcode() != clang::BO_Assign) return false;
    const auto* sum =
        clang::dyn_cast<clang::BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
    if (sum == nullptr || !sum->isAdditiveOp()) return false;
    loop_.steps_down = sum->getOpcode() == clang::BO_Sub;
    if (is_variable(sum->getLHS())) {
      set_step(*sum->getRHS());
      return true;
    }
    set_step(*sum->getLHS());
    return !loop_.steps_down && is_variable(sum->getRHS());
  }

  void set_lower(const clang::Expr& lower) {
    loop_.lower = extent_of(lower);
    loop_.lower_value = constant_value(lower, context_);
  }

  void set_step(const clang::Expr& step) {
    loop_.step = extent_of(step);
    loop_.step_value = constant_value(step, context_);
    if (!loop_.step_value) return;
    // An unsigned one can stand for a negative one.
    const auto bits = static_cast<unsigned>(context_.getTypeSize(declaration_->getType()));
    const llvm::APInt value(64, static_cast<uint64_t>(*loop_.step_value), true);
    loop_.step_value = value.sextOrTrunc(bits).sextOrTrunc(64).getSExtValue();
  }

  const clang::ASTContext& context_;
  const Extents& extents_;
  const VariableOf& variable_of_;
  const clang::VarDecl* declaration_ = nullptr;
  Loop loop_;
};

// The only loop among the statements of an outer loop's body; null: there is none, or another one.
const clang::Stmt* only_loop(const clang::CompoundStmt& block) {
  const clang::Stmt* found = nullptr;
  for (const clang::Stmt* one : block.body()) {
    if (!clang::isa<clang::ForStmt>(one)) continue;
    if (found != nullptr) return nullptr;
    found = one;
  }
  return found;
}

// The next loop in an outer loop's body, and what stands around it.
const clang::Stmt* enter_body(const clang::Stmt* next, const Extents& extents, Loop& outer) {
  while (const auto* block = clang::dyn_cast<clang::CompoundStmt>(next)) {
    if (block->size() == 1) {
      next = block->body_front();
      continue;
    }
    const clang::Stmt* loop = only_loop(*block);
    if (loop == nullptr) break;
    const Extent all = extents.of_statement(*block);
    const Extent inner = extents.of_statement(*loop);
    outer.before = {all.begin + 1, loop == block->body_front() ? all.begin + 1 : inner.begin};
    outer.behind = {inner.end, loop == block->body_back() ? inner.end : all.end - 1};
    return loop;
  }
  return next;
}

// Where a nest ends: at the first statement that is no loop.
size_t end_of_nest(const clang::Stmt& statement, const Extents& extents) {
  if (const auto* block = clang::dyn_cast<clang::CompoundStmt>(&statement)) {
    for (const clang::Stmt* one : block->body()) {
      if (!clang::isa<clang::ForStmt>(one)) return extents.of_statement(*one).begin;
    }
  }
  return extents.of_statement(statement).begin;
}

}  // namespace

std::optional<long long> constant_value(const clang::Expr& expression,
                                        const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (expression.isValueDependent() || !expression.getType()->isIntegralOrEnumerationType() ||
      !expression.EvaluateAsInt(result, context) || !result.Val.getInt().isRepresentableByInt64()) {
    return std::nullopt;
  }
  return result.Val.getInt().getExtValue();
}

void read_loops(const clang::Stmt& statement, const clang::ASTContext& context,
                const Extents& extents, const VariableOf& variable_of, const NumberOf& number_of,
                Site& site) {
  const clang::Stmt* next = &statement;
  while (next != nullptr) {
    if (!site.loops.empty()) next = enter_body(next, extents, site.loops.back());
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
      if (!site.loops.empty()) site.loop_problem_at = end_of_nest(*next, extents);
      break;
    }
    const std::optional<Loop> read = LoopReader(context, extents, variable_of).read(*loop);
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
      read_loops(*part, context, extents, variable_of, number_of, one);
    }
    if (one.loops.empty() && !one.nested) {
      site.sequence.clear();
      return;
    }
    site.sequence.push_back(std::move(one));
  }
}

}  // namespace bobbin::translate
