// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "words/command_line.h"

namespace bobbin::cli {

// The settings that `run` and `env` take as options. Each stands for one environment variable, and
// an option wins over a variable the user has set.
class LaunchOptions {
 public:
  void add_to(CLI::App& command);

  std::vector<std::pair<std::string, std::string>> variables() const;
  // The option by which the user has set the variable; empty: by none.
  std::string option_that_sets(std::string_view variable) const;
  void apply() const;

 private:
  struct Given {
    const char* variable;
    const char* option;
    const std::string* value;
  };
  std::vector<Given> given() const;

  std::string threads_;
  std::string provider_;
  std::string wait_;
  std::string bind_;
  std::string places_;
  std::string stack_size_;
  std::string display_env_;
};

}  // namespace bobbin::cli
