// SPDX-License-Identifier: Apache-2.0
#include "compile/translated_objects.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace bobbin::cli {
namespace {

// How the names of include/bobbin/native.h begin.
constexpr std::string_view kCalled = "bobbin_omp_";

bool is_translated(const std::string& name) {
  const std::string extension = std::filesystem::path(name).extension().string();
  if (extension != ".o" && extension != ".lo" && extension != ".a") return false;
  std::ifstream file(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find(kCalled) != std::string::npos;
}

}  // namespace

bool has_translated_objects(const std::vector<CompilerWord>& words) {
  return std::any_of(words.begin(), words.end(), [](const CompilerWord& word) {
    return word.is_input && is_translated(word.text);
  });
}

std::vector<std::string> words_of_library(const Installation& installation) {
  // The names first: beside the library may lie others.
  return {installation.library.string(), "-pthread", "-Wl,-rpath," + installation.names.string(),
          "-Wl,-rpath," + installation.library.parent_path().string()};
}

}  // namespace bobbin::cli
