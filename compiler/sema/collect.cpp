// SPDX-License-Identifier: Apache-2.0
#include "sema/collect.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/ASTUnit.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sema/assignments.h"
#include "sema/extents.h"
#include "sema/functions.h"
#include "sema/local_types.h"
#include "sema/loops.h"
#include "sema/probe.h"

namespace bobbin::translate {
namespace {

bool is_local(const clang::Decl& declaration) {
  return declaration.getParentFunctionOrMethod() != nullptr;
}

class Collector : public clang::RecursiveASTVisitor<Collector> {
 public:
  explicit Collector(clang::ASTContext& context)
      : context_(context), extents_(context.getSourceManager(), context.getLangOpts()) {}

  Program run() {
    TraverseDecl(context_.getTranslationUnitDecl());
    sort(program_.references);
    for (Reference& one : program_.references) one.is_assigned = assigned_.contains(one.begin);
    sort(program_.calls);
    sort(program_.local_names);
    sort(program_.type_declarations);
    sort(program_.replacements);
    return std::move(program_);
  }

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool VisitVarDecl(clang::VarDecl* declaration) {
    const std::string name = declaration->getNameAsString();
    if (name.starts_with(std::string(kProbeName) + "_")) {
      program_.probed[name] = declaration->getType().getAsOpaquePtr();
    } else if (extents_.is_in_text(declaration->getLocation())) {
      const Variable& variable = add(*declaration);
      if (!declaration->isLocalVarDeclOrParm() || declaration->isStaticLocal()) {
        program_.globals[name].push_back(&variable);
      }
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) {
    if (!extents_.is_in_text(name->getLocation())) return true;
    const size_t begin = extents_.begin(name->getLocation());
    const size_t end = extents_.end(name->getLocation());
    const clang::ValueDecl* declaration = name->getDecl();
    if (const auto* variable = clang::dyn_cast<clang::VarDecl>(declaration)) {
      program_.references.push_back({begin, end, &variable_of(*variable)});
    } else if (const auto* constant = clang::dyn_cast<clang::EnumConstantDecl>(declaration)) {
      if (is_local(*constant)) {
        llvm::SmallString<16> value;
        constant->getInitVal().toString(value);
        program_.replacements.push_back(
            {begin, end, extents_.begin(constant->getLocation()), "(" + value.str().str() + ")"});
      }
    } else if (const auto* function = clang::dyn_cast<clang::FunctionDecl>(declaration)) {
      const clang::FunctionDecl* first = function->getFirstDecl();
      if (extents_.is_in_text(first->getLocation())) {
        program_.calls.push_back({begin, extents_.begin(first->getBeginLoc())});
      }
    }
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->isAssignmentOp()) note_assignment(*operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) {
    if (operation->isIncrementDecrementOp()) note_assignment(*operation->getSubExpr());
    return true;
  }

  bool VisitPredefinedExpr(clang::PredefinedExpr* name) {
    if (name->getFunctionName() != nullptr && extents_.is_in_text(name->getLocation())) {
      // The outlined function has another name than the user's function.
      program_.replacements.push_back({extents_.begin(name->getLocation()),
                                       extents_.end(name->getLocation()), 0,
                                       "\"" + name->getFunctionName()->getString().str() + "\""});
    }
    return true;
  }

  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) {
    add_local_name(type.getNameLoc(), *type.getTypedefNameDecl());
    return true;
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) {
    add_local_name(type.getNameLoc(), *type.getDecl());
    return true;
  }
  bool VisitTypeDecl(clang::TypeDecl* type) {
    add_local_name(type->getLocation(), *type);
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* statement) {
    const bool is_of_types =
        std::all_of(statement->decl_begin(), statement->decl_end(),
                    [](const clang::Decl* one) { return clang::isa<clang::TypeDecl>(one); });
    if (is_of_types && extents_.is_in_text(statement->getBeginLoc())) {
      const Extent extent = extents_.of_statement(*statement);
      program_.type_declarations.push_back({extent.begin, extent.end});
    }
    return true;
  }

  bool VisitGotoStmt(clang::GotoStmt* jump) {
    note_jump(jump->getGotoLoc(), jump->getLabel()->getLocation());
    return true;
  }
  bool VisitAddrLabelExpr(clang::AddrLabelExpr* address) {
    note_jump({}, address->getLabel()->getLocation());
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) {
    for (const clang::SwitchCase* one = choice->getSwitchCaseList(); one != nullptr;
         one = one->getNextSwitchCase()) {
      note_jump(choice->getSwitchLoc(), one->getKeywordLoc());
    }
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() ||
        !extents_.is_in_text(function->getLocation())) {
      return true;
    }
    program_.functions.push_back(read_function(*function, extents_));
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    if (probe_number(call) < 0) return true;
    for (const clang::Expr* argument : call->arguments()) note_constant(*argument);
    return true;
  }

  bool VisitWhileStmt(clang::WhileStmt* statement) {
    const int number = probe_number(statement->getCond());
    if (number < 0) return true;
    const clang::Stmt& body = *statement->getBody();
    Site& site = program_.sites[static_cast<size_t>(number)];
    site.statement = extents_.of_statement(body);
    site.is_compound = clang::isa<clang::CompoundStmt>(body);
    site.assignments = read_assignments(body, context_, extents_);
    read_loops(
        body, context_, extents_,
        [this](const clang::VarDecl& declaration) { return &variable_of(declaration); },
        probe_number, site);
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  template <class T>
  static void sort(std::vector<T>& all) {
    std::stable_sort(all.begin(), all.end(),
                     [](const T& a, const T& b) { return a.begin < b.begin; });
    // Clang keeps some expressions in two forms.
    const auto last = std::unique(all.begin(), all.end(),
                                  [](const T& a, const T& b) { return a.begin == b.begin; });
    all.erase(last, all.end());
  }

  // The number of the directive whose probe the expression is, or -1.
  static int probe_number(const clang::Expr* expression) {
    const auto* call = clang::dyn_cast_or_null<clang::CallExpr>(
        expression != nullptr ? expression->IgnoreParenImpCasts() : nullptr);
    if (call == nullptr || call->getDirectCallee() == nullptr || call->getNumArgs() == 0 ||
        call->getDirectCallee()->getNameAsString() != kProbeName) {
      return -1;
    }
    const auto* number =
        clang::dyn_cast<clang::IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    return number != nullptr ? static_cast<int>(number->getValue().getZExtValue()) : -1;
  }

  // An argument is `(expression)` or, of a list, `((void)(expression), 0)` (sema/probe.cpp).
  void note_constant(const clang::Expr& argument) {
    const auto* outer = clang::dyn_cast<clang::ParenExpr>(argument.IgnoreImpCasts());
    if (outer == nullptr) return;
    const auto* pair = clang::dyn_cast<clang::BinaryOperator>(outer->getSubExpr());
    if (pair != nullptr && pair->getOpcode() == clang::BO_Comma) {
      const auto* dropped = clang::dyn_cast<clang::CStyleCastExpr>(pair->getLHS());
      if (dropped != nullptr) {
        outer = clang::dyn_cast<clang::ParenExpr>(dropped->getSubExpr()->IgnoreImpCasts());
      }
    }
    if (outer == nullptr || !extents_.is_in_text(outer->getLParen())) return;
    if (const std::optional<long long> value = constant_value(*outer, context_)) {
      program_.constants[extents_.end(outer->getLParen())] = *value;
    }
  }

  void note_jump(clang::SourceLocation from, clang::SourceLocation to) {
    if (!extents_.is_in_text(to)) return;
    program_.jumps.push_back(
        {from.isValid() ? extents_.begin(from) : Jump::kAnywhere, extents_.begin(to)});
  }

  void note_assignment(const clang::Expr& target) {
    const auto* name = clang::dyn_cast<clang::DeclRefExpr>(target.IgnoreParens());
    if (name != nullptr && extents_.is_in_text(name->getLocation())) {
      assigned_.insert(extents_.begin(name->getLocation()));
    }
  }

  const Variable& add(const clang::VarDecl& declaration) {
    const auto known = variables_.find(&declaration);
    if (known != variables_.end()) return *known->second;
    Variable variable;
    variable.name = declaration.getNameAsString();
    variable.declared = extents_.begin(declaration.getBeginLoc());
    variable.named = extents_.begin(declaration.getLocation());
    variable.type = declaration.getType().getAsOpaquePtr();
    variable.is_static = declaration.isStaticLocal();
    variable.is_global = !declaration.isLocalVarDeclOrParm() || declaration.hasExternalStorage();
    variable.is_thread_local = declaration.getTLSKind() != clang::VarDecl::TLS_None;
    variable.is_register = declaration.getStorageClass() == clang::SC_Register;
    variable.is_in_named_register =
        variable.is_register && declaration.hasAttr<clang::AsmLabelAttr>();
    for (const clang::VarDecl* one : declaration.redecls()) {
      if (one->hasGlobalStorage() && one->hasInit()) {
        variable.initializer = extents_.of(one->getInit()->getSourceRange());
      }
      variable.alignment = std::max<size_t>(variable.alignment, one->getMaxAlignment() / 8);
    }
    program_.variables.push_back(std::move(variable));
    variables_[&declaration] = &program_.variables.back();
    return program_.variables.back();
  }

  // All declarations of one variable are one here.
  const Variable& variable_of(const clang::VarDecl& declaration) {
    return add(*declaration.getCanonicalDecl());
  }

  void add_local_name(clang::SourceLocation place, const clang::TypeDecl& declaration) {
    if (!is_local(declaration) || !extents_.is_in_text(place)) return;
    const auto* canonical = clang::cast<clang::TypeDecl>(declaration.getCanonicalDecl());
    const LocalType*& known = local_types_[canonical];
    if (known == nullptr) {
      program_.local_types.push_back(describe_local_type(*canonical, extents_));
      known = &program_.local_types.back();
    }
    if (!known->name.empty()) program_.local_names.push_back({extents_.begin(place), known});
  }

  clang::ASTContext& context_;
  Extents extents_;
  Program program_;
  std::map<const clang::VarDecl*, const Variable*> variables_;
  std::map<const clang::TypeDecl*, const LocalType*> local_types_;
  std::set<size_t> assigned_;  // names that stand where a variable is assigned
};

}  // namespace

Program collect(clang::ASTUnit& unit) { return Collector(unit.getASTContext()).run(); }

}  // namespace bobbin::translate
