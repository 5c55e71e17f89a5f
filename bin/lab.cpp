// SPDX-License-Identifier: Apache-2.0
#include "lab.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include "files/installation.h"
#include "words/argument_array.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

namespace fs = std::filesystem;

// The user's choice, or the environment that belongs to this copy of Bobbin, or the python3 in
// PATH: the lab itself tells if that one lacks the packages.
std::string interpreter(const Installation& installation) {
  const char* chosen = std::getenv("BOBBIN_LAB_PYTHON");
  if (chosen != nullptr && chosen[0] != '\0') return chosen;
  const fs::path own = installation.data / "venv/bin/python";
  std::error_code error;
  return fs::exists(own, error) ? own.string() : "python3";
}

}  // namespace

int run_lab(const std::vector<std::string>& words) {
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;
  const fs::path lab = installation->data / "lab";
  std::error_code error;
  if (!fs::exists(lab / "__main__.py", error)) {
    std::fprintf(
        stderr,
        "bobbin lab: %s is missing: the lab is a package of its own, bobbin-lab, and part of "
        "`make install`\n",
        lab.c_str());
    return kOwnFailure;
  }
  setenv("BOBBIN_LAB_COMMAND", installation->command.c_str(), 1);
  setenv("BOBBIN_LAB_PROGRAMS", installation->programs.c_str(), 1);
  setenv("BOBBIN_LAB_LIBRARY", installation->library.parent_path().c_str(), 1);
  setenv("BOBBIN_LAB_NAMES", installation->names.c_str(), 1);
  setenv("BOBBIN_LAB_VERSION", BOBBIN_VERSION, 1);

  std::vector<std::string> command = {interpreter(*installation), lab.string()};
  command.insert(command.end(), words.begin(), words.end());
  const std::vector<char*> argv = argument_array(command);
  execvp(argv[0], argv.data());
  std::fprintf(stderr, "bobbin lab: cannot run %s: %s; BOBBIN_LAB_PYTHON names another\n", argv[0],
               std::strerror(errno));
  return kOwnFailure;
}

}  // namespace bobbin::cli
