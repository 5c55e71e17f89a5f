// SPDX-License-Identifier: Apache-2.0
#include "top.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "insight/live/process_list.h"
#include "insight/report/text.h"
#include "launch/launch_checks.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

using insight::ListedProcess;
using insight::print;

// Moves to the upper left corner, and clears what is below and to the right.
constexpr const char* kClearScreen = "\x1b[H\x1b[J";

void pause_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void print_process(std::string& out, const ListedProcess& process) {
  if (!process.problem.empty()) {
    print(out, "%8d  %s\n%10s%s\n", process.process, process.command.c_str(), "",
          process.problem.c_str());
    return;
  }
  print(out, "%8d%12.2f%9u%9u%9u%9u%9s  %s\n", process.process, process.processors,
        process.kernel_threads, process.threads, process.working, process.waiting,
        insight::grouped(process.queued).c_str(), process.command.c_str());
  for (const insight::ListedRegion& region : process.regions) {
    print(out, "%10sregion at %s, %u thread%s", "", region.place.c_str(), region.size,
          region.size == 1 ? "" : "s");
    print(out, region.count > 1 ? ", %u times\n" : "\n", region.count);
    if (!region.python.empty()) print(out, "%12sfrom %s\n", "", region.python.c_str());
  }
}

std::string table(const std::vector<ListedProcess>& processes) {
  std::string out;
  print(out, "%8s%12s%9s%9s%9s%9s%9s  %s\n", "process", "processors", "kernel", "OpenMP", "work",
        "wait", "tasks", "command");
  for (const ListedProcess& process : processes) print_process(out, process);
  if (processes.empty()) out += "No process on Bobbin can be seen.\n";
  return out;
}

// As much of it as the terminal has room for.
std::string within_terminal(const std::string& text) {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return text;
  std::string out;
  size_t column = 0;
  unsigned lines = 0;
  for (const char c : text) {
    if (c == '\n' && ++lines + 1 >= size.ws_row) break;
    column = c == '\n' ? 0 : column + 1;
    if (column <= size.ws_col) out += c;
  }
  return out + '\n';
}

}  // namespace

void TopCommand::add_to(CLI::App& command) {
  command.add_flag("--once", once_, "print one table, as without a terminal");
  command.add_option("--seconds", seconds_, "between two looks [2]")
      ->type_name("SECONDS")
      ->check(check_seconds);
}

int TopCommand::execute() const {
  insight::ProcessList list;
  list.look();
  if (once_ || isatty(STDOUT_FILENO) == 0) {
    pause_for(seconds_);
    const std::vector<ListedProcess> processes = list.look();
    std::fputs(table(processes).c_str(), stdout);
    return processes.empty() ? kNotServed : kSuccess;
  }
  for (;;) {
    std::fputs((kClearScreen + within_terminal(table(list.look()))).c_str(), stdout);
    std::fflush(stdout);
    pause_for(seconds_);
  }
}

}  // namespace bobbin::cli
