// SPDX-License-Identifier: Apache-2.0
#include "compile.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>

#include "exit_codes.h"
#include "inline_parts.h"
#include "installation.h"
#include "program_file.h"
#include "shell_words.h"

namespace bobbin::cli {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kHelp =
    "Usage: bobbin cc [--cc=COMPILER] [--verbose] [--any-runtime] OPTIONS...\n"
    "       bobbin cc [--cc=COMPILER] [--any-runtime] --print-flags\n\n"
    "Compiles and links as COMPILER does. OpenMP tasks (-fopenmp) that need not be deferred are\n"
    "inlined. `bobbin c++` and `bobbin fc` are the same for C++ and Fortran.\n\n"
    "  --cc=COMPILER  gcc (default), clang, or another by name or path; likewise for C++, Fortran\n"
    "  --verbose      show the command\n"
    "  --any-runtime  do not let the program prefer Bobbin when it is started\n"
    "  --print-flags  print what would be added, and compile nothing\n";

struct Options {
  std::string compiler;
  bool verbose = false;
  bool any_runtime = false;
  bool print_flags = false;
  bool help = false;
};

// Bobbin's own stand before the compiler's. Returns where the latter begin.
Words::const_iterator take_options(const Words& words, Options& options) {
  auto word = words.begin();
  for (; word != words.end(); ++word) {
    if (word->starts_with("--cc=")) {
      options.compiler = word->substr(5);
    } else if (*word == "--verbose") {
      options.verbose = true;
    } else if (*word == "--any-runtime") {
      options.any_runtime = true;
    } else if (*word == "--print-flags") {
      options.print_flags = true;
    } else if (*word == "--help") {
      options.help = true;
    } else {
      break;
    }
  }
  return word;
}

// With the words in response files, as far as they matter here.
Words with_response_files(const Words& words) {
  Words all;
  for (const std::string& word : words) {
    all.push_back(word);
    if (!word.starts_with("@")) continue;
    std::ifstream file(word.substr(1));
    all.insert(all.end(), std::istream_iterator<std::string>(file), {});
  }
  return all;
}

bool has(const Words& words, std::initializer_list<std::string_view> sought) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(sought.begin(), sought.end(), word) != sought.end();
  });
}

bool uses_openmp(const Words& words) {
  const auto last = std::find_if(words.rbegin(), words.rend(), [](const std::string& word) {
    return word == "-fopenmp" || word == "-fno-openmp" || word.starts_with("-fopenmp=");
  });
  return last != words.rend() && *last != "-fno-openmp";
}

bool links(const Words& words) {
  if (has(words, {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"})) return false;
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return !word.starts_with("-"); });
}

// Why tasks cannot be inlined with these words; empty: they can.
std::string obstacle(const Words& words) {
  for (const std::string& word : words) {
    if (word.starts_with("-fsanitize=") || word == "-static" || word == "-static-pie" ||
        word == "-fno-lto") {
      return "with " + word;
    }
  }
  return "";
}

int become(const Words& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int reason = errno;
  std::fprintf(stderr, "bobbin: cannot start %s: %s\n", arguments[0], std::strerror(reason));
  return reason == ENOENT ? kProgramMissing : kCannotRun;
}

std::string joined(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

int compile(const std::string& command, const std::vector<std::string>& words) {
  Options options;
  options.compiler = command == "cc" ? "gcc" : command == "c++" ? "g++" : "gfortran";
  const Words users(take_options(words, options), words.end());
  if (options.help) {
    std::fputs(kHelp, stdout);
    return kSuccess;
  }
  const ProgramLookup found = find_program(options.compiler);
  if (!found.problem.empty()) {
    std::fprintf(stderr, "bobbin %s: %s %s\n", command.c_str(), options.compiler.c_str(),
                 found.problem.c_str());
    return found.exists ? kCannotRun : kProgramMissing;
  }
  Words line = {found.path.string()};
  const Words seen = with_response_files(users);
  if (options.print_flags || uses_openmp(seen)) {
    const std::optional<Installation> installation = find_installation();
    if (!installation) return kOwnFailure;
    const bool linking = options.print_flags || links(seen);
    const Words runpath = {"-Wl,-rpath," + installation->names.string()};
    InlineParts parts;
    parts.problem = obstacle(seen);
    if (parts.problem.empty()) {
      parts = find_inline_parts(*installation, look_at_compiler(found.path));
    }
    if (!parts.problem.empty()) {
      std::fprintf(stderr, "bobbin %s: tasks are not inlined by %s: %s\n", command.c_str(),
                   options.compiler.c_str(), parts.problem.c_str());
    }
    append(line, parts.to_compile);
    append(line, users);
    if (linking) append(line, parts.to_link);
    if (linking && !options.any_runtime) append(line, runpath);
  } else {
    append(line, users);
  }
  if (options.print_flags) {
    line.erase(line.begin());
    std::puts(joined(line).c_str());
    return kSuccess;
  }
  if (options.verbose) std::fprintf(stderr, "%s\n", joined(line).c_str());
  return become(line);
}

}  // namespace bobbin::cli
