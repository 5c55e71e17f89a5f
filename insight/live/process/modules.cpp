// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/modules.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

namespace bobbin::insight {

namespace fs = std::filesystem;

namespace {

// A process in a container has files of its own under the paths that it knows.
fs::path readable(const fs::path& root, const std::string& path) {
  const fs::path inside = root.string() + path;
  std::error_code error;
  return fs::equivalent(path, inside, error) ? fs::path(path) : inside;
}

LiveModule described(const fs::path& root, const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  LiveModule module;
  module.path = readable(root, path);
  module.is_runtime = name.starts_with("libbobbin.so");
  module.is_c_library = name.starts_with("libc.so") || name.starts_with("libc-2") ||
                        name.starts_with("ld-linux") || name.starts_with("libpthread");
  return module;
}

}  // namespace

LiveModules::LiveModules(int process) {
  const fs::path folder = fs::path("/proc") / std::to_string(process);
  std::map<std::string, size_t> known;
  std::ifstream maps(folder / "maps");
  for (std::string line; std::getline(maps, line);) {
    uint64_t begin = 0;
    uint64_t end = 0;
    char access[5] = "";
    const size_t slash = line.find('/');
    if (slash == std::string::npos ||
        std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, access) != 3) {
      continue;
    }
    const std::string path = line.substr(slash);
    const auto [entry, is_new] = known.emplace(path, modules_.size());
    if (is_new) {
      modules_.push_back(described(folder / "root", path));
      modules_.back().base = begin;
    }
    if (access[2] == 'x') code_.push_back({begin, end, entry->second});
  }
}

const LiveModule* LiveModules::with_code(uint64_t address) const {
  const auto behind =
      std::upper_bound(code_.begin(), code_.end(), address,
                       [](uint64_t wanted, const Code& code) { return wanted < code.begin; });
  if (behind == code_.begin()) return nullptr;
  const Code& last = *std::prev(behind);
  return address < last.end ? &modules_[last.module] : nullptr;
}

const LiveModule* LiveModules::runtime() const {
  const auto found = std::find_if(modules_.begin(), modules_.end(),
                                  [](const LiveModule& module) { return module.is_runtime; });
  return found != modules_.end() ? &*found : nullptr;
}

CodeAddress LiveModules::address_of(uint64_t code) const {
  const LiveModule* module = with_code(code);
  if (module == nullptr) return {{}, code};
  return {module->path, code - module->base};
}

}  // namespace bobbin::insight
