// SPDX-License-Identifier: Apache-2.0
#include "sema/functions.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace bobbin::translate {
namespace {

class Reader : public clang::RecursiveASTVisitor<Reader> {
 public:
  Reader(const clang::FunctionDecl& function, const Extents& extents)
      : declaration_(function), extents_(extents) {}

  Function run() {
    clang::Stmt& body = *declaration_.getBody();
    function_.name = declaration_.getNameAsString();
    function_.all = extents_.of(declaration_.getSourceRange());
    function_.body = extents_.of(body.getSourceRange());
    function_.has_prototype = declaration_.hasPrototype();
    function_.is_declared_before = declaration_.getPreviousDecl() != nullptr;
    function_.first_declared = extents_.begin(declaration_.getFirstDecl()->getBeginLoc());
    TraverseStmt(&body);
    return std::move(function_);
  }

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) {
      function_.indirect_calls.push_back(extents_.begin(call->getBeginLoc()));
    } else if (callee->getNameAsString().starts_with("__sync_")) {
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
  bool VisitAsmStmt(clang::AsmStmt* one) { return volatile_access(one->getAsmLoc()); }
  // NOLINTEND(readability-identifier-naming)

 private:
  bool volatile_access(clang::SourceLocation place) {
    function_.volatile_accesses.push_back(extents_.begin(place));
    return true;
  }

  const clang::FunctionDecl& declaration_;
  const Extents& extents_;
  Function function_;
};

}  // namespace

Function read_function(const clang::FunctionDecl& function, const Extents& extents) {
  return Reader(function, extents).run();
}

}  // namespace bobbin::translate
