// SPDX-License-Identifier: Apache-2.0
#include "completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <sstream>

#include "compile/compile.h"
#include "compile/translate.h"
#include "lab.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

using Words = std::vector<std::string>;

void offer(const std::string& candidate, const std::string& meaning, const std::string& typed) {
  if (candidate.starts_with(typed)) std::printf("%s\t%s\n", candidate.c_str(), meaning.c_str());
}

void offer_options(const CLI::App& app, const std::string& typed) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      offer("--" + name, option->get_description(), typed);
    }
    for (const std::string& name : option->get_snames()) {
      offer("-" + name, option->get_description(), typed);
    }
  }
}

// A type's name tells the values, or what kind of thing is meant.
void offer_values(const CLI::Option& option, const std::string& typed) {
  const std::string type = option.get_type_name();
  if (type == "TARGET" || type == "DIR" || type == "FILE") {
    std::puts(":file");
  } else if (type == "PID") {
    std::puts(":process");
  } else if (type.find('|') != std::string::npos) {
    std::istringstream values(type);
    for (std::string value; std::getline(values, value, '|');) offer(value, "", typed);
  }
}

// `cc` and `translate` have no definitions of their options but their help.
void offer_options_in(const char* text, const std::string& typed) {
  std::istringstream help(text);
  for (std::string line; std::getline(help, line);) {
    if (!line.starts_with("  --")) continue;
    const size_t end = line.find_first_of(" =", 2);
    const size_t meaning = line.find_first_not_of(' ', line.find(' ', 2));
    offer(line.substr(2, end - 2) + (line[end] == '=' ? "=" : ""), line.substr(meaning), typed);
  }
}

void complete_command(const CLI::App& command, const Words& words) {
  const std::string& typed = words.back();
  const bool takes_program = command.get_prefix_command();
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (takes_program && (word == "--" || !word.starts_with("-"))) {
      std::printf(":program %zu\n", word == "--" ? i + 1 : i);
      return;
    }
    const CLI::Option* option = command.get_option_no_throw(word);
    if (option == nullptr || option->get_items_expected_max() == 0) continue;
    if (++i + 1 == words.size()) return offer_values(*option, typed);
  }
  if (typed.starts_with("-")) return offer_options(command, typed);
  if (takes_program) std::puts(":command");
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) return offer_values(*option, typed);
  }
}

}  // namespace

int complete(CLI::App& app, const Words& words) {
  if (words.empty()) return kSuccess;
  const std::string& first = words.front();
  if (words.size() == 1) {
    if (first.starts_with("-")) offer_options(app, first);
    for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
      offer(command->get_name(), command->get_description(), first);
    }
    offer("c++", "compile C++ with tasks inlined", first);
    offer("fc", "compile Fortran with tasks inlined", first);
    return kSuccess;
  }
  if (first == "lab") {
    Words question = {kCompleteWord};
    question.insert(question.end(), words.begin() + 1, words.end());
    return run_lab(question);
  }
  if (first == "translate") {
    if (words.back().starts_with("--")) offer_options_in(translate_help(), words.back());
    std::puts(":file");
    return kSuccess;
  }
  if (is_compile_command(first)) {
    if (words.back().starts_with("--")) offer_options_in(compile_help(first), words.back());
    std::puts(":file");
    return kSuccess;
  }
  // These are short for it, with one of its options.
  const std::string full = first == "span" || first == "trace" ? "run" : first;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_name() == full) complete_command(*command, words);
  }
  return kSuccess;
}

}  // namespace bobbin::cli
