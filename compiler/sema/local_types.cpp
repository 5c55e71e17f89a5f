// SPDX-License-Identifier: Apache-2.0
#include "sema/local_types.h"

#include <clang/AST/ASTContext.h>
#include <clang/Frontend/ASTUnit.h>
#include <llvm/ADT/SmallString.h>
namespace bobbin::translate {
namespace {

std::vector<LocalType::Enumerator> enumerators_of(const clang::EnumDecl& definition) {
  std::vector<LocalType::Enumerator> found;
  for (const clang::EnumConstantDecl* one : definition.enumerators()) {
    llvm::SmallString<16> value;
    one->getInitVal().toString(value);
    found.push_back({one->getNameAsString(), value.str().str()});
  }
  return found;
}

}  // namespace

LocalType describe_local_type(const clang::TypeDecl& canonical, const Extents& extents) {
  LocalType made;
  made.declaration = static_cast<const clang::Decl*>(&canonical);
  made.name = canonical.getNameAsString();
  made.declared = extents.begin(canonical.getBeginLoc());
  if (const auto* alias = clang::dyn_cast<clang::TypedefNameDecl>(&canonical)) {
    made.kind = LocalType::Kind::Alias;
    made.aliased = alias->getUnderlyingType().getAsOpaquePtr();
    return made;
  }
  const auto& tag = clang::cast<clang::TagDecl>(canonical);
  made.keyword = tag.getKindName().str();
  const clang::TagDecl* definition = tag.getDefinition();
  if (definition == nullptr) return made;
  const clang::SourceRange braces = definition->getBraceRange();
  made.definition = {extents.begin(definition->getInnerLocStart()),
                     extents.end_with_attributes(extents.end(braces.getEnd()))};
  made.braces = extents.of(braces);
  if (const auto* enumeration = clang::dyn_cast<clang::EnumDecl>(definition)) {
    made.kind = LocalType::Kind::Enumeration;
    made.enumerators = enumerators_of(*enumeration);
  }
  return made;
}

void move_to_file(Program& program, const LocalType& type, const std::string& name) {
  auto& context = static_cast<clang::ASTUnit*>(program.clang.get())->getASTContext();
  const auto* declaration = static_cast<const clang::Decl*>(type.declaration);
  for (clang::Decl* one : declaration->redecls()) {
    clang::cast<clang::NamedDecl>(one)->setDeclName(&context.Idents.get(name));
  }
  program.moved.insert(declaration);
}

}  // namespace bobbin::translate
