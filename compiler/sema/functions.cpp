// SPDX-License-Identifier: Apache-2.0
#include "sema/functions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <set>

#include "sema/probe.h"

namespace bobbin::translate {
namespace {

// They return twice, or belong to the function that calls them.
bool needs_its_caller(const std::string& function) {
  static const std::set<std::string> names = {"alloca",
                                              "__builtin_alloca",
                                              "__builtin_alloca_with_align",
                                              "setjmp",
                                              "_setjmp",
                                              "__sigsetjmp",
                                              "__builtin_setjmp",
                                              "__builtin_va_start",
                                              "__builtin_frame_address",
                                              "__builtin_return_address",
                                              "__builtin_apply_args"};
  return names.contains(function);
}

class Reader : public clang::RecursiveASTVisitor<Reader> {
 public:
  Reader(const clang::FunctionDecl& function, const Extents& extents,
         const std::function<const Variable*(const clang::VarDecl&)>& variable_of)
      : declaration_(function), extents_(extents), variable_of_(variable_of) {}

  Function run() {
    const clang::FunctionDecl& first = *declaration_.getFirstDecl();
    clang::Stmt& body = *declaration_.getBody();
    function_.name = declaration_.getNameAsString();
    function_.all = extents_.of(declaration_.getSourceRange());
    function_.body = extents_.of(body.getSourceRange());
    function_.has_prototype = declaration_.hasPrototype();
    function_.is_declared_before = declaration_.getPreviousDecl() != nullptr;
    function_.first_declared = extents_.begin(first.getBeginLoc());
    for (const clang::ParmVarDecl* one : declaration_.parameters()) {
      function_.parameters.push_back(variable_of_(*one));
    }
    if (!declaration_.getReturnType()->isVoidType()) {
      function_.result = declaration_.getReturnType().getAsOpaquePtr();
    }
    if (declaration_.isVariadic()) function_.obstacles.push_back(function_.body.begin);
    TraverseStmt(&body);
    return std::move(function_);
  }

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool VisitCompoundStmt(clang::CompoundStmt* block) {
    for (const clang::Stmt* one : block->body()) note(one);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* choice) {
    note(choice->getThen());
    note(choice->getElse());
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) {
    if (const auto* first = clang::dyn_cast_or_null<clang::DeclStmt>(loop->getInit())) {
      loop_declarations_.insert(first);
    }
    note(loop->getBody());
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) { return note(loop->getBody()); }
  bool VisitDoStmt(clang::DoStmt* loop) { return note(loop->getBody()); }
  bool VisitLabelStmt(clang::LabelStmt* label) { return note(label->getSubStmt()); }
  bool VisitSwitchCase(clang::SwitchCase* label) { return note(label->getSubStmt()); }

  bool VisitReturnStmt(clang::ReturnStmt* one) {
    const clang::Expr* value = one->getRetValue();
    function_.returns.push_back({extents_.of_statement(*one), extent_of(value)});
    return true;
  }

  bool VisitDeclStmt(clang::DeclStmt* statement) {
    LocalDeclaration found;
    found.statement = extents_.of_statement(*statement);
    found.is_of_loop = loop_declarations_.contains(statement);
    for (const clang::Decl* one : statement->decls()) {
      const auto* variable = clang::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || variable->hasExternalStorage()) continue;
      const clang::Expr* value = variable->getInit();
      const bool is_array = variable->getType()->isArrayType();
      const bool is_list = value != nullptr && (clang::isa<clang::InitListExpr>(value) || is_array);
      const bool is_written = !is_array || value == nullptr ||
                              clang::isa<clang::InitListExpr>(value) ||
                              clang::isa<clang::StringLiteral>(value);
      const bool has_attribute = std::any_of(
          variable->attr_begin(), variable->attr_end(),
          [](const clang::Attr* attribute) { return !clang::isa<clang::UnusedAttr>(attribute); });
      if (variable->isStaticLocal() || has_attribute || !is_written ||
          (found.is_of_loop && is_array)) {
        obstacle(statement->getBeginLoc());
      }
      const clang::VariableArrayType* array =
          declaration_.getASTContext().getAsVariableArrayType(variable->getType());
      found.variables.push_back({variable_of_(*variable), extent_of(value), is_list,
                                 extent_of(array != nullptr ? array->getSizeExpr() : nullptr)});
    }
    if (!found.variables.empty()) {
      if (found.variables.size() !=
          static_cast<size_t>(std::distance(statement->decl_begin(), statement->decl_end()))) {
        obstacle(statement->getBeginLoc());
      }
      function_.declarations.push_back(std::move(found));
    }
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) {
      function_.indirect_calls.push_back(extents_.begin(call->getBeginLoc()));
    } else if (needs_its_caller(callee->getNameAsString())) {
      obstacle(call->getBeginLoc());
    }
    if (callee != nullptr && callee->getNameAsString().starts_with("__sync_")) {
      volatile_access(call->getBeginLoc());
    }
    return true;
  }
  bool VisitExpr(clang::Expr* one) {
    const clang::QualType type = one->getType();
    if (one->isGLValue() && (type.isVolatileQualified() || type->isAtomicType())) {
      volatile_access(one->getBeginLoc());
    }
    return true;
  }
  bool VisitAtomicExpr(clang::AtomicExpr* one) { return volatile_access(one->getBeginLoc()); }
  // An array of variable length whose size is asked for.
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* one) {
    const clang::QualType type = one->getTypeOfArgument();
    if (type->isVariablyModifiedType()) obstacle(one->getBeginLoc());
    return true;
  }
  bool VisitTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc one) {
    if (one.getUnderlyingExpr()->getType()->isVariablyModifiedType()) obstacle(one.getBeginLoc());
    return true;
  }
  bool VisitTypedefDecl(clang::TypedefDecl* one) {
    if (one->getUnderlyingType()->isVariablyModifiedType()) obstacle(one->getBeginLoc());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* one) {
    const bool takes_address = one->getOpcode() == clang::UO_AddrOf;
    if (takes_address && one->getSubExpr()->getType()->isVariablyModifiedType()) {
      obstacle(one->getBeginLoc());
    }
    return true;
  }
  // Objects without a name, which end with their block or statement.
  bool VisitCompoundLiteralExpr(clang::CompoundLiteralExpr* one) {
    return obstacle(one->getBeginLoc());
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* one) {
    if (one->getCastKind() == clang::CK_ArrayToPointerDecay && !one->getSubExpr()->isLValue()) {
      obstacle(one->getBeginLoc());
    }
    return true;
  }
  // It could tell a member from a const variable.
  bool VisitGenericSelectionExpr(clang::GenericSelectionExpr* one) {
    return obstacle(one->getBeginLoc());
  }
  bool VisitStmtExpr(clang::StmtExpr* one) { return obstacle(one->getBeginLoc()); }
  bool VisitAddrLabelExpr(clang::AddrLabelExpr* one) { return obstacle(one->getBeginLoc()); }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* one) { return obstacle(one->getBeginLoc()); }
  bool VisitAsmStmt(clang::AsmStmt* one) {
    volatile_access(one->getAsmLoc());
    return obstacle(one->getAsmLoc());
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  bool obstacle(clang::SourceLocation place) {
    function_.obstacles.push_back(extents_.begin(place));
    return true;
  }
  bool volatile_access(clang::SourceLocation place) {
    function_.volatile_accesses.push_back(extents_.begin(place));
    return true;
  }

  Extent extent_of(const clang::Expr* expression) const {
    return expression != nullptr ? extents_.of(expression->getSourceRange()) : Extent{};
  }

  // Takes the statement for a call, if it is one.
  bool note(const clang::Stmt* statement) {
    if (statement == nullptr) return true;
    CallStatement found;
    const clang::Expr* value = nullptr;
    if (const auto* expression = clang::dyn_cast<clang::Expr>(statement)) {
      value = expression->IgnoreParenCasts();
      const auto* operation = clang::dyn_cast<clang::BinaryOperator>(value);
      if (operation != nullptr && operation->isAssignmentOp()) {
        found.result = CallStatement::Result::Assigned;
        found.target = extents_.of(operation->getLHS()->getSourceRange());
        found.operation = operation->getOpcodeStr().str();
        value = operation->getRHS();
      }
    } else if (const auto* end = clang::dyn_cast<clang::ReturnStmt>(statement)) {
      found.result = CallStatement::Result::Returned;
      value = end->getRetValue();
    } else if (const auto* declaration = clang::dyn_cast<clang::DeclStmt>(statement)) {
      const auto* variable = declaration->isSingleDecl()
                                 ? clang::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                                 : nullptr;
      if (variable == nullptr) return true;
      found.result = CallStatement::Result::Initializes;
      found.variable = variable_of_(*variable);
      value = variable->getInit();
    }
    const auto* call = clang::dyn_cast_or_null<clang::CallExpr>(
        value != nullptr ? value->IgnoreParenImpCasts() : nullptr);
    const clang::FunctionDecl* callee = call != nullptr ? call->getDirectCallee() : nullptr;
    if (callee == nullptr || callee->getNameAsString() == kProbeName ||
        callee->getNumParams() != call->getNumArgs()) {
      return true;
    }
    const clang::SourceLocation first = callee->getFirstDecl()->getLocation();
    if (!extents_.is_in_text(first)) return true;
    found.statement = extents_.of_statement(*statement);
    found.function = extents_.begin(callee->getFirstDecl()->getBeginLoc());
    for (const clang::Expr* one : call->arguments()) found.arguments.push_back(extent_of(one));
    function_.calls.push_back(std::move(found));
    return true;
  }

  const clang::FunctionDecl& declaration_;
  const Extents& extents_;
  const std::function<const Variable*(const clang::VarDecl&)>& variable_of_;
  Function function_;
  std::set<const clang::DeclStmt*> loop_declarations_;
};

}  // namespace

Function read_function(const clang::FunctionDecl& function, const Extents& extents,
                       const std::function<const Variable*(const clang::VarDecl&)>& variable_of) {
  return Reader(function, extents, variable_of).run();
}

}  // namespace bobbin::translate
