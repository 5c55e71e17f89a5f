// SPDX-License-Identifier: Apache-2.0
#include "words/wrong_words.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <utility>

#include "words/exit_codes.h"

namespace bobbin::cli {

std::string instead_of_command(std::string_view word) {
  static constexpr std::pair<const char*, const char*> kWords[] = {
      {"record", "bobbin run --span --record GRAPH PROGRAM"},
      {"mpi", "bobbin run --mpi PROGRAM"},
      {"version", "bobbin --version"},
      {"link-flags", "bobbin --link-flags"},
      {"fortran", "bobbin fc"},
      {"gcc", "bobbin cc"},
      {"clang", "bobbin cc --cc=clang"},
      {"g++", "bobbin c++"},
      {"cxx", "bobbin c++"},
      {"clang++", "bobbin c++ --cc=clang++"},
      {"gfortran", "bobbin fc"},
  };
  for (const auto& [known, instead] : kWords) {
    if (word == known) return instead;
  }
  return {};
}

std::string problem_of(const CLI::ParseError& error) {
  std::string text = error.what();
  const size_t colon = text.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && text.ends_with(" missing")) {
    return text.substr(0, colon) + " lacks a value";
  }
  constexpr std::string_view kRequired = " is required";
  if (text.ends_with(kRequired))
    return "which " + text.substr(0, text.size() - kRequired.size()) + "?";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && colon != std::string::npos) {
    return "unexpected: " + text.substr(colon + 2);
  }
  return text;
}

int misused(const std::string& command, const std::string& problem) {
  const std::string name = command.empty() ? "bobbin" : "bobbin " + command;
  std::fprintf(stderr, "%s: %s (see %s --help)\n", name.c_str(), problem.c_str(), name.c_str());
  return kOwnFailure;
}

}  // namespace bobbin::cli
