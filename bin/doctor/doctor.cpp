// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "doctor/doctor_report.h"
#include "doctor/doctor_scan.h"
#include "files/installation.h"
#include "files/program_file.h"
#include "words/exit_codes.h"
#include "words/shell_words.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

bool is_python_interpreter(const fs::path& program) {
  const std::string name = program.filename().string();
  return name.starts_with("python") &&
         name.find_first_not_of("0123456789.", std::string("python").size()) == std::string::npos;
}

std::vector<fs::path> directories_told_by(const fs::path& interpreter, const std::string& script) {
  std::vector<fs::path> directories;
  const std::string command =
      shell_quoted(interpreter.string()) + " -c " + shell_quoted(script) + " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  if (output == nullptr) return directories;
  char line[4096];
  while (std::fgets(line, sizeof line, output.get()) != nullptr) {
    std::string text = line;
    if (!text.empty() && text.back() == '\n') text.pop_back();
    std::error_code error;
    if (fs::is_directory(text, error)) directories.emplace_back(text);
  }
  return directories;
}

// What the interpreter's packages may load. Only the interpreter knows where it imports from:
// virtual environments, .pth files, user site. In addition, packages of an environment put
// libraries for each other into its lib; MKL does.
void add_packages(DoctorScan& scan, const fs::path& interpreter) {
  for (const fs::path& directory : directories_told_by(
           interpreter, "import sys; print(*[p for p in sys.path if p], sep='\\n')")) {
    scan.add_directory(directory, interpreter, DoctorScan::Depth::All);
  }
  for (const fs::path& directory : directories_told_by(
           interpreter,
           "import os, sys\n"
           "if sys.prefix != sys.base_prefix or os.path.isdir(sys.prefix + '/conda-meta'):\n"
           "    print(sys.prefix + '/lib')")) {
    scan.add_directory(directory, interpreter, DoctorScan::Depth::Top);
  }
}

}  // namespace

int diagnose(const DoctorOptions& options) {
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;

  fs::path target = options.target;
  std::error_code error;
  if (!fs::exists(target, error)) {
    const ProgramLookup program = find_program(options.target);
    if (!program.exists) {
      std::fprintf(stderr, "bobbin doctor: %s: no such file, and no such program in PATH\n",
                   options.target.c_str());
      return kProgramMissing;
    }
    target = program.path;
  }
  if (target.extension() == ".whl") {
    std::fprintf(stderr,
                 "bobbin doctor: unpack the wheel first (unzip %s -d DIRECTORY) and give "
                 "the directory\n",
                 target.c_str());
    return kOwnFailure;
  }

  DoctorScan scan(installation->library);
  if (fs::is_directory(target, error)) {
    scan.add_directory(target, {}, DoctorScan::Depth::All);
  } else {
    if (const std::string obstacle = script_obstacle(target); !obstacle.empty()) {
      std::fprintf(stderr, "bobbin doctor: %s %s\n", target.c_str(), obstacle.c_str());
      return kProgramMissing;
    }
    const fs::path program = started_program(target);
    if (!fs::is_regular_file(program, error) && !error) {
      std::fprintf(stderr, "bobbin doctor: %s is no file that could be examined\n",
                   program.c_str());
      return kOwnFailure;
    }
    if (const std::string obstacle = privilege_obstacle(program); !obstacle.empty()) {
      std::fprintf(stderr, "bobbin doctor: %s %s\n", program.c_str(), obstacle.c_str());
      return kNotServed;
    }
    if (access(program.c_str(), R_OK) != 0) {
      std::fprintf(stderr, "bobbin doctor: cannot read %s: %s\n", program.c_str(),
                   std::strerror(errno));
      return kOwnFailure;
    }
    const bool is_script = program != target;
    if (is_script) std::printf("%s is a script for %s\n", target.c_str(), program.c_str());
    if (!scan.add_root(program, {})) {
      std::fprintf(stderr, "bobbin doctor: %s is no program or library for this architecture\n",
                   program.c_str());
      return kOwnFailure;
    }
    if (is_python_interpreter(program)) {
      add_packages(scan, program);
    } else if (is_script) {
      std::puts(
          "What the script starts is not examined; `bobbin run` serves it all the same. Ask for "
          "those programs by themselves");
    }
  }
  print_findings(target.string(), scan.findings(),
                 options.list_symbols ? SymbolListing::All : SymbolListing::MissingOnly);
  return scan.findings().all_served() ? kSuccess : kNotServed;
}

}  // namespace bobbin::cli
