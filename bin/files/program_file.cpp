// SPDX-License-Identifier: Apache-2.0
#include "files/program_file.h"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "files/elf_file.h"
#include "files/openmp_library.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

// The kernel follows at most this many interpreters of interpreters.
constexpr int kMaxScriptDepth = 4;

bool is_plain_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_executable_file(const fs::path& path) {
  return is_plain_file(path) && access(path.c_str(), X_OK) == 0;
}

bool gains_privileges(const fs::path& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return false;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) return true;
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != getgid()) return true;
  return getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

bool needs_an_openmp_library(const ElfFile& file) {
  for (const std::string& name : file.needed()) {
    if (vendor_by_name(name) != Vendor::None) return true;
  }
  return false;
}

// The interpreter that a script's first line names; nothing if the file is no script.
std::optional<fs::path> script_interpreter(const fs::path& path) {
  if (!is_plain_file(path)) return std::nullopt;  // reading a pipe would wait
  std::ifstream stream(path, std::ios::binary);
  char head[256] = {};
  stream.read(head, sizeof head - 1);
  std::string_view text(head, static_cast<size_t>(stream.gcount()));
  if (!text.starts_with("#!")) return std::nullopt;
  text.remove_prefix(2);
  text = text.substr(0, text.find('\n'));
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin);
  const size_t end = text.find_first_of(" \t");
  std::string interpreter(text.substr(0, end));
  // `#!/usr/bin/env python3`: the program that env finds runs.
  if (end != std::string_view::npos && fs::path(interpreter).filename() == "env") {
    std::string_view argument = text.substr(end);
    argument.remove_prefix(std::min(argument.find_first_not_of(" \t"), argument.size()));
    const std::string name(argument.substr(0, argument.find_first_of(" \t\r")));
    if (!name.empty() && name[0] != '-') {
      const ProgramLookup found = find_program(name);
      if (found.problem.empty()) return found.path;
    }
  }
  return interpreter;
}

}  // namespace

ProgramLookup find_program(const std::string& name) {
  ProgramLookup result;
  if (name.find('/') != std::string::npos) {
    std::error_code error;
    result.path = name;
    result.exists = fs::exists(name, error);
    if (error) {
      result.exists = true;  // perhaps: no permission to look, or a cycle of links
      result.problem = "cannot be reached: " + error.message();
    } else if (!result.exists) {
      result.problem = "does not exist";
    } else if (fs::is_directory(name, error)) {
      result.problem = "is a directory";
    } else if (!is_executable_file(name)) {
      result.problem = "is not executable (chmod +x?)";
    }
    return result;
  }
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/bin:/usr/bin";
  fs::path not_executable;
  for (;;) {
    const size_t colon = rest.find(':');
    const std::string_view entry = rest.substr(0, colon);
    const fs::path candidate = fs::path(entry.empty() ? "." : entry) / name;
    if (is_executable_file(candidate)) {
      result.path = candidate;
      result.exists = true;
      return result;
    }
    if (not_executable.empty() && is_plain_file(candidate)) not_executable = candidate;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (!not_executable.empty()) {
    result.path = not_executable;
    result.exists = true;
    result.problem = "is in PATH at " + not_executable.string() + " and is not executable";
  } else {
    result.problem = "is not in PATH";
  }
  return result;
}

fs::path started_program(const fs::path& path) {
  fs::path target = path;
  for (int depth = 0; depth < kMaxScriptDepth; ++depth) {
    const std::optional<fs::path> interpreter = script_interpreter(target);
    if (!interpreter) break;
    target = *interpreter;
    if (!is_executable_file(target)) break;
  }
  return target;
}

std::string privilege_obstacle(const fs::path& path) {
  if (!gains_privileges(path)) return {};
  return "is setuid, setgid or has file capabilities; the dynamic linker ignores LD_PRELOAD there, "
         "so it cannot run on Bobbin";
}

std::string script_obstacle(const fs::path& path) {
  const fs::path interpreter = started_program(path);
  if (interpreter == path || is_executable_file(interpreter)) return {};
  std::string name = interpreter.string();
  if (!name.ends_with('\r'))
    return "is a script for " + name + ", which is missing or not executable";
  name.pop_back();
  return "is a script for " + name +
         " with a carriage return at the end of its first line, as on Windows, which the kernel "
         "takes "
         "for a part of that name (dos2unix?)";
}

namespace {

std::string obstacle_in(const ElfFile& file) {
  if (file.elf_class() != native_elf_class() || file.machine() != native_machine()) {
    return "is a " + describe_architecture(file.elf_class(), file.machine()) +
           " program and this Bobbin is built for " +
           describe_architecture(native_elf_class(), native_machine());
  }
  if (file.is_shared_library()) return "is a shared library and no program";
  if (!file.has_interpreter()) {
    return "is statically linked; nothing can be preloaded into it, so it cannot run on "
           "Bobbin. Link it dynamically (without -static)";
  }
  if (!needs_an_openmp_library(file) && contains_libgomp(file)) {
    return "contains a statically linked libgomp, which a preloaded library cannot "
           "replace. Link it with libgomp.so (without libgomp.a)";
  }
  return {};
}

std::string first_library_of(const ElfFile& file) {
  for (const std::string& name : file.needed()) {
    if (name.starts_with("libasan.so")) return name;
  }
  return {};
}

}  // namespace

Preloading look_into_preloading(const fs::path& path) {
  if (std::string obstacle = script_obstacle(path); !obstacle.empty()) return {obstacle, {}};
  const fs::path target = started_program(path);
  Preloading found{privilege_obstacle(target), {}};
  if (found.obstacle.empty()) {
    // Nothing if it is something else that the kernel may know how to start, or a script without a
    // first line.
    if (const std::optional<ElfFile> file = ElfFile::open(target)) {
      found = {obstacle_in(*file), first_library_of(*file)};
    }
  }
  if (!found.obstacle.empty() && target != path) {
    found.obstacle = "is a script for " + target.string() + ", which " + found.obstacle;
  }
  return found;
}

}  // namespace bobbin::cli
