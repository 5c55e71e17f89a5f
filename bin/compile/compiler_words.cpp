// SPDX-License-Identifier: Apache-2.0
#include "compile/compiler_words.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

namespace bobbin::cli {
namespace {

// The options of gcc, gfortran, clang and flang whose argument is a word of its own. `-I` and
// others may have it in the same word instead; these texts are the bare options.
constexpr std::string_view kWithArgument[] = {"-o",
                                              "-x",
                                              "-I",
                                              "-L",
                                              "-l",
                                              "-D",
                                              "-U",
                                              "-A",
                                              "-B",
                                              "-F",
                                              "-G",
                                              "-J",
                                              "-T",
                                              "-e",
                                              "-h",
                                              "-u",
                                              "-z",
                                              "-imacros",
                                              "-include",
                                              "-include-pch",
                                              "-idirafter",
                                              "-iframework",
                                              "-imultiarch",
                                              "-imultilib",
                                              "-iprefix",
                                              "-iquote",
                                              "-isysroot",
                                              "-isystem",
                                              "-isystem-after",
                                              "-cxx-isystem",
                                              "-stdlib++-isystem",
                                              "-ivfsoverlay",
                                              "-iwithprefix",
                                              "-iwithprefixbefore",
                                              "-MF",
                                              "-MJ",
                                              "-MQ",
                                              "-MT",
                                              "-Tbss",
                                              "-Tdata",
                                              "-Ttext",
                                              "-Xanalyzer",
                                              "-Xassembler",
                                              "-Xclang",
                                              "-Xflang",
                                              "-Xlinker",
                                              "-Xopenmp-target",
                                              "-Xpreprocessor",
                                              "-mllvm",
                                              "-mmlir",
                                              "-arch",
                                              "-aux-info",
                                              "-ccc-gcc-name",
                                              "-dumpbase",
                                              "-dumpbase-ext",
                                              "-dumpdir",
                                              "-framework",
                                              "-gcc-toolchain",
                                              "-module-dir",
                                              "-resource-dir",
                                              "-rpath",
                                              "-serialize-diagnostics",
                                              "-specs",
                                              "-target",
                                              "-working-directory",
                                              "-wrapper",
                                              "--assert",
                                              "--config",
                                              "--define-macro",
                                              "--dumpbase",
                                              "--dumpdir",
                                              "--entry",
                                              "--for-assembler",
                                              "--for-linker",
                                              "--imacros",
                                              "--include",
                                              "--include-directory",
                                              "--include-directory-after",
                                              "--language",
                                              "--library-directory",
                                              "--output",
                                              "--param",
                                              "--prefix",
                                              "--serialize-diagnostics",
                                              "--specs",
                                              "--sysroot",
                                              "--target",
                                              "--undefine-macro"};

// As many as gcc reads before it assumes that a file names itself.
constexpr int kMostResponseFiles = 2000;

// Quotes and backslashes as gcc and clang know them: a backslash has its meaning in both quotes.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  bool within = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (c == '\\' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  return words;
}

// A file that cannot be read stays a word.
std::vector<std::string> with_response_files(std::vector<std::string> words) {
  int read = 0;
  for (size_t i = 0; i < words.size();) {
    std::ifstream file;
    if (words[i].starts_with("@") && read < kMostResponseFiles) file.open(words[i].substr(1));
    if (!file.is_open()) {
      ++i;
      continue;
    }
    ++read;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::vector<std::string> more = words_in(text);
    const auto at = words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    words.insert(at, more.begin(), more.end());
  }
  return words;
}

bool has_argument(const std::string& word) {
  return std::find(std::begin(kWithArgument), std::end(kWithArgument), word) !=
             std::end(kWithArgument) ||
         word.starts_with("-Xarch_") || word.starts_with("-Xopenmp-target=");
}

}  // namespace

std::vector<CompilerWord> read_compiler_words(const std::vector<std::string>& words) {
  const std::vector<std::string> all = with_response_files(words);
  std::vector<CompilerWord> read;
  bool only_inputs = false;
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string& word = all[i];
    if (only_inputs || word == "-" || !word.starts_with("-")) {
      read.push_back({word, "", true});
    } else if (word == "--") {
      only_inputs = true;
    } else if (has_argument(word) && i + 1 < all.size()) {
      read.push_back({word, all[++i], false});
    } else {
      read.push_back({word, "", false});
    }
  }
  return read;
}

}  // namespace bobbin::cli
