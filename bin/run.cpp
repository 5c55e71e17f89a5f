// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "files/library_search.h"
#include "files/mpi_library.h"
#include "files/program_file.h"
#include "launch/launch.h"
#include "words/exit_codes.h"
#include "words/shell_words.h"

namespace bobbin::cli {
namespace {

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

int print_command(const Launch& launch, const LaunchOptions& options,
                  const Instruments& instruments, const std::vector<std::string>& command) {
  std::string line = "env LD_PRELOAD=" + shell_quoted(launch.preload());
  auto variables = options.variables();
  if (instruments.wanted()) {
    const auto more = instruments.variables(launch.installation, "FOLDER");
    variables.insert(variables.end(), more.begin(), more.end());
  }
  for (const auto& [variable, value] : variables) {
    line += " " + variable + "=" + shell_quoted(value);
  }
  std::puts((line + " " + shell_line(command)).c_str());
  return kSuccess;
}

}  // namespace

int run_program(const LaunchOptions& options, const Instruments& instruments,
                const std::vector<std::string>& command, RunMode mode, const std::string& mpi) {
  Launch launch = prepare_launch("bobbin run", command);
  if (launch.status != kSuccess) return launch.status;
  if (!mpi.empty()) {
    const std::string layer = mpi_layer(launch.installation, launch.program, mpi);
    if (layer.empty()) return kOwnFailure;
    launch.libraries += ":" + layer;
  }
  if (mode == RunMode::Print) return print_command(launch, options, instruments, command);

  options.apply();
  setenv("LD_PRELOAD", launch.preload().c_str(), 1);
  const auto execute = [&] { return become_program(launch.program, command); };
  if (instruments.wanted()) {
    return instruments.observe(launch.installation, launch.program, execute);
  }
  const int reason = execute();
  std::fprintf(stderr, "bobbin run: cannot start %s: %s\n", launch.program.c_str(),
               std::strerror(reason));
  return reason == ENOENT ? kProgramMissing : kCannotRun;
}

}  // namespace bobbin::cli
