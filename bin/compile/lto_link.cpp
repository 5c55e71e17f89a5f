// SPDX-License-Identifier: Apache-2.0
#include "compile/lto_link.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "processes/captured_run.h"
#include "processes/child.h"
#include "words/argument_array.h"
#include "words/exit_codes.h"
#include "words/shell_words.h"

namespace bobbin::cli {
namespace {

using Words = std::vector<std::string>;

// Runs a command whose stderr is `file`, or this process's own if there is none.
int run(const Words& words, std::FILE* file) {
  const std::vector<char*> arguments = argument_array(words);
  const ChildEnd end = run_as_child([&] {
    if (file != nullptr && dup2(fileno(file), STDERR_FILENO) < 0) return errno;
    execvp(arguments[0], arguments.data());
    return errno;
  });
  if (end.start_error == 0) return exit_code_of(end.wait_status);
  std::fprintf(stderr, "bobbin: cannot start %s: %s\n", arguments[0],
               std::strerror(end.start_error));
  return end.start_error == ENOENT ? kProgramMissing : kCannotRun;
}

// As gcc decides it, which does not see the terminal.
bool has_colours() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

std::string contents(std::FILE* file) {
  std::string text;
  if (std::fseek(file, 0, SEEK_SET) != 0) return text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

}  // namespace

int link_with_lto(const LtoLink& link) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return run(link.words, nullptr);
  Words words = link.words;
  if (has_colours()) words.insert(words.begin() + 1, "-fdiagnostics-color=always");
  const int status = run(words, file);
  const std::string said = contents(file);
  std::fclose(file);
  // Each failure of LTO is also told by gcc's program lto-wrapper, in every language.
  if (status == 0 || said.find("lto-wrapper: ") == std::string::npos) {
    std::fputs(said.c_str(), stderr);
    return status;
  }
  std::fprintf(stderr, "bobbin %s: tasks are not inlined by %s: its LTO fails: %s\n",
               link.command.c_str(), link.compiler.c_str(), first_error(said).c_str());
  if (link.show) std::fprintf(stderr, "%s\n", shell_line(link.without_lto).c_str());
  return run(link.without_lto, nullptr);
}

}  // namespace bobbin::cli
