// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "exit_codes.h"
#include "installation.h"
#include "library_search.h"
#include "mpi_library.h"
#include "program_file.h"
#include "shell_words.h"

namespace bobbin::cli {
namespace {

std::string name_libraries(const Installation& installation) {
  std::string list;
  for (const NameLibrary& library : kNameLibraries) {
    list += (list.empty() ? "" : ":") + (installation.names / library.file).string();
  }
  return list;
}

// Ours first, the user's after them. A nested `bobbin run` adds nothing.
std::string preload_list(const std::string& ours) {
  const char* present = std::getenv("LD_PRELOAD");
  if (present == nullptr || present[0] == '\0') return ours;
  std::string list = present;
  if (list == ours || list.starts_with(ours + ":")) return list;
  return ours + ":" + list;
}

// The layer for the MPI library that the user has named, or that the program needs. Empty: there is
// none, and the user has been told why.
std::string mpi_layer(const Installation& installation, const std::filesystem::path& program,
                      const std::string& wanted) {
  const MpiLibrary* library = mpi_library_called(wanted);
  if (library == nullptr) {
    LibrarySearch search;
    const auto file = search.open(started_program(program));
    if (file != nullptr) library = mpi_library_in(search.closure(file, file));
  }
  if (library == nullptr) {
    std::fprintf(
        stderr,
        "bobbin run: %s needs no MPI library that Bobbin knows. If it loads one later, name "
        "it: --mpi=mpich or --mpi=openmpi. If it starts others: mpirun bobbin run --mpi "
        "PROGRAM\n",
        program.c_str());
    return {};
  }
  const std::filesystem::path layer = installation.names / library->layer;
  if (access(layer.c_str(), R_OK) != 0) {
    std::fprintf(stderr,
                 "bobbin run: this Bobbin was built without the layer for %s (%s is missing)\n",
                 std::string(library->mpi).c_str(), layer.c_str());
    return {};
  }
  return layer.string();
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
std::string hint_instead_of(const std::vector<std::string>& command) {
  const std::string& name = command.front();
  if (is_assignment(name) && name.find('/') == std::string::npos) {
    // The shell sets variables of a command only if they come before it.
    std::string first;
    std::string rest;
    for (const std::string& word : command) {
      const bool still = rest.empty() && is_assignment(word);
      (still ? first : rest) += still ? shell_quoted(word) + " " : " " + shell_quoted(word);
    }
    return "; variables come first: " + first + "bobbin run" + (rest.empty() ? " PROGRAM" : rest);
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) return {};
  std::string words;
  for (const std::string& word : command) words += " " + shell_quoted(word);
  if (access(name.c_str(), X_OK) == 0) {
    return "; to run the file in this folder: bobbin run ./" + words.substr(1);
  }
  const std::string interpreter = interpreter_of(name);
  return interpreter.empty() ? "" : "; to run the script: bobbin run " + interpreter + words;
}

// Returns errno if it cannot.
int become_program(const std::filesystem::path& path, const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // With a path, execvp does not search; unlike execv it gives a script without #! to the shell.
  execvp(path.is_absolute() ? path.c_str() : ("./" / path).c_str(), arguments.data());
  return errno;
}

}  // namespace

int run_program(const LaunchOptions& options, const Instruments& instruments,
                const std::vector<std::string>& command, RunMode mode, const std::string& mpi) {
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;
  const std::string names = installation->names.string();
  if (names.find_first_of(": ") != std::string::npos) {
    std::fprintf(stderr,
                 "bobbin run: LD_PRELOAD cannot name %s: its path has a space or a colon. Install "
                 "Bobbin elsewhere\n",
                 names.c_str());
    return kOwnFailure;
  }

  const std::string& name = command.front();
  const ProgramLookup program = find_program(name);
  if (!program.problem.empty()) {
    std::fprintf(stderr, "bobbin run: %s %s%s\n", name.c_str(), program.problem.c_str(),
                 hint_instead_of(command).c_str());
    return program.exists ? kCannotRun : kProgramMissing;
  }
  const auto [obstacle, first] = look_into_preloading(program.path);
  if (!obstacle.empty()) {
    std::fprintf(stderr, "bobbin run: %s %s\n", program.path.c_str(), obstacle.c_str());
    return kCannotRun;
  }

  std::string ours = (first.empty() ? "" : first + ":") + name_libraries(*installation);
  if (!mpi.empty()) {
    const std::string layer = mpi_layer(*installation, program.path, mpi);
    if (layer.empty()) return kOwnFailure;
    ours += ":" + layer;
  }
  const std::string preload = preload_list(ours);
  if (mode == RunMode::Print) {
    std::string line = "env LD_PRELOAD=" + shell_quoted(preload);
    auto variables = options.variables();
    if (instruments.wanted()) {
      const auto more = instruments.variables(*installation, "FOLDER");
      variables.insert(variables.end(), more.begin(), more.end());
    }
    for (const auto& [variable, value] : variables) {
      line += " " + variable + "=" + shell_quoted(value);
    }
    for (const std::string& word : command) line += " " + shell_quoted(word);
    std::puts(line.c_str());
    return kSuccess;
  }

  options.apply();
  setenv("LD_PRELOAD", preload.c_str(), 1);
  const auto execute = [&] { return become_program(program.path, command); };
  if (instruments.wanted()) return instruments.observe(*installation, program.path, execute);
  const int reason = execute();
  std::fprintf(stderr, "bobbin run: cannot start %s: %s\n", program.path.c_str(),
               std::strerror(reason));
  return reason == ENOENT ? kProgramMissing : kCannotRun;
}

}  // namespace bobbin::cli
