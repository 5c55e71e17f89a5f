// SPDX-License-Identifier: Apache-2.0
#include "launch/launch_options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "launch/launch_checks.h"

namespace bobbin::cli {
namespace {

// The type's name lists the values already; CLI11 would list them again.
CLI::Validator one_of(std::vector<std::string> values) {
  return CLI::IsMember(std::move(values)).description("");
}

}  // namespace

void LaunchOptions::add_to(CLI::App& command) {
  const char* group = "Settings (each sets the variable named)";
  command
      .add_option("-n,--threads", threads_,
                  "threads of a parallel region, a list for nested levels [OMP_NUM_THREADS]")
      ->type_name("N[,M...]")
      ->check(check_thread_list)
      ->group(group);
  command
      .add_option("--provider", provider_,
                  "what carries OpenMP threads: fibers or kernel threads [BOBBIN_PROVIDER]")
      ->type_name("fiber|kernel")
      ->check(one_of({"fiber", "kernel"}))
      ->group(group);
  command.add_option("--wait", wait_, "how idle threads wait [OMP_WAIT_POLICY]")
      ->type_name("active|passive")
      ->check(one_of({"active", "passive"}))
      ->group(group);
  command
      .add_option("--bind", bind_,
                  "true, false, primary, close, spread, a list for nested levels [OMP_PROC_BIND]")
      ->type_name("POLICY")
      ->check(check_bind)
      ->group(group);
  command.add_option("--places", places_, "threads, cores, {0:4}:2, ... [OMP_PLACES]")
      ->type_name("PLACES")
      ->check(check_places)
      ->group(group);
  command.add_option("--stacksize", stack_size_, "stack of a thread: 512k, 64m [OMP_STACKSIZE]")
      ->type_name("SIZE")
      ->check(check_stack_size)
      ->group(group);
  command
      .add_flag("--display-env", display_env_,
                "print the settings at start; --display-env=verbose: all [OMP_DISPLAY_ENV]")
      ->group(group);
}

std::vector<LaunchOptions::Given> LaunchOptions::given() const {
  std::vector<Given> all = {
      {"OMP_NUM_THREADS", "-n", &threads_},
      {"BOBBIN_PROVIDER", "--provider", &provider_},
      {"OMP_WAIT_POLICY", "--wait", &wait_},
      {"OMP_PROC_BIND", "--bind", &bind_},
      {"OMP_PLACES", "--places", &places_},
      {"OMP_STACKSIZE", "--stacksize", &stack_size_},
      {"OMP_DISPLAY_ENV", "--display-env", &display_env_},
  };
  std::erase_if(all, [](const Given& one) { return one.value->empty(); });
  return all;
}

std::vector<std::pair<std::string, std::string>> LaunchOptions::variables() const {
  std::vector<std::pair<std::string, std::string>> made;
  for (const Given& one : given()) made.emplace_back(one.variable, *one.value);
  return made;
}

std::string LaunchOptions::option_that_sets(std::string_view variable) const {
  for (const Given& one : given()) {
    if (one.variable == variable) return one.option;
  }
  return {};
}

void LaunchOptions::apply() const {
  for (const auto& [name, value] : variables()) setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace bobbin::cli
