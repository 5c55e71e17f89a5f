// SPDX-License-Identifier: Apache-2.0
#include "compile/compiler_request.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "files/openmp_library.h"

namespace bobbin::cli {
namespace {

using Words = std::vector<CompilerWord>;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return text.starts_with(start); });
}

// The last option of these; nullptr: there is none.
const CompilerWord* last_of(const Words& words, bool (*belongs)(std::string_view)) {
  const auto last = std::find_if(words.rbegin(), words.rend(), [&](const CompilerWord& word) {
    return !word.is_input && belongs(word.text);
  });
  return last == words.rend() ? nullptr : &*last;
}

bool answers_or_checks(std::string_view option) {
  return is_one_of(option, {"-E", "-M", "-MM", "-fsyntax-only", "--analyze", "--preprocess",
                            "--dependencies", "--user-dependencies", "--version", "--help", "-help",
                            "-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs",
                            "-cc1", "-cc1as", "-fc1"}) ||
         starts_with_one_of(option, {"-print-", "--print-", "--help="});
}

// Would the inputs become precompiled headers? If anything is given to the linker, gcc links.
bool are_headers(const Words& words) {
  std::string language = "none";
  bool has_header = false;
  for (const CompilerWord& word : words) {
    if (word.text == "-x") language = word.argument;
    if (word.text.starts_with("-x") && word.text.size() > 2) language = word.text.substr(2);
    if (!word.is_input) continue;
    const std::string extension = std::filesystem::path(word.text).extension().string();
    has_header = language == "none" ? is_one_of(extension, {".h", ".H", ".hh", ".hp", ".hpp",
                                                            ".hxx", ".HPP", ".h++", ".tcc"})
                                    : language.ends_with("-header");
    if (!has_header) return false;
  }
  return has_header;
}

bool merges(const CompilerWord& word) {
  return is_one_of(word.text, {"-r", "-Wl,-r", "-Wl,-i", "-Wl,--relocatable"}) ||
         (word.text == "-Xlinker" && is_one_of(word.argument, {"-r", "-i", "--relocatable"}));
}

// The file name of a library that is linked; empty: none is.
std::string library_of(const CompilerWord& word) {
  if (word.is_input) return std::filesystem::path(word.text).filename().string();
  if (!word.text.starts_with("-l")) return "";
  const std::string name = word.text == "-l" ? word.argument : word.text.substr(2);
  return name.starts_with(":") ? name.substr(1) : "lib" + name + ".so";
}

bool is_openmp_library(const std::string& file_name) {
  return vendor_by_name(file_name) != Vendor::None &&
         (file_name.find(".so") != std::string::npos || file_name.ends_with(".a"));
}

// The word that links libgomp.a, whose functions have no versions; empty: there is none.
std::string static_libgomp(const Words& words) {
  bool is_static = false;
  for (const CompilerWord& word : words) {
    const std::string& option = word.text == "-Xlinker" ? word.argument : word.text;
    if (is_one_of(option, {"-Bstatic", "-Wl,-Bstatic"})) is_static = true;
    if (is_one_of(option, {"-Bdynamic", "-Wl,-Bdynamic"})) is_static = false;
    std::string library = library_of(word);
    if (vendor_by_name(library) != Vendor::Gnu) continue;
    if (library.ends_with(".a")) return library;
    if (is_static && !word.is_input) return "a static libgomp";
  }
  return "";
}

// The word after which no code of Bobbin's fits the program's; empty: there is none.
std::string foreign_target(const CompilerWord& word) {
  if (is_one_of(word.text, {"-m32", "-mx32", "-m16"})) return word.text;
  if (is_one_of(word.text, {"-target", "--target", "-arch"})) {
    return word.text + " " + word.argument;
  }
  return word.text.starts_with("--target=") ? word.text : "";
}

bool is_static(std::string_view option) { return is_one_of(option, {"-static", "-static-pie"}); }

bool prevents_gnu(std::string_view option) {
  // The last makes calls of the runtime after the linker was told of all calls.
  return is_one_of(option, {"-fno-use-linker-plugin", "-fuse-ld=lld"}) ||
         option.starts_with("-ftree-parallelize-loops=");
}

bool prevents_llvm(std::string_view option) {
  return is_one_of(option, {"-fopenmp=libgomp", "-static-openmp"}) ||
         starts_with_one_of(option, {"-fopenmp-targets=", "--offload-arch="});
}

}  // namespace

Product product_of(const Words& words) {
  const auto has = [&](auto condition) {
    return std::any_of(words.begin(), words.end(),
                       [&](const CompilerWord& word) { return !word.is_input && condition(word); });
  };
  const bool has_input = std::any_of(words.begin(), words.end(), [](const CompilerWord& word) {
    return word.is_input || word.text.starts_with("-l");
  });
  if (!has_input || has([](const auto& word) { return answers_or_checks(word.text); })) {
    return Product::None;
  }
  if (has([](const auto& word) { return is_one_of(word.text, {"-S", "--assemble"}); })) {
    return Product::Assembly;
  }
  if (has([](const auto& word) { return is_one_of(word.text, {"-c", "--compile"}); })) {
    return Product::Object;
  }
  if (are_headers(words)) return Product::Object;
  return has(merges) ? Product::MergedObject : Product::Program;
}

bool compiles_openmp(const Words& words) {
  const CompilerWord* last = last_of(words, [](std::string_view option) {
    return is_one_of(option, {"-fopenmp", "-fno-openmp"}) || option.starts_with("-fopenmp=");
  });
  return last != nullptr && last->text != "-fno-openmp";
}

bool links_openmp(const Words& words) {
  return compiles_openmp(words) ||
         std::any_of(words.begin(), words.end(),
                     [](const CompilerWord& word) { return is_openmp_library(library_of(word)); });
}

bool links_statically(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const CompilerWord& word) {
    return !word.is_input && is_static(word.text);
  });
}

Obstacle obstacle_in(const Words& words, CompilerKind kind) {
  for (const CompilerWord& word : words) {
    if (word.is_input) continue;
    if (const std::string target = foreign_target(word); !target.empty()) {
      return {"with " + target, true};
    }
  }
  const bool is_gnu = kind == CompilerKind::Gnu;
  for (const CompilerWord& word : words) {
    if (word.is_input) continue;
    if (is_static(word.text) || word.text.starts_with("-fsanitize=") ||
        (is_gnu ? prevents_gnu(word.text) : prevents_llvm(word.text))) {
      return {"with " + word.text};
    }
  }
  if (!is_gnu) return {};
  const CompilerWord* lto = last_of(words, [](std::string_view option) {
    return is_one_of(option, {"-fno-lto", "-flto"}) || option.starts_with("-flto=");
  });
  if (lto != nullptr && lto->text == "-fno-lto") return {"with -fno-lto"};
  const std::string library = static_libgomp(words);
  return {library.empty() ? "" : "with " + library};
}

}  // namespace bobbin::cli
