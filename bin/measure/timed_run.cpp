// SPDX-License-Identifier: Apache-2.0
#include "measure/timed_run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "launch/launch.h"
#include "processes/child.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

// Returns 0, or errno.
int redirect(int descriptor, const char* path, int flags) {
  constexpr mode_t kOwner = 0600;
  const int file = open(path, flags, kOwner);
  if (file < 0) return errno;
  if (file == descriptor) return 0;
  const int error = dup2(file, descriptor) < 0 ? errno : 0;
  close(file);
  return error;
}

bool input_is_file() {
  struct stat status;
  return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

// Opened anew, so that it begins where this process got it: runs do not share a position.
int redirect_input() {
  if (!input_is_file()) return redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  const off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (const int error = redirect(STDIN_FILENO, "/proc/self/fd/0", O_RDONLY)) return error;
  return lseek(STDIN_FILENO, begin, SEEK_SET) < 0 ? errno : 0;
}

std::string problem_of(const ChildEnd& end) {
  if (end.start_error != 0) {
    return std::string("cannot be started: ") + std::strerror(end.start_error);
  }
  if (WIFSIGNALED(end.wait_status)) {
    return std::string("is killed by a signal: ") + strsignal(WTERMSIG(end.wait_status));
  }
  const int status = WEXITSTATUS(end.wait_status);
  return status == 0 ? "" : "ends with status " + std::to_string(status);
}

// With its end, if it has one; empty: there is none.
std::string next_line(std::ifstream& stream) {
  std::string line;
  std::getline(stream, line);
  if (!stream.eof() && stream) line += '\n';
  return line;
}

std::string shown(std::string line) {
  constexpr size_t kMost = 60;
  if (line.empty()) return "missing";
  if (line.size() > kMost) line = line.substr(0, kMost) + "...";
  std::erase(line, '\n');
  std::replace_if(line.begin(), line.end(), [](unsigned char c) { return !std::isprint(c); }, '?');
  return "'" + line + "'";
}

}  // namespace

std::string input_problem() {
  struct stat status;
  if (fstat(STDIN_FILENO, &status) != 0) return {};
  if (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) return {};
  return "the standard input is a pipe, which only one run could read: give a file (< FILE), or "
         "nothing (< /dev/null)";
}

int TimedRuns::become(const Variables& variables) const {
  const int create = O_WRONLY | O_CREAT | O_TRUNC;
  if (const int error = redirect_input()) return error;
  if (const int error = redirect(STDOUT_FILENO, output().c_str(), create)) return error;
  if (const int error = redirect(STDERR_FILENO, (folder_ / "stderr").c_str(), create)) return error;
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  return become_program(program_, command_);
}

TimedRun TimedRuns::run(const Variables& variables) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const ChildEnd end = run_as_child([&] { return become(variables); });
  TimedRun run;
  run.process = end.process;
  run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  run.processor_seconds = end.processor_seconds;
  run.problem = problem_of(end);
  if (WIFSIGNALED(end.wait_status)) run.signal = WTERMSIG(end.wait_status);
  if (const std::string line = last_line_of_stderr(); !run.problem.empty() && !line.empty()) {
    run.problem += " (" + line + ")";
  }
  return run;
}

std::string TimedRuns::last_line_of_stderr() const {
  std::ifstream stream(folder_ / "stderr");
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

std::string first_difference(const fs::path& expected, const fs::path& found) {
  std::ifstream wanted(expected, std::ios::binary);
  std::ifstream given(found, std::ios::binary);
  for (size_t line = 1;; line++) {
    const std::string one = next_line(wanted);
    const std::string other = next_line(given);
    if (one != other) {
      return "line " + std::to_string(line) + " is " + shown(other) + " instead of " + shown(one);
    }
    if (one.empty()) return {};
  }
}

}  // namespace bobbin::cli
