// SPDX-License-Identifier: Apache-2.0
#include "driver/options.h"

#include <filesystem>

#include "driver/source_language.h"

namespace bobbin::translate {

namespace {

// The last of the compiler's -x tells the language, whatever the file is called; empty: there is
// none.
std::string named_language(const std::vector<std::string>& compiler) {
  std::string language;
  for (size_t i = 0; i < compiler.size(); ++i) {
    if (compiler[i] == "-x" && i + 1 < compiler.size()) {
      language = compiler[i + 1];
    } else if (compiler[i].starts_with("-x")) {
      language = compiler[i].substr(2);
    }
  }
  return language == "none" ? "" : language;
}

// Preprocessed as C, a source in another language would be handed on as if it had been translated.
std::string foreign_input(const Options& options) {
  const std::string language = named_language(options.compiler);
  if (!language.empty()) {
    const bool is_c = language == "c" || language == "cpp-output" || language == "c-header";
    return is_c ? "" : "it translates C only, not -x " + language;
  }
  const ForeignLanguage foreign =
      foreign_language(std::filesystem::path(options.input).extension().string());
  if (foreign.name.empty()) return {};
  return options.input + " is " + std::string(foreign.name) +
         ", and it translates C only: " + std::string(foreign.command) +
         " compiles that. For a file of C under this name: -- -x c";
}

}  // namespace

Options read_options(const std::vector<std::string>& words) {
  Options options;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      options.compiler.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (word == "-o" || word == "--header") {
      if (i + 1 == words.size() || words[i + 1] == "--") {
        options.problem = word + " lacks a value";
        return options;
      }
      (word == "-o" ? options.output : options.header) = words[++i];
    } else if (word == "--no-line-markers") {
      options.markers = Markers::None;
    } else if (word == "--each-line-marked") {
      options.markers = Markers::Each;
      options.self_contained = true;
    } else if (word == "--self-contained") {
      options.self_contained = true;
    } else if (word.starts_with("-") && word != "-") {
      options.problem = "there is no option " + word;
      return options;
    } else if (!options.input.empty()) {
      options.problem = "one file at a time: " + options.input + ", " + word;
      return options;
    } else {
      options.input = word;
    }
  }
  if (options.input.empty()) options.problem = "which file?";
  if (options.problem.empty()) options.problem = foreign_input(options);
  if (options.compiler.empty()) options.problem = "which compiler?";
  return options;
}

std::vector<std::string> language_options(const std::vector<std::string>& compiler) {
  // GCC's own default, whichever Clang's is.
  std::vector<std::string> options = {"-std=gnu17"};
  for (const std::string& word : compiler) {
    const bool is_language =
        word.starts_with("-std=") || word == "-ansi" || word == "-fsigned-char" ||
        word == "-funsigned-char" || word == "-fshort-enums" || word == "-m32" ||
        word == "-fms-extensions" || word == "-fgnu89-inline" || word == "-fno-builtin";
    if (is_language) options.push_back(word);
  }
  return options;
}

std::vector<std::string> processor_features(const std::vector<std::string>& compiler) {
  std::vector<std::string> features;
  for (const std::string& word : compiler) {
    if (word.starts_with("-mno-")) {
      std::erase(features, word.substr(5));
    } else if (word.starts_with("-m") && word.find('=') == std::string::npos) {
      features.push_back(word.substr(2));
    }
  }
  return features;
}

Colours colours_of(const std::vector<std::string>& compiler) {
  Colours colours = Colours::Terminal;
  for (const std::string& word : compiler) {
    if (word == "-fdiagnostics-color" || word == "-fcolor-diagnostics" ||
        word == "-fdiagnostics-color=always") {
      colours = Colours::Always;
    } else if (word == "-fno-diagnostics-color" || word == "-fno-color-diagnostics" ||
               word == "-fdiagnostics-color=never") {
      colours = Colours::Never;
    } else if (word == "-fdiagnostics-color=auto") {
      colours = Colours::Terminal;
    }
  }
  return colours;
}

}  // namespace bobbin::translate
