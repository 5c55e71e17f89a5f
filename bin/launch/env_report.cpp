// SPDX-License-Identifier: Apache-2.0
#include "launch/env_report.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "bobbin/bobbin.h"
#include "files/installation.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

struct Setting {
  std::string name;
  std::string value;
  std::string source;
  std::string detail;

  bool without_effect() const { return source == "no effect"; }
};

void collect(void* user, const char* name, const char* value, const char* source,
             const char* detail) {
  static_cast<std::vector<Setting>*>(user)->push_back(
      {name, value[0] != '\0' ? value : "-", source, detail});
}

void print_in_force(const std::vector<Setting>& settings) {
  // A long value (a list of places) does not push the third column off the screen for all.
  constexpr size_t kWidestValue = 32;
  size_t name_width = 4;
  size_t value_width = 5;
  for (const Setting& setting : settings) {
    if (setting.without_effect()) continue;
    name_width = std::max(name_width, setting.name.size());
    if (setting.value.size() <= kWidestValue) {
      value_width = std::max(value_width, setting.value.size());
    }
  }
  const auto print = [&](const char* name, const char* value, const std::string& origin) {
    std::printf("%-*s  %-*s  %s\n", static_cast<int>(name_width), name,
                static_cast<int>(value_width), value, origin.c_str());
  };
  print("NAME", "VALUE", "FROM");
  for (const Setting& setting : settings) {
    if (setting.without_effect()) continue;
    const std::string more = setting.detail.empty() ? "" : " (" + setting.detail + ")";
    print(setting.name.c_str(), setting.value.c_str(), setting.source + more);
  }
}

void print_without_effect(const std::vector<Setting>& settings) {
  const char* heading = "\nSet, but without effect\n";
  for (const Setting& setting : settings) {
    if (!setting.without_effect()) continue;
    std::printf("%s  %s=%s: %s\n", heading, setting.name.c_str(), setting.value.c_str(),
                setting.detail.c_str());
    heading = "";
  }
}

}  // namespace

int print_env_report(const LaunchOptions& options) {
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
  for (Setting& setting : settings) {
    const std::string option = options.option_that_sets(setting.source);
    if (!option.empty()) setting.source = option;
  }
  print_in_force(settings);
  print_without_effect(settings);
  return kSuccess;
}

}  // namespace bobbin::cli
