// SPDX-License-Identifier: Apache-2.0
#include "files/linker_cache.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>

#include "words/shell_words.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

std::string find_ldconfig() {
  std::error_code error;
  for (const char* path : {"/sbin/ldconfig", "/usr/sbin/ldconfig"}) {
    if (fs::exists(path, error)) return path;
  }
  return {};
}

std::string ldconfig(const fs::path& root, const char* options) {
  return "LC_ALL=C " + find_ldconfig() + " -r " + shell_quoted(root.string()) + options;
}

bool includes_folder(std::istream& configuration) {
  std::string line;
  while (std::getline(configuration, line)) {
    std::istringstream words(line);
    std::string first, pattern;
    words >> first >> pattern;
    if (first == "include" &&
        (pattern == "/etc/ld.so.conf.d/*.conf" || pattern == "ld.so.conf.d/*.conf")) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string LinkerCache::obstacle() const {
  if (find_ldconfig().empty()) return "there is no ldconfig";
  std::ifstream configuration(outside("/etc/ld.so.conf"));
  if (!configuration) return "there is no /etc/ld.so.conf";
  if (!includes_folder(configuration)) {
    return "/etc/ld.so.conf does not include /etc/ld.so.conf.d/*.conf";
  }
  std::error_code error;
  if (!fs::is_directory(our_file().parent_path(), error)) return "there is no /etc/ld.so.conf.d";
  return {};
}

bool LinkerCache::update() const { return std::system(ldconfig(root_, "").c_str()) == 0; }

fs::path LinkerCache::find(const std::string& name) const {
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(ldconfig(root_, " -p").c_str(), "r"),
                                                     pclose);
  if (!output) return {};
#if defined(__x86_64__)
  const std::string kind = "x86-64";
#elif defined(__aarch64__)
  const std::string kind = "AArch64";
#endif
  // "	libgomp.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libgomp.so.1"; the first one is taken.
  char* buffer = nullptr;
  size_t size = 0;
  fs::path found;
  while (found.empty() && getline(&buffer, &size, output.get()) > 0) {
    const std::string line = buffer;
    const size_t arrow = line.find(" => ");
    if (line.starts_with("\t" + name + " (") && arrow != std::string::npos &&
        line.find(kind) < arrow) {
      found = line.substr(arrow + 4, line.find('\n') - arrow - 4);
    }
  }
  std::free(buffer);
  return found;
}

}  // namespace bobbin::cli
