// SPDX-License-Identifier: Apache-2.0
#include "env_report.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "bobbin/bobbin.h"
#include "exit_codes.h"
#include "installation.h"

namespace bobbin::cli {
namespace {

struct Setting {
  std::string name;
  std::string value;
  std::string origin;
};

void collect(void* user, const char* name, const char* value, const char* source,
             const char* detail) {
  Setting setting{name, value[0] != '\0' ? value : "-", source};
  if (detail != nullptr && detail[0] != '\0') setting.origin += std::string(" (") + detail + ")";
  static_cast<std::vector<Setting>*>(user)->push_back(std::move(setting));
}

}  // namespace

int print_env_report() {
  const std::optional<Installation> installation = find_installation();
  if (!installation) return kOwnFailure;
  void* library = dlopen(installation->library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "bobbin env: %s\n", dlerror());
    return kOwnFailure;
  }
  const auto report =
      reinterpret_cast<decltype(&bobbin_env_report)>(dlsym(library, "bobbin_env_report"));
  if (report == nullptr) {
    std::fprintf(stderr, "bobbin env: %s\n", dlerror());
    return kOwnFailure;
  }
  std::vector<Setting> settings;
  report(collect, &settings);

  // A long value (a list of places) does not push the third column off the screen for all.
  constexpr size_t kWidestValue = 32;
  size_t name_width = 4;
  size_t value_width = 5;
  for (const Setting& setting : settings) {
    name_width = std::max(name_width, setting.name.size());
    if (setting.value.size() <= kWidestValue) {
      value_width = std::max(value_width, setting.value.size());
    }
  }
  const auto print = [&](const char* name, const char* value, const char* origin) {
    std::printf("%-*s  %-*s  %s\n", static_cast<int>(name_width), name,
                static_cast<int>(value_width), value, origin);
  };
  print("NAME", "VALUE", "FROM");
  for (const Setting& setting : settings) {
    print(setting.name.c_str(), setting.value.c_str(), setting.origin.c_str());
  }
  return kSuccess;
}

}  // namespace bobbin::cli
