// SPDX-License-Identifier: Apache-2.0
#include "short_forms.h"

#include "files/program_file.h"

namespace bobbin::cli {
namespace {

bool is_program(const std::string& name) {
  return !name.empty() && find_program(name).problem.empty();
}

}  // namespace

std::vector<std::string> in_full(const std::vector<std::string>& words, const std::string& target) {
  if (words.empty()) return words;
  std::vector<std::string> made = {"run"};
  if (words.front() == "span") {
    made.emplace_back("--span");
  } else if (words.front() == "trace") {
    made.insert(made.end(), {"--trace", kDefaultTrace});
  } else if (words.front() == "profile" && is_program(target)) {
    made.emplace_back("--profile");
  } else {
    return words;
  }
  made.insert(made.end(), words.begin() + 1, words.end());
  return made;
}

}  // namespace bobbin::cli
