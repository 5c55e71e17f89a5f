// SPDX-License-Identifier: Apache-2.0
#include "processes/stacks.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "files/installation.h"
#include "files/program_file.h"
#include "insight/live/python/python_report.h"
#include "processes/captured_run.h"
#include "processes/process.h"
#include "processes/tracing.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

namespace fs = std::filesystem;

int fail(const std::string& reason, int status = kOwnFailure) {
  std::fprintf(stderr, "bobbin stacks: %s\n", reason.c_str());
  return status;
}

constexpr const char* kBegin = "-- begin of the report --\n";
constexpr const char* kEnd = "-- end of the report --\n";

// gdb repeats lines of its own before and after.
std::string between_marks(const std::string& said) {
  const size_t begin = said.find(kBegin);
  if (begin == std::string::npos) return {};
  const size_t from = begin + std::strlen(kBegin);
  return said.substr(from, said.find(kEnd, from) - from);
}

std::string python_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string echo(const std::string& line) {
  return "echo " + line.substr(0, line.size() - 1) + "\\n";
}

// `what`: the words by which gdb finds the process or the core file.
int ask_gdb(const std::vector<std::string>& what) {
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;
  if (!find_program("gdb").problem.empty()) {
    return fail("there is no gdb; install it (Debian, Ubuntu: sudo apt install gdb)");
  }
  const std::string package = installation->library.parent_path() / "bobbin/gdb";
  const std::string load =
      "python import sys; sys.dont_write_bytecode = True; sys.path.insert(0, " +
      python_text(package) + "); import bobbin_gdb.commands; bobbin_gdb.commands.register()";
  std::vector<std::string> words = {"gdb", "-q", "-nx", "-batch"};
  for (const std::string& setting :
       {std::string("set auto-load off"), std::string("set debuginfod enabled off"),
        std::string("set libthread-db-search-path"), std::string("set $bobbin_status = 125")}) {
    words.insert(words.end(), {"-iex", setting});
  }
  words.insert(words.end(), what.begin(), what.end());
  for (const std::string& command : {load, echo(kBegin), std::string("bobbin stacks"), echo(kEnd),
                                     std::string("quit $bobbin_status")}) {
    words.insert(words.end(), {"-ex", command});
  }
  const Outcome outcome = captured_run(words);
  const std::string report = between_marks(outcome.said);
  if (outcome.status == kSuccess && !report.empty()) {
    std::fputs(report.c_str(), stdout);
    return kSuccess;
  }
  if (outcome.status == kNotServed && !report.empty()) {
    return fail(report.substr(0, report.find('\n')), kNotServed);
  }
  return fail("gdb could not tell. It says:\n" + outcome.said);
}

}  // namespace

void StacksCommand::add_to(CLI::App& command) {
  command.add_option("target", target_, "number of the process, or the program of the core file")
      ->required()
      ->type_name("PID");
  command.add_option("--core", core_, "look at this core file")->type_name("FILE");
}

int StacksCommand::show_process() const {
  const std::optional<int> id = process_number(target_);
  if (!id) {
    return fail("'" + target_ +
                "' is not the number of a process. For a core file: --core CORE PROGRAM");
  }
  if (const std::optional<Refusal> refusal = refusal_of(*id)) {
    return fail(refusal->reason, refusal->status);
  }
  const std::string python = insight::python_stacks_text(*id);
  const int status = ask_gdb({"-p", std::to_string(*id)});
  if (status == kSuccess) std::fputs(python.c_str(), stdout);
  return status;
}

int StacksCommand::show_core() const {
  for (const std::string& file : {target_, core_}) {
    if (access(file.c_str(), R_OK) != 0) {
      return fail(file + ": " + std::strerror(errno), kProgramMissing);
    }
  }
  return ask_gdb({target_, "-c", core_});
}

int StacksCommand::execute() const { return core_.empty() ? show_process() : show_core(); }

}  // namespace bobbin::cli
