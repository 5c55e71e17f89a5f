// SPDX-License-Identifier: Apache-2.0
#include "system.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "files/installation.h"
#include "files/linker_cache.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstLine = "# Written by `bobbin system --enable`; --disable removes it.";

int fail(const std::string& text) {
  std::fprintf(stderr, "bobbin system: %s\n", text.c_str());
  return kOwnFailure;
}

bool is_ours(const fs::path& file) {
  std::ifstream input(file);
  std::string line;
  return std::getline(input, line) && line == kFirstLine;
}

// Programs of all users, and with their privileges, would load what lies there.
std::string who_may_write(const LinkerCache& cache, const fs::path& path) {
  for (fs::path part = path;; part = part.parent_path()) {
    struct stat about;
    if (stat(cache.outside(part).c_str(), &about) != 0) return part.string() + " is not there";
    if (about.st_uid != 0 || (about.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
      return part.string() + " may be changed by others than root";
    }
    if (part == part.root_path()) return {};
  }
}

std::string obstacle_to_enabling(const LinkerCache& cache, const fs::path& names) {
  for (const fs::path& file : {names / "libgomp.so.1", names.parent_path() / "libbobbin.so.1"}) {
    const std::string problem = who_may_write(cache, file);
    if (!problem.empty()) return problem + "; install Bobbin for the whole system";
  }
  std::error_code error;
  if (fs::exists(cache.our_file(), error) && !is_ours(cache.our_file())) {
    return cache.our_file().string() + " was written by somebody else";
  }
  return {};
}

bool is_enabled(const LinkerCache& cache) {
  const fs::path found = cache.find("libgomp.so.1");
  std::error_code error;
  return is_ours(cache.our_file()) && !found.empty() &&
         fs::exists(cache.outside(found.parent_path() / "bobbin-libomp.so.5"), error);
}

int disable(const LinkerCache& cache) {
  std::error_code error;
  if (!fs::exists(cache.our_file(), error)) {
    std::puts("Bobbin is not the system's OpenMP runtime.");
    return kSuccess;
  }
  if (!is_ours(cache.our_file())) {
    return fail(cache.our_file().string() + " was written by somebody else");
  }
  if (!fs::remove(cache.our_file(), error)) {
    return fail("cannot remove " + cache.our_file().string() + ": " + error.message());
  }
  if (!cache.update()) return fail("ldconfig failed; run it again");
  std::puts("Programs that start from now on use their own OpenMP runtimes.");
  return kSuccess;
}

int enable(const LinkerCache& cache, const fs::path& names) {
  const std::string problem = obstacle_to_enabling(cache, names);
  if (!problem.empty()) return fail(problem);
  const fs::path file = cache.our_file();
  std::error_code error;
  {
    std::ofstream output(file);
    output << kFirstLine << "\n" << names.string() << "\n";
    if (!output.flush()) return fail("cannot write " + file.string());
  }
  fs::permissions(file,
                  fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read |
                      fs::perms::others_read,
                  error);
  if (cache.update() && cache.find("libgomp.so.1") == names / "libgomp.so.1") {
    std::puts("Programs that start from now on use Bobbin; `bobbin system --disable` undoes this.");
    return kSuccess;
  }
  fs::remove(file, error);
  cache.update();
  return fail(
      "this system's ld.so would still not take Bobbin for libgomp.so.1, so nothing was "
      "changed");
}

int print_status(const LinkerCache& cache) {
  const bool enabled = is_enabled(cache);
  std::printf("Bobbin is %sthe system's OpenMP runtime.\n", enabled ? "" : "not ");
  for (const NameLibrary& library : kNameLibraries) {
    const std::string name(library.name);
    const fs::path found = cache.find(name);
    std::printf("  %-12s  %s\n", name.c_str(), found.empty() ? "-" : found.c_str());
  }
  return enabled ? kSuccess : kNotServed;
}

// Where programs in the root find what lies here.
fs::path inside(const fs::path& root, const fs::path& path) {
  const fs::path relative = path.lexically_relative(root);
  return relative.empty() || *relative.begin() == ".." ? path : "/" / relative;
}

}  // namespace

void SystemCommand::add_to(CLI::App& command) {
  CLI::Option* enable = command.add_flag(
      "--enable", enable_, "let programs of all users find Bobbin instead of libgomp, libomp, ...");
  CLI::Option* disable = command.add_flag("--disable", disable_, "undo that");
  CLI::Option* status = command.add_flag("--status", status_, "tell whether it is in effect");
  enable->excludes(disable)->excludes(status);
  disable->excludes(status);
  command.add_option("--root", root_, "the system in this folder, instead of the running one")
      ->type_name("DIR");
}

int SystemCommand::execute() const {
  if (!enable_ && !disable_ && !status_) {
    return fail("--enable, --disable or --status? (see bobbin system --help)");
  }
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;
  std::error_code error;
  const fs::path root = fs::canonical(root_.empty() ? "/" : root_, error);
  if (error) return fail(root_ + ": " + error.message());
  const LinkerCache cache(root);
  const std::string problem = cache.obstacle();
  if (!problem.empty()) {
    return fail("this system is not understood: " + problem +
                ". `bobbin run` and linking with -Wl,-rpath work here all the same");
  }
  if (status_) return print_status(cache);
  if (geteuid() != 0) {
    return fail(std::string("only root can do this: sudo bobbin system ") +
                (enable_ ? "--enable" : "--disable"));
  }
  return enable_ ? enable(cache, inside(root, installation->names)) : disable(cache);
}

}  // namespace bobbin::cli
