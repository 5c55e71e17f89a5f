// SPDX-License-Identifier: Apache-2.0
#include "processes/captured_run.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "words/shell_words.h"

namespace bobbin::cli {

Outcome captured_run(const std::vector<std::string>& words) {
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
  const int ended = pclose(pipe);
  if (ended != -1 && WIFEXITED(ended)) outcome.status = WEXITSTATUS(ended);
  return outcome;
}

std::string first_error(const std::string& said) {
  const size_t error = std::min(said.find("error"), said.find("Error"));
  const size_t before = said.rfind('\n', error);
  const size_t begin = error == std::string::npos || before == std::string::npos ? 0 : before + 1;
  return said.substr(begin, said.find('\n', begin) - begin);
}

}  // namespace bobbin::cli
