// SPDX-License-Identifier: Apache-2.0
#include "processes/process.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "files/elf_file.h"
#include "files/installation.h"
#include "insight/live/process/proc.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

// The shared libraries among the mapped files, each once.
std::set<std::string> mapped_libraries(const std::string& maps) {
  std::set<std::string> found;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    const size_t path = line.find('/');
    if (path == std::string::npos) continue;
    std::string name = line.substr(path);
    constexpr std::string_view kDeleted = " (deleted)";
    if (name.ends_with(kDeleted)) name.resize(name.size() - kDeleted.size());
    if (name.find(".so") != std::string::npos) found.insert(name);
  }
  return found;
}

// By the file's contents if it can be read: a library of Bobbin has the name of another.
Vendor vendor_in(const fs::path& root, const std::string& path) {
  const Vendor by_name = vendor_by_name(fs::path(path).filename().string());
  if (by_name == Vendor::None) return by_name;
  const std::optional<ElfFile> file = ElfFile::open(root.string() + path);
  return file ? vendor_of(*file) : by_name;
}

void read_variables(const std::string& environment, Process& process) {
  static constexpr std::string_view kPrefixes[] = {"OMP_", "GOMP_", "KMP_", "BOBBIN_"};
  static constexpr std::string_view kPreload = "LD_PRELOAD=";
  std::istringstream entries(environment);
  for (std::string entry; std::getline(entries, entry, '\0');) {
    if (entry.starts_with(kPreload)) {
      process.preloads_bobbin = entry.find("/bobbin-libomp.so.5") != std::string::npos;
    }
    if (std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                    [&](std::string_view prefix) { return entry.starts_with(prefix); })) {
      process.variables.push_back(entry);
    }
  }
  std::sort(process.variables.begin(), process.variables.end());
}

size_t entries_of(const fs::path& folder) {
  std::error_code error;
  size_t count = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    ++count;
  }
  return count;
}

}  // namespace

std::optional<int> process_number(const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end && value > 0 ? std::optional(value) : std::nullopt;
}

Process read_process(int id) {
  Process process;
  process.id = id;
  const fs::path folder = fs::path("/proc") / std::to_string(id);
  std::error_code error;
  process.exists = fs::exists(folder, error);
  if (!process.exists) {
    process.problem = "there is no such process";
    return process;
  }
  const std::string mapped = insight::file_of_process(id, "maps");
  if (mapped.empty()) {
    // The kernel gives no reason by a stream, and an ended process has no memory.
    process.problem = "its memory cannot be read: it has ended, or belongs to another user";
    return process;
  }
  process.name = insight::file_of_process(id, "comm");
  if (!process.name.empty() && process.name.back() == '\n') process.name.pop_back();
  process.threads = entries_of(folder / "task");
  // A process in a container has files of its own under these paths.
  const fs::path root = folder / "root";
  std::set<fs::path> names;
  for (const std::string& path : mapped_libraries(mapped)) {
    const Vendor vendor = vendor_in(root, path);
    if (vendor != Vendor::None) process.libraries.emplace(path, vendor);
    names.insert(fs::path(path).filename());
  }
  process.took_all_names =
      std::all_of(kNameLibraries.begin(), kNameLibraries.end(),
                  [&](const NameLibrary& library) { return names.contains(library.file); });
  const std::optional<ElfFile> program = ElfFile::open(folder / "exe");
  process.has_static_copy = program && contains_libgomp(*program);
  read_variables(insight::file_of_process(id, "environ"), process);
  return process;
}

}  // namespace bobbin::cli
