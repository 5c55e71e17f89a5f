// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "files/program_file.h"
#include "words/argument_array.h"
#include "words/shell_words.h"

namespace bobbin::cli {
namespace {

std::string name_libraries(const Installation& installation) {
  std::string list;
  for (const NameLibrary& library : kNameLibraries) {
    list += (list.empty() ? "" : ":") + (installation.names / library.file).string();
  }
  return list;
}

bool is_assignment(const std::string& word) {
  const size_t equals = word.find('=');
  return equals != std::string::npos && equals != 0 &&
         word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == equals;
}

// By the extension, because a script that is not executable often has no first line for the kernel.
std::string interpreter_of(const std::string& script) {
  static constexpr std::pair<const char*, const char*> kInterpreters[] = {
      {".py", "python3"}, {".R", "Rscript"}, {".jl", "julia"}, {".sh", "sh"}};
  const std::string extension = std::filesystem::path(script).extension();
  for (const auto& [known, interpreter] : kInterpreters) {
    if (extension == known) return interpreter;
  }
  return {};
}

// What the user may have meant who named a program that is not there, or cannot be executed.
std::string hint_instead_of(const std::string& bobbin, const std::vector<std::string>& command) {
  const std::string& name = command.front();
  if (is_assignment(name) && name.find('/') == std::string::npos) {
    // The shell sets variables of a command only if they come before it.
    std::string first;
    std::string rest;
    for (const std::string& word : command) {
      const bool still = rest.empty() && is_assignment(word);
      (still ? first : rest) += still ? shell_quoted(word) + " " : " " + shell_quoted(word);
    }
    return "; variables come first: " + first + bobbin + (rest.empty() ? " PROGRAM" : rest);
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return {};
  std::string words;
  for (const std::string& word : command) words += " " + shell_quoted(word);
  if (access(name.c_str(), X_OK) == 0) {
    return "; to run the file in this folder: " + bobbin + " ./" + words.substr(1);
  }
  const std::string interpreter = interpreter_of(name);
  return interpreter.empty() ? "" : "; to run the script: " + bobbin + " " + interpreter + words;
}

int refused(const std::string& bobbin, int status, const std::string& problem) {
  std::fprintf(stderr, "%s: %s\n", bobbin.c_str(), problem.c_str());
  return status;
}

}  // namespace

// A nested `bobbin run` adds nothing.
std::string Launch::preload() const {
  const char* present = std::getenv("LD_PRELOAD");
  if (present == nullptr || present[0] == '\0') return libraries;
  std::string list = present;
  if (list == libraries || list.starts_with(libraries + ":")) return list;
  return libraries + ":" + list;
}

Launch prepare_launch(const std::string& bobbin, const std::vector<std::string>& command) {
  Launch launch;
  const std::optional<Installation> installation = find_installation();
  if (!installation) {
    launch.status = kOwnFailure;
    return launch;
  }
  launch.installation = *installation;
  const std::string names = installation->names.string();
  if (names.find_first_of(": ") != std::string::npos) {
    launch.status = refused(bobbin, kOwnFailure,
                            "LD_PRELOAD cannot name " + names +
                                ": its path has a space or a colon. Install Bobbin elsewhere");
    return launch;
  }
  const ProgramLookup program = find_program(command.front());
  if (!program.problem.empty()) {
    launch.status =
        refused(bobbin, program.exists ? kCannotRun : kProgramMissing,
                command.front() + " " + program.problem + hint_instead_of(bobbin, command));
    return launch;
  }
  launch.program = program.path;
  const auto [obstacle, first] = look_into_preloading(program.path);
  if (!obstacle.empty()) {
    launch.status = refused(bobbin, kCannotRun, program.path.string() + " " + obstacle);
  }
  launch.libraries = (first.empty() ? "" : first + ":") + name_libraries(*installation);
  return launch;
}

// Returns errno if it cannot.
int become_program(const std::filesystem::path& path, const std::vector<std::string>& command) {
  const std::vector<char*> arguments = argument_array(command);
  // With a path, execvp does not search; unlike execv it gives a script without #! to the shell.
  execvp(path.is_absolute() ? path.c_str() : ("./" / path).c_str(), arguments.data());
  return errno;
}

}  // namespace bobbin::cli
