// SPDX-License-Identifier: Apache-2.0
#include "compiler.h"

#include <array>
#include <cstdio>

#include "shell_words.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

Outcome run_compiler(const std::vector<std::string>& words) {
  std::string command = "LC_ALL=C";
  for (const std::string& word : words) command += " " + shell_quoted(word);
  command += " 2>&1 </dev/null";
  Outcome outcome;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.said.append(buffer.data(), got);
  }
  outcome.failed = pclose(pipe) != 0;
  return outcome;
}

Compiler look_at_compiler(const fs::path& path) {
  Compiler compiler;
  compiler.path = path;
  const Outcome outcome = run_compiler({path.string(), "--version"});
  compiler.version = outcome.said;
  if (outcome.failed) return compiler;
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
