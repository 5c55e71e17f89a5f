// SPDX-License-Identifier: Apache-2.0
#include "compiles.h"

#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>

namespace bobbin::fuzz {
namespace {

class FirstError : public clang::DiagnosticConsumer {
 public:
  std::string text;

  // NOLINTNEXTLINE(readability-identifier-naming): Clang's name
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error || !text.empty()) return;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      const clang::SourceManager& sources = diagnostic.getSourceManager();
      if (sources.isInSystemHeader(diagnostic.getLocation())) return;
      text = diagnostic.getLocation().printToString(sources) + ": ";
    }
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    text += message.str();
  }
};

}  // namespace

std::string problem_of(const std::string& text, const std::vector<std::string>& options) {
  FirstError error;
  std::vector<std::string> words = {"-x", "c", "-std=gnu17", "-w"};
  words.insert(words.end(), options.begin(), options.end());
  clang::tooling::buildASTFromCodeWithArgs(text, words, "out.c", "bobbin-fuzz",
                                           std::make_shared<clang::PCHContainerOperations>(),
                                           clang::tooling::getClangStripDependencyFileAdjuster(),
                                           clang::tooling::FileContentMappings(), &error);
  return error.text;
}

}  // namespace bobbin::fuzz
