// SPDX-License-Identifier: Apache-2.0
#include "compile/compile.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "compile/compiler.h"
#include "compile/compiler_request.h"
#include "compile/compiler_words.h"
#include "compile/inline_parts.h"
#include "compile/lto_link.h"
#include "compile/translate.h"
#include "compile/translated_objects.h"
#include "files/installation.h"
#include "files/program_file.h"
#include "words/argument_array.h"
#include "words/exit_codes.h"
#include "words/shell_words.h"

namespace bobbin::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr const char* kHelp =
    "Usage: bobbin cc [--cc=COMPILER] [--show] [--any-runtime] OPTIONS...\n"
    "       bobbin cc --translate [--threads=posix] [--cc=COMPILER] [--show] OPTIONS...\n"
    "       bobbin cc [--any-runtime] --print-flags [COMPILER] [-m...]\n\n"
    "Compiles and links as COMPILER does. OpenMP tasks (-fopenmp) that need not be deferred are\n"
    "inlined. `bobbin c++` is the same for C++ (g++, clang++), and `bobbin fc` for Fortran.\n\n"
    "  --cc=COMPILER  gcc (default), clang, or another by name or path; likewise for C++\n"
    "  --show         show the command on stderr\n"
    "  --translate    translate C's OpenMP directives first (bobbin translate --help)\n"
    "  --threads=posix  link what is translated with plain POSIX threads instead of Bobbin\n"
    "  --any-runtime  do not let the program prefer Bobbin when it is started\n"
    "  --print-flags  print what would be added to compile and to link, and compile nothing\n\n"
    "These stand before the compiler's own options.\n\n"
    "Examples:\n"
    "  bobbin cc -O2 -fopenmp -o simulate simulate.c\n"
    "  bobbin c++ --cc=clang++ -O2 -fopenmp -o simulate simulate.cpp\n"
    "  make CC=bobbin-cc\n";

constexpr const char* kFortranHelp =
    "Usage: bobbin fc [--cc=COMPILER] [--show] [--any-runtime] OPTIONS...\n"
    "       bobbin fc [--any-runtime] --print-flags [COMPILER] [-m...]\n\n"
    "Compiles and links Fortran as COMPILER does. OpenMP tasks (-fopenmp) that need not be "
    "deferred\n"
    "are inlined.\n\n"
    "  --cc=COMPILER  gfortran (default), flang, or another by name or path\n"
    "  --show         show the command on stderr\n"
    "  --any-runtime  do not let the program prefer Bobbin when it is started\n"
    "  --print-flags  print what would be added to compile and to link, and compile nothing\n\n"
    "These stand before the compiler's own options.\n\n"
    "Examples:\n"
    "  bobbin fc -O2 -fopenmp -o simulate simulate.f90\n"
    "  bobbin fc --cc=flang-new-19 -O2 -fopenmp -o simulate simulate.f90\n"
    "  make FC=bobbin-fc\n";

struct Options {
  std::string compiler;
  bool show = false;
  bool any_runtime = false;
  bool translate = false;
  std::string threads;  // of a translated program; empty: Bobbin's
  bool print_flags = false;
  bool help = false;
};

// Bobbin's own stand before the compiler's. Returns where the latter begin.
Words::const_iterator take_options(const Words& words, Options& options) {
  auto word = words.begin();
  for (; word != words.end(); ++word) {
    if (word->starts_with("--cc=")) {
      options.compiler = word->substr(5);
    } else if (*word == "--show") {
      options.show = true;
    } else if (*word == "--any-runtime") {
      options.any_runtime = true;
    } else if (*word == "--translate") {
      options.translate = true;
    } else if (word->starts_with("--threads=")) {
      options.threads = word->substr(10);
    } else if (*word == "--print-flags") {
      options.print_flags = true;
    } else if (*word == "--help") {
      options.help = true;
    } else if (options.print_flags && !word->starts_with("-")) {
      options.compiler = *word;
    } else {
      break;
    }
  }
  return word;
}

int become(const Words& command) {
  const std::vector<char*> arguments = argument_array(command);
  execvp(arguments[0], arguments.data());
  const int reason = errno;
  std::fprintf(stderr, "bobbin: cannot start %s: %s\n", arguments[0], std::strerror(reason));
  return reason == ENOENT ? kProgramMissing : kCannotRun;
}

bool is_source(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension != ".o" && extension != ".lo" && extension != ".a" && extension != ".so" &&
         extension.find_first_of("0123456789") != 1;
}

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// What a link by gcc has. `request`: without inputs, as for --print-flags, it is about sources.
GnuCode gnu_code_in(const std::vector<CompilerWord>& request) {
  GnuCode code;
  bool has_input = false;
  bool has_source = false;
  for (const CompilerWord& word : request) {
    if (!word.is_input) {
      if (word.text.starts_with("-m")) code.options.push_back(word.text);
      continue;
    }
    has_input = true;
    std::set<LtoTarget> found = lto_targets_in(word.text);
    if (found.empty() && is_source(word.text)) has_source = true;
    code.targets.merge(found);
  }
  if (has_input && !has_source) {
    code.options = code.targets.size() == 1 ? *code.targets.begin() : LtoTarget{};
  }
  return code;
}

// What is added in front of the user's words, which are `request`. For --print-flags it is all that
// might be added.
Words additions_for(const std::string& command, const Options& options,
                    const fs::path& compiler_path, const Installation& installation,
                    const std::vector<CompilerWord>& request) {
  const Compiler compiler = look_at_compiler(compiler_path);
  const bool is_gnu = compiler.kind == CompilerKind::Gnu;
  const Product product = options.print_flags ? Product::Program : product_of(request);
  const bool links = product == Product::Program;
  // gcc would put LTO's data into assembly. What it merges gets LTO's data from the objects.
  if (is_gnu && !links && product != Product::Object) return {};

  const GnuCode code = is_gnu && links ? gnu_code_in(request) : GnuCode{};
  InlineParts parts = find_inline_parts(installation, compiler, code);
  const Obstacle obstacle = obstacle_in(request, compiler.kind);
  if (!obstacle.text.empty()) {
    parts.problem = obstacle.text;
    parts.to_compile.clear();
    // Objects of LLVM's compilers may have been compiled without the obstacle. They need the
    // link's.
    if (is_gnu || obstacle.is_foreign) parts.to_link.clear();
  }
  if (!parts.problem.empty()) {
    std::fprintf(stderr, "bobbin %s: tasks are not inlined by %s: %s\n", command.c_str(),
                 options.compiler.c_str(), parts.problem.c_str());
  }
  Words additions = parts.to_compile;
  if (links) append(additions, parts.to_link);
  // Without parts, a clang may be too old for the options against warnings.
  const bool has_parts = !additions.empty();
  if (links && !options.any_runtime && !obstacle.is_foreign && !links_statically(request)) {
    additions.push_back("-Wl,-rpath," + installation.names.string());
  }
  return has_parts ? without_warnings(compiler.kind, additions) : additions;
}

bool has_lto(const Words& additions) {
  return std::find(additions.begin(), additions.end(), "-flto=auto") != additions.end();
}

bool may_have_tasks(const std::vector<CompilerWord>& request) {
  const Product product = product_of(request);
  if (product == Product::None) return false;
  return product == Product::Program ? links_openmp(request) : compiles_openmp(request);
}

int translate_and_compile(const std::string& command, const Options& options,
                          const fs::path& compiler, const Words& users) {
  if (command != "cc" || options.print_flags || options.any_runtime) {
    std::fprintf(stderr, "bobbin %s: --translate takes %s\n", command.c_str(),
                 command != "cc" ? "C only: bobbin cc" : "neither --print-flags nor --any-runtime");
    return kOwnFailure;
  }
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;
  return compile_translated(*installation,
                            {compiler, users, options.show, options.threads == "posix"});
}

}  // namespace

const char* compile_help(std::string_view command) {
  return command == "fc" ? kFortranHelp : kHelp;
}

int compile(const std::string& command, const std::vector<std::string>& words) {
  Options options;
  options.compiler = command == "cc" ? "gcc" : command == "c++" ? "g++" : "gfortran";
  Words users(take_options(words, options), words.end());
  if (options.help) {
    std::fputs(compile_help(command), stdout);
    return kSuccess;
  }
  if (!options.threads.empty() && (options.threads != "posix" || !options.translate)) {
    std::fprintf(stderr, "bobbin %s: --threads is --threads=posix, and goes with --translate\n",
                 command.c_str());
    return kOwnFailure;
  }
  const auto other = std::find_if(users.begin(), users.end(),
                                  [](const std::string& word) { return !word.starts_with("-m"); });
  if (options.print_flags && other != users.end()) {
    std::fprintf(stderr, "bobbin %s: --print-flags is told only a processor (-m...), not: %s\n",
                 command.c_str(), other->c_str());
    return kOwnFailure;
  }
  const ProgramLookup found = find_program(options.compiler);
  if (!found.problem.empty()) {
    std::fprintf(stderr, "bobbin %s: %s %s\n", command.c_str(), options.compiler.c_str(),
                 found.problem.c_str());
    return found.exists ? kCannotRun : kProgramMissing;
  }
  if (options.translate) return translate_and_compile(command, options, found.path, users);
  const std::vector<CompilerWord> request = read_compiler_words(users);
  Words additions;
  if (options.print_flags || may_have_tasks(request)) {
    // Without it the program can be built all the same.
    const std::optional<Installation> installation = find_installation();
    if (installation) {
      additions = additions_for(command, options, found.path, *installation, request);
    } else if (options.print_flags) {
      return kOwnFailure;
    }
  }
  if (options.print_flags) {
    std::puts(shell_line(additions).c_str());
    return kSuccess;
  }
  if (product_of(request) == Product::Program && has_translated_objects(request)) {
    const std::optional<Installation> installation = find_installation();
    if (!installation) return kOwnFailure;
    append(users, words_of_library(*installation));
  }
  Words line = {found.path.string()};
  append(line, additions);
  append(line, users);
  if (options.show) std::fprintf(stderr, "%s\n", shell_line(line).c_str());
  if (product_of(request) != Product::Program || !has_lto(additions)) return become(line);
  Words without_lto = {found.path.string(), "-fno-lto"};
  std::copy_if(additions.begin(), additions.end(), std::back_inserter(without_lto),
               [](const std::string& word) { return word.starts_with("-Wl,-rpath,"); });
  append(without_lto, users);
  return link_with_lto({command, options.compiler, line, without_lto, options.show});
}

}  // namespace bobbin::cli
