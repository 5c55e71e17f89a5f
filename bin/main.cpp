// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commit.h"
#include "compile/compile.h"
#include "compile/translate.h"
#include "completion.h"
#include "doctor/doctor.h"
#include "files/installation.h"
#include "lab.h"
#include "launch/env_report.h"
#include "launch/launch_checks.h"
#include "launch/launch_options.h"
#include "measure/compare.h"
#include "measure/instruments.h"
#include "measure/report.h"
#include "one_word.h"
#include "processes/stacks.h"
#include "processes/status.h"
#include "run.h"
#include "short_forms.h"
#include "system.h"
#include "top.h"
#include "words/exit_codes.h"
#include "words/help_texts.h"
#include "words/near_word.h"
#include "words/wrong_words.h"

namespace bobbin::cli {
namespace {

// A source archive without a repository may not know its commit.
std::string version_line() {
  const std::string commit = BOBBIN_COMMIT;
  return "bobbin " BOBBIN_VERSION + (commit.empty() ? "" : " (commit " + commit + ")");
}

// `run` and `compare` take a program and its words. CLI11 does not know of them, so it leaves them
// out.
class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

void set_usage(CLI::App& command, const char* usage) {
  command.formatter(std::make_shared<UsageFormatter>(usage));
}

struct Commands {
  CLI::App app{
      "Runs OpenMP programs, as they are, on the Bobbin runtime.",
      "bobbin",
  };
  CLI::App* run = nullptr;
  CLI::App* compare = nullptr;
  CLI::App* report = nullptr;
  CLI::App* env = nullptr;
  CLI::App* doctor = nullptr;
  CLI::App* status = nullptr;
  CLI::App* stacks = nullptr;
  CLI::App* profile = nullptr;
  CLI::App* system = nullptr;
  CLI::App* top = nullptr;

  LaunchOptions run_options;
  Instruments instruments;
  bool dry_run = false;
  std::string mpi;
  CompareCommand compare_command;
  ReportCommand report_command;
  LaunchOptions env_options;
  DoctorOptions doctor_options;
  std::vector<int> processes;
  ProfileCommand profile_command;
  bool link_flags = false;
  StacksCommand stacks_command;
  SystemCommand system_command;
  TopCommand top_command;

  Commands() {
    app.set_version_flag("--version", version_line());
    app.add_flag("--link-flags", link_flags,
                 "print what to link with, so that a program finds Bobbin by itself");
    app.require_subcommand(0, 1);
    app.footer("`bobbin COMMAND --help` tells more about a command.");

    run = app.add_subcommand("run", "run a program on Bobbin");
    set_usage(*run, "bobbin run [OPTIONS] PROGRAM [ARGS...]");
    run->footer(kRunFooter);
    run->prefix_command();
    run_options.add_to(*run);
    instruments.add_to(*run);
    run->add_flag("--mpi", mpi,
                  "let tasks wait in calls of MPI without blocking their threads; "
                  "--mpi=mpich|openmpi if the program loads MPI later")
        ->check(CLI::IsMember({"true", "mpich", "openmpi"}).description(""));
    run->add_flag("--dry-run", dry_run, "print the command that would be run, and run nothing");

    compare = app.add_subcommand(
        "compare", "time a program on the runtime that it loads and on Bobbin, by turns");
    set_usage(*compare, "bobbin compare [OPTIONS] PROGRAM [ARGS...]");
    compare->footer(kCompareFooter);
    compare->prefix_command();
    compare_command.add_to(*compare);

    report = app.add_subcommand(
        "report", "write one page: where the time of a program goes, and how parallel it is");
    set_usage(*report,
              "bobbin report [OPTIONS] PROGRAM [ARGS...]\n       bobbin report [OPTIONS] DIR");
    report->footer(kReportFooter);
    report->prefix_command();
    report_command.add_to(*report);

    env = app.add_subcommand(
        "env", "show the settings in force, where each comes from, and what is set without effect");
    set_usage(*env, "bobbin env [OPTIONS]");
    env->footer("Examples:\n  bobbin env\n  OMP_NUM_THREADS=4 bobbin env --bind close");
    env_options.add_to(*env);

    doctor = app.add_subcommand("doctor",
                                "tell which OpenMP libraries a program would load, and "
                                "whether Bobbin serves all it needs");
    set_usage(*doctor, "bobbin doctor [OPTIONS] TARGET");
    doctor->footer(kDoctorFooter);
    doctor->add_option("target", doctor_options.target, "program, library or directory")
        ->required()
        ->type_name("TARGET");
    doctor->add_flag("--symbols", doctor_options.list_symbols, "list every OpenMP symbol");

    status = app.add_subcommand("status", "tell which OpenMP runtime a running process uses");
    set_usage(*status, "bobbin status PID...");
    status->footer(kStatusFooter);
    status->add_option("pid", processes, "number of the process")
        ->required()
        ->type_name("PID")
        ->check(check_process);

    stacks = app.add_subcommand(
        "stacks", "tell what each OpenMP thread of a process does, and why it makes no progress");
    set_usage(*stacks, "bobbin stacks PID\n       bobbin stacks --core CORE PROGRAM");
    stacks->footer(kStacksFooter);
    stacks_command.add_to(*stacks);
    top = app.add_subcommand("top", "show what all processes on Bobbin do, again and again");
    set_usage(*top, "bobbin top [OPTIONS]");
    top->footer(kTopFooter);
    top_command.add_to(*top);
    profile = app.add_subcommand(
        "profile", "short for `run --profile`; or report on recordings that were made without it");
    set_usage(
        *profile,
        "bobbin profile [OPTIONS OF RUN] PROGRAM [ARGS...]\n       bobbin profile [OPTIONS] DIR\n"
        "       bobbin profile [OPTIONS] --pid PID");
    profile->footer(kProfileFooter);
    profile_command.add_to(*profile);

    system =
        app.add_subcommand("system", "make Bobbin the OpenMP runtime of all programs, or undo it");
    set_usage(*system, "bobbin system --enable|--disable|--status [--root DIR]");
    system->footer(kSystemFooter);
    system_command.add_to(*system);

    // Only for the list of commands: main() handles these itself.
    app.add_subcommand("span", "short for `run --span`");
    app.add_subcommand("trace", "short for `run --trace trace.json`");
    app.add_subcommand("cc", "compile C with tasks inlined; likewise c++, fc");
    app.add_subcommand("translate", "translate C with OpenMP directives to C without");
    app.add_subcommand("lab", "measure runtimes, compare them, and model how their costs grow");
    // This comes last, because subcommands inherit it. CLI11's own usage line differs between
    // versions.
    set_usage(app, "bobbin [OPTIONS] SUBCOMMAND");
  }

  int dispatch();

  std::vector<std::string> names();
  // The command that takes a program and its words, if `name` is one.
  const CLI::App* with_program(const std::string& name) const;
  int start_program(const CLI::App& command) const;
  int unknown_option(const CLI::App& command, const std::string& option) const;

  // What is wrong with the first word; empty: nothing.
  std::string unknown_word(const std::vector<std::string>& words);

  // An option of a command with a program, or of `env`, that ends in `=`; empty: there is none.
  // CLI11 would take the next word, the program, as its value.
  std::string option_without_value(const std::vector<std::string>& words) const;

  // Where these options end: at the program, or at the `--` before it.
  size_t end_of_options(const std::vector<std::string>& words) const;

  // The first word that is no option; empty: there is none.
  std::string target_of(const std::vector<std::string>& words) const;

  // `bobbin run OPTIONS -- PROGRAM`: CLI11 takes the `--` as the end of the subcommand's words. It
  // is removed if it ends the options, and left if it is one of the program's words.
  void remove_separator(std::vector<std::string>& words) const;
};

void Commands::remove_separator(std::vector<std::string>& words) const {
  if (words.empty() || with_program(words.front()) == nullptr) return;
  const size_t end = end_of_options(words);
  if (end < words.size() && words[end] == "--") {
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(end));
  }
}

const CLI::App* Commands::with_program(const std::string& name) const {
  for (const CLI::App* one : {run, compare, report}) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

size_t Commands::end_of_options(const std::vector<std::string>& words) const {
  const CLI::App* found = words.front() == "env" ? env : with_program(words.front());
  const CLI::App* command = found != nullptr ? found : run;
  size_t i = 1;
  for (; i < words.size() && words[i] != "--" && words[i].starts_with("-"); ++i) {
    const CLI::Option* option = command->get_option_no_throw(words[i]);
    if (option != nullptr && option->get_items_expected_max() > 0) ++i;
  }
  return std::min(i, words.size());
}

std::string Commands::target_of(const std::vector<std::string>& words) const {
  if (words.empty()) return {};
  size_t end = end_of_options(words);
  if (end < words.size() && words[end] == "--") end++;
  return end < words.size() ? words[end] : "";
}

std::string Commands::option_without_value(const std::vector<std::string>& words) const {
  if (words.empty()) return {};
  if (with_program(words.front()) == nullptr && words.front() != "env") return {};
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(end_of_options(words));
  const auto found = std::find_if(words.begin() + 1, end, [](const std::string& word) {
    return word.starts_with("--") && word.ends_with("=");
  });
  return found != end ? *found : "";
}

std::vector<std::string> Commands::names() {
  std::vector<std::string> found;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    found.push_back(command->get_name());
  }
  return found;
}

// CLI11 would only say that a subcommand is required, without the word.
std::string Commands::unknown_word(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const std::string& word = words.front();
  if (word.starts_with("-")) {
    return app.get_option_no_throw(word) != nullptr ? "" : "there is no option " + word;
  }
  const std::vector<std::string> known = names();
  if (std::find(known.begin(), known.end(), word) != known.end()) return {};
  const std::string instead = instead_of_command(word);
  return "there is no command " + word +
         (instead.empty() ? did_you_mean(word, known) : "; this is " + instead);
}

int Commands::unknown_option(const CLI::App& command, const std::string& option) const {
  std::vector<std::string> known;
  for (const CLI::Option* one : command.get_options())
    known.push_back("--" + one->get_single_name());
  const std::string name = option.substr(0, option.find('='));
  return misused(command.get_name(), "unknown option " + option + did_you_mean(name, known));
}

int Commands::start_program(const CLI::App& command) const {
  const std::vector<std::string> words = command.remaining();
  if (words.empty()) return misused(command.get_name(), "which program?");
  if (words.front().starts_with("-")) return unknown_option(command, words.front());
  if (&command == compare) return compare_command.execute(words);
  if (&command == report) return report_command.execute(words);
  if (const std::string problem = instruments.problem(); !problem.empty()) {
    return misused("run", problem);
  }
  return run_program(run_options, instruments, words, dry_run ? RunMode::Print : RunMode::Execute,
                     mpi);
}

// Only translated programs need the library itself: see runtime/abi/link_stub.sh.
// Unlike `pkg-config --variable=openmpdir bobbin`, which prints nothing if pkg-config does not find
// Bobbin, this cannot give an empty path.
int print_link_flags() {
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;
  // Where bobbin/native_inline.h and omp.h are, which translated programs include.
  const auto headers = installation->native_header.parent_path().parent_path();
  if (headers != "/usr/include") std::printf("-I%s ", headers.c_str());
  std::printf("-isystem %s/bobbin/openmp ", headers.c_str());
  std::printf("-fopenmp -Wl,-rpath,%s", installation->names.c_str());
  if (const auto stub = installation->names / "link/libbobbin.so"; std::filesystem::exists(stub)) {
    std::printf(" -Wl,-rpath,%s -Wl,--push-state,--as-needed %s -Wl,--pop-state",
                installation->library.parent_path().c_str(), stub.c_str());
  }
  std::puts("");
  return kSuccess;
}

int Commands::dispatch() {
  if (!link_flags && app.get_subcommands().empty()) {
    return misused("", "which command?");
  }
  if (link_flags) return print_link_flags();
  if (*doctor) return diagnose(doctor_options);
  if (*status) return print_status(processes);
  if (*stacks) return stacks_command.execute();
  if (*top) return top_command.execute();
  if (*profile) return profile_command.execute();
  if (*system) return system_command.execute();
  if (*env) {
    env_options.apply();
    return print_env_report(env_options);
  }
  return start_program(*compare ? *compare : *report ? *report : *run);
}

}  // namespace
}  // namespace bobbin::cli

int main(int argc, char** argv) {
  try {
    std::vector<std::string> words = bobbin::cli::words_of_name(argc > 0 ? argv[0] : "");
    words.insert(words.end(), argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words.front() == "help") {
      words.erase(words.begin());
      words.emplace_back("--help");
    }
    if (!words.empty() && words.front() == "lab") {
      return bobbin::cli::run_lab({words.begin() + 1, words.end()});
    }
    if (!words.empty() && bobbin::cli::is_compile_command(words.front())) {
      return bobbin::cli::compile(words.front(), {words.begin() + 1, words.end()});
    }
    if (!words.empty() && words.front() == "translate") {
      return bobbin::cli::translate({words.begin() + 1, words.end()});
    }
    bobbin::cli::Commands commands;
    if (!words.empty() && words.front() == bobbin::cli::kCompleteWord) {
      return bobbin::cli::complete(commands.app, {words.begin() + 1, words.end()});
    }
    words = bobbin::cli::in_full(words, commands.target_of(words));
    if (const std::string problem = commands.unknown_word(words); !problem.empty()) {
      return bobbin::cli::misused("", problem);
    }
    const std::string command =
        words.empty() || words.front().starts_with("-") ? "" : words.front();
    if (const std::string option = commands.option_without_value(words); !option.empty()) {
      return bobbin::cli::misused(command, option + " lacks a value");
    }
    try {
      commands.remove_separator(words);
      // CLI11 expects the last word first.
      std::reverse(words.begin(), words.end());
      commands.app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return commands.app.exit(error);
      return bobbin::cli::misused(command, bobbin::cli::problem_of(error));
    }
    const int status = commands.dispatch();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      std::fprintf(stderr, "bobbin: cannot write the output: %s\n", std::strerror(errno));
      return bobbin::cli::kOwnFailure;
    }
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bobbin: %s\n", error.what());
    return bobbin::cli::kOwnFailure;
  }
}
