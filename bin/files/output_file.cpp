// SPDX-License-Identifier: Apache-2.0
#include "files/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "files/elf_file.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

std::string output_problem(const std::string& path) {
  if (path.empty()) return {};
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return path + " is a folder: name a file for the output";
  const fs::path folder = fs::path(path).parent_path();
  const fs::path written = fs::exists(status) ? fs::path(path) : folder.empty() ? "." : folder;
  if (access(written.c_str(), W_OK) != 0) {
    return "cannot write " + path + ": " + std::strerror(errno);
  }
  if (!fs::is_regular_file(status)) return {};  // it does not exist yet, or is a pipe or a device
  if (access(path.c_str(), X_OK) == 0 || ElfFile::open(path)) {
    return path + " is a program, which the output would overwrite: name another file";
  }
  return {};
}

bool cannot_write(const std::string& path) {
  std::fprintf(stderr, "bobbin: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
  return false;
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file || cannot_write(path);
}

}  // namespace bobbin::cli
