// SPDX-License-Identifier: Apache-2.0
#include "one_word.h"

#include <filesystem>

namespace bobbin::cli {

std::vector<std::string> words_of_name(std::string_view called) {
  const std::string name = std::filesystem::path(called).filename().string();
  if (name == "bobbin-cc") return {"cc"};
  if (name == "bobbin-c++") return {"c++"};
  if (name == "bobbin-fc") return {"fc"};
  if (name == "bobbin-translate-cc") return {"cc", "--translate"};
  return {};
}

}  // namespace bobbin::cli
