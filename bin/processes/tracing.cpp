// SPDX-License-Identifier: Apache-2.0
#include "processes/tracing.h"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "insight/live/process/start_up.h"
#include "processes/process.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

namespace fs = std::filesystem;

// For a process that is starting.
constexpr std::chrono::seconds kPatience{10};

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The value in a file of /proc of the form `NAME:\tVALUE`.
std::string field(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name + ":")) continue;
    const size_t value = line.find_first_not_of(" \t", name.size() + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return {};
}

// The error that a tracer would get; 0: none. A child asks, so that nothing is left of it. Seizing
// does not stop a process, and when the child ends the kernel lets it go.
int tracing_error(int process) {
  const pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) _exit(ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0 ? 0 : errno);
  int ended = 0;
  if (waitpid(child, &ended, 0) != child || !WIFEXITED(ended)) return EIO;
  return WEXITSTATUS(ended);
}

// Why the kernel refuses; empty: it does not.
std::string tracing_obstacle(int process) {
  const int error = tracing_error(process);
  if (error == 0) return {};
  const std::string id = std::to_string(process);
  const std::string tracer = field(fs::path("/proc") / id / "status", "TracerPid");
  if (!tracer.empty() && tracer != "0") {
    return "process " + tracer + " (" + first_line("/proc/" + tracer + "/comm") +
           ") looks at it already, and only one can";
  }
  if (error != EPERM) return std::strerror(error);
  const std::string scope = first_line("/proc/sys/kernel/yama/ptrace_scope");
  if (!scope.empty() && scope != "0") {
    return "the system forbids it (kernel.yama.ptrace_scope is " + scope + "): call this as root" +
           (scope == "1" ? ", or allow it: sudo sysctl kernel.yama.ptrace_scope=0" : "");
  }
  return "it is not permitted: call this as root. A container must have the capability SYS_PTRACE";
}

// For a moment, while it executes another program, a process has no memory.
Process readable_process(int id) {
  Process process = read_process(id);
  for (int tries = 0; tries < 20 && process.exists && !process.problem.empty(); tries++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process = read_process(id);
  }
  return process;
}

}  // namespace

std::optional<Refusal> refusal_of(int id) {
  const Process process = readable_process(id);
  const std::string name = std::to_string(id);
  if (!process.problem.empty()) {
    return Refusal{name + ": " + process.problem, process.exists ? kOwnFailure : kProgramMissing};
  }
  if (std::none_of(process.libraries.begin(), process.libraries.end(),
                   [](const auto& entry) { return entry.second == Vendor::Bobbin; })) {
    return Refusal{name + ": it does not use Bobbin (see bobbin status " + name + ")", kNotServed};
  }
  if (const std::string obstacle = tracing_obstacle(id); !obstacle.empty()) {
    return Refusal{name + ": " + obstacle, kOwnFailure};
  }
  if (!insight::wait_until_loaded(id, kPatience)) {
    return Refusal{name + ": it is still loading its libraries, after " +
                       std::to_string(kPatience.count()) + " s; repeat this when it runs",
                   kOwnFailure};
  }
  return std::nullopt;
}

}  // namespace bobbin::cli
