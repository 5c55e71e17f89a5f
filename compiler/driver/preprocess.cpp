// SPDX-License-Identifier: Apache-2.0
#include "driver/preprocess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

extern char** environ;

namespace bobbin::translate {

std::string openmp_headers(const std::string& header) {
  return std::filesystem::path(header).parent_path() / "openmp";
}

Preprocessed preprocess(const std::vector<std::string>& compiler, const std::string& header,
                        const std::string& input) {
  std::vector<std::string> words = compiler;
  for (const std::string& word : {std::string("-E"), std::string("-fopenmp")})
    words.push_back(word);
  if (!header.empty()) {
    words.emplace_back("-include");
    words.push_back(header);
    words.emplace_back("-isystem" + openmp_headers(header));
  }
  // Standard input has no name that tells its language.
  words.emplace_back("-x");
  words.emplace_back("c");
  words.push_back(input);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {"", 1, std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return {"", 1, "cannot start " + words[0] + ": " + std::strerror(error)};
  }
  Preprocessed result;
  std::array<char, 65536> buffer{};
  ssize_t got = 0;
  while ((got = read(ends[0], buffer.data(), buffer.size())) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) result.text.append(buffer.data(), static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  return result;
}

}  // namespace bobbin::translate
