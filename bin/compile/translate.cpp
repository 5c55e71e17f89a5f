// SPDX-License-Identifier: Apache-2.0
#include "compile/translate.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>

#include "words/argument_array.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

constexpr const char* kHelp =
    "Usage: bobbin translate [--cc=COMPILER] [--no-line-markers] [--self-contained]\n"
    "                        FILE.c [-o OUT.c] [-- OPTIONS...]\n\n"
    "Translates C with OpenMP directives to C that calls Bobbin, for any compiler. OPTIONS are "
    "those\n"
    "with which COMPILER would compile the file. FILE.c may be - for standard input.\n\n"
    "  --cc=COMPILER  whose headers and macros are used: gcc (default), clang, or another\n"
    "  -o OUT.c       where to write; default: standard output\n"
    "  --no-line-markers  leave out the lines that tell where the others come from\n"
    "  --self-contained  with the text of all headers instead of their #include lines\n"
    "  --help         explain these\n\n"
    "To translate, compile and link at once: bobbin cc --translate. The output is compiled as any "
    "C\n"
    "(with simd directives: with -fopenmp-simd) and linked with $(bobbin --link-flags), which "
    "stands\n"
    "behind the files.\n\n"
    "Examples:\n"
    "  bobbin translate fib.c -o fib.out.c && gcc -O2 fib.out.c $(bobbin --link-flags) -o fib\n"
    "  bobbin translate fib.c -o fib.out.c -- -std=c11 -Iinclude -DSIZE=30\n\n"
    "Exit status: 0 done, 1 the source has errors or directives that are not supported,\n"
    "125 bobbin failed.";

}  // namespace

const char* translate_help() { return kHelp; }

bool has_translator(const Installation& installation) {
  std::error_code error;
  if (std::filesystem::exists(installation.translator, error)) return true;
  std::fprintf(stderr,
               "bobbin: the translator is not installed: %s. Debian's package bobbin-translate has "
               "it. A build "
               "from source has it if Clang's libraries of version 19 or later are there: sudo "
               "apt-get install "
               "libclang-19-dev llvm-19-dev, and repeat the build\n",
               installation.translator.c_str());
  return false;
}

int translate(const std::vector<std::string>& words) {
  std::string compiler = "gcc";
  std::vector<std::string> own;
  auto word = words.begin();
  for (; word != words.end() && *word != "--"; ++word) {
    if (*word == "--help") {
      std::puts(kHelp);
      return kSuccess;
    }
    if (word->starts_with("--cc=")) {
      compiler = word->substr(5);
    } else {
      own.push_back(*word);
    }
  }
  const std::optional<Installation> installation = find_installation();
  if (!installation || !has_translator(*installation)) return kOwnFailure;
  std::vector<std::string> command = {installation->translator.string(), "--header",
                                      installation->native_header.string()};
  command.insert(command.end(), own.begin(), own.end());
  command.emplace_back("--");
  command.push_back(compiler);
  if (word != words.end()) command.insert(command.end(), word + 1, words.end());
  const std::vector<char*> arguments = argument_array(command);
  execv(arguments[0], arguments.data());
  std::fprintf(stderr, "bobbin translate: cannot start %s: %s\n", arguments[0],
               std::strerror(errno));
  return kOwnFailure;
}

}  // namespace bobbin::cli
