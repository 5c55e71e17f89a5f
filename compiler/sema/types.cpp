// SPDX-License-Identifier: Apache-2.0
#include "sema/types.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/ASTUnit.h>
#include <llvm/Support/raw_ostream.h>

namespace bobbin::translate {
namespace {

clang::QualType unwrap(Type type) { return clang::QualType::getFromOpaquePtr(type); }

// Finds a declaration in a type that has no name outside of its function, or none at all.
class Unnameable : public clang::RecursiveASTVisitor<Unnameable> {
 public:
  explicit Unnameable(const std::set<const void*>& moved) : moved_(moved) {}

  std::string found;

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool VisitTagType(clang::TagType* type) { return look_at(*type->getDecl()); }
  bool VisitTypedefType(clang::TypedefType* type) { return look_at(*type->getDecl()); }
  // What a typedef stands for need not be named, unless it has computed lengths: those are written.
  bool TraverseTypedefType(clang::TypedefType* type) {
    if (type->isVariablyModifiedType()) return TraverseType(type->desugar());
    return look_at(*type->getDecl());
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  bool look_at(const clang::NamedDecl& declaration) {
    if (moved_.contains(declaration.getCanonicalDecl())) return true;
    const auto* tag = clang::dyn_cast<clang::TagDecl>(&declaration);
    const bool has_name = !declaration.getName().empty() ||
                          (tag != nullptr && tag->getTypedefNameForAnonDecl() != nullptr);
    if (declaration.getParentFunctionOrMethod() == nullptr && has_name) return true;
    found = has_name ? "'" + declaration.getNameAsString() + "', which is declared in a function"
                     : "without a name";
    return false;
  }

  const std::set<const void*>& moved_;
};

// Collects the declarations of functions' own that the text of a type names.
class Locals : public clang::RecursiveASTVisitor<Locals> {
 public:
  std::vector<const void*> found;

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool VisitTagType(clang::TagType* type) { return add(*type->getDecl()); }
  bool VisitTypedefType(clang::TypedefType* type) { return add(*type->getDecl()); }
  // NOLINTEND(readability-identifier-naming)

 private:
  bool add(const clang::NamedDecl& declaration) {
    if (declaration.getParentFunctionOrMethod() != nullptr) {
      found.push_back(declaration.getCanonicalDecl());
    }
    return true;
  }
};

clang::ASTContext& context_of(const Program& program) {
  return static_cast<clang::ASTUnit*>(program.clang.get())->getASTContext();
}

clang::PrintingPolicy policy_of(const clang::ASTContext& context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressScope = false;
  policy.Bool = false;
  policy.IncludeTagDefinition = false;
  policy.AnonymousTagLocations = false;
  return policy;
}

// The expression of a typeof may name what only the user's function knows.
clang::QualType without_typeof(clang::ASTContext& context, clang::QualType type) {
  const clang::Qualifiers qualifiers = type.getLocalQualifiers();
  while (clang::isa<clang::TypeOfExprType>(type.getTypePtr()) ||
         clang::isa<clang::TypeOfType>(type.getTypePtr())) {
    type = type.getSingleStepDesugaredType(context);
  }
  if (const auto* pointer = clang::dyn_cast<clang::PointerType>(type.getTypePtr())) {
    const clang::QualType made =
        context.getPointerType(without_typeof(context, pointer->getPointeeType()));
    return context.getQualifiedType(made, type.getLocalQualifiers() + qualifiers);
  }
  return context.getQualifiedType(type, qualifiers);
}

std::string print(clang::ASTContext& context, clang::QualType type, const std::string& name) {
  std::string text;
  llvm::raw_string_ostream out(text);
  type = without_typeof(context, type);
  type.print(out, policy_of(context), name);
  return text;
}

// A pointer's declarator needs parentheses before brackets.
std::string in_parentheses(const std::string& name) {
  return name.starts_with("*") ? "(" + name + ")" : name;
}

std::string ratio_of_sizes(const std::string& array, const std::string& element) {
  return "sizeof " + array + " / sizeof " + element;
}

}  // namespace

Types::Types(const Program& program) : program_(program) {}

bool Types::is_scalar(Type type) const { return unwrap(type)->isScalarType(); }
bool Types::is_arithmetic(Type type) const { return unwrap(type)->isArithmeticType(); }
bool Types::is_integer(Type type) const { return unwrap(type)->isIntegerType(); }
bool Types::is_floating(Type type) const { return unwrap(type)->isRealFloatingType(); }
bool Types::is_pointer(Type type) const { return unwrap(type)->isPointerType(); }
bool Types::is_array(Type type) const { return unwrap(type)->isArrayType(); }
bool Types::is_variable(Type type) const { return unwrap(type)->isVariablyModifiedType(); }
bool Types::is_variable_array(Type type) const { return is_array(type) && is_variable(type); }
size_t Types::size(Type type) const {
  return static_cast<size_t>(context_of(program_).getTypeSizeInChars(unwrap(type)).getQuantity());
}
size_t Types::alignment(const Variable& variable) const {
  const clang::CharUnits own = context_of(program_).getTypeAlignInChars(unwrap(variable.type));
  return std::max(variable.alignment, static_cast<size_t>(own.getQuantity()));
}
bool Types::are_same(Type a, Type b) const {
  return context_of(program_).hasSameUnqualifiedType(unwrap(a), unwrap(b));
}
bool Types::is_signed(Type type) const { return unwrap(type)->isSignedIntegerOrEnumerationType(); }
Type Types::element(Type type) const {
  return context_of(program_).getAsArrayType(unwrap(type))->getElementType().getAsOpaquePtr();
}
Type Types::pointee(Type type) const { return unwrap(type)->getPointeeType().getAsOpaquePtr(); }

size_t Types::end_of_definition(Type type) const {
  const clang::TagDecl* tag = unwrap(type)->getAsTagDecl();
  const clang::TagDecl* definition = tag != nullptr ? tag->getDefinition() : nullptr;
  if (definition == nullptr) return 0;
  return context_of(program_).getSourceManager().getFileOffset(definition->getEndLoc());
}

std::string Types::unnameable(Type type) const {
  Unnameable visitor(program_.moved);
  visitor.TraverseType(unwrap(type));
  return visitor.found;
}

std::vector<const void*> Types::local_types(Type type) const {
  Locals visitor;
  visitor.TraverseType(unwrap(type));
  return visitor.found;
}

std::string Types::declare(Type type, const std::string& name, Const keep,
                           const std::vector<std::string>& lengths) const {
  clang::ASTContext& context = context_of(program_);
  clang::QualType rest = unwrap(type);
  if (keep == Const::Drop) {
    rest = rest->isArrayType() ? context.getUnqualifiedArrayType(rest) : rest.getUnqualifiedType();
  }
  std::string declarator = name;
  size_t length = 0;
  // What has computed lengths is written from the outside in, until the rest has none.
  while (rest->isVariablyModifiedType()) {
    if (const clang::ArrayType* array = context.getAsArrayType(rest)) {
      std::string text = "";
      if (const auto* constant = clang::dyn_cast<clang::ConstantArrayType>(array)) {
        text = std::to_string(constant->getSize().getZExtValue());
      } else if (clang::isa<clang::VariableArrayType>(array) && length < lengths.size()) {
        text = lengths[length++];
      }
      declarator = in_parentheses(declarator).append("[").append(text).append("]");
      rest = array->getElementType();
    } else if (rest->isPointerType()) {
      declarator.insert(0, rest.isConstQualified() ? "*const " : "*");
      rest = rest->getPointeeType();
    } else {
      break;  // a function's parameters; the native compiler will not accept it
    }
  }
  return print(context, rest, declarator);
}

std::string Types::declare(const Variable& variable, const std::string& name, Const keep,
                           const std::vector<std::string>& lengths) const {
  return declare(variable.type, name, keep, lengths) + attribute(variable);
}

std::string Types::attribute(const Variable& variable) const {
  if (variable.alignment == 0) return "";
  return " __attribute__((aligned(" + std::to_string(variable.alignment) + ")))";
}

std::string Types::declare_pointer(Type type, const std::string& name,
                                   const std::vector<std::string>& lengths) const {
  clang::ASTContext& context = context_of(program_);
  return declare(context.getPointerType(unwrap(type)).getAsOpaquePtr(), name, Const::Keep, lengths);
}

std::vector<std::string> Types::lengths(Type type, const std::string& expression) const {
  clang::ASTContext& context = context_of(program_);
  std::vector<std::string> found;
  clang::QualType rest = unwrap(type);
  std::string at = expression;
  while (rest->isVariablyModifiedType()) {
    if (const clang::ArrayType* array = context.getAsArrayType(rest)) {
      const std::string element = at + "[0]";
      if (clang::isa<clang::VariableArrayType>(array)) {
        found.push_back(ratio_of_sizes(at, element));
      }
      at = element;
      rest = array->getElementType();
    } else if (rest->isPointerType()) {
      at.insert(0, "(*").append(")");
      rest = rest->getPointeeType();
    } else {
      break;
    }
  }
  return found;
}

}  // namespace bobbin::translate
