// SPDX-License-Identifier: Apache-2.0
#include "compile/compiler.h"

#include "processes/captured_run.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

Compiler look_at_compiler(const fs::path& path) {
  Compiler compiler;
  compiler.path = path;
  const Outcome outcome = captured_run({path.string(), "--version"});
  compiler.version = outcome.said;
  if (outcome.failed()) return compiler;
  const std::string line = outcome.said.substr(0, outcome.said.find('\n'));
  const auto says = [&](const char* word) { return line.find(word) != std::string::npos; };
  if (says("flang")) {
    compiler.kind = CompilerKind::Flang;
  } else if (says("clang")) {
    compiler.kind = CompilerKind::Clang;
  } else if (outcome.said.find("Free Software Foundation") != std::string::npos) {
    compiler.kind = CompilerKind::Gnu;
  }
  return compiler;
}

}  // namespace bobbin::cli
