// SPDX-License-Identifier: Apache-2.0
//
// Parses fake environments and keeps the parser's messages.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "env/display.h"
#include "env/settings.h"
#include "platform/diagnostics.h"

namespace bobbin {

inline std::vector<std::string> captured_lines;

inline void capture_line(std::string_view line) { captured_lines.emplace_back(line); }

class EnvTest : public ::testing::Test {
 protected:
  void SetUp() override {
    captured_lines.clear();
    redirect_diagnostics(capture_line);
  }
  void TearDown() override {
    redirect_diagnostics(nullptr);
    free_lists();
  }

  // The strings live as long as the fixture, because the settings point into them.
  Settings& parse(std::vector<std::string> environment) {
    free_lists();
    environment_ = std::move(environment);
    std::vector<const char*> pointers;
    for (const std::string& entry : environment_) pointers.push_back(entry.c_str());
    pointers.push_back(nullptr);
    parse_environment(pointers.data(), machine_, settings_);
    return settings_;
  }

  std::string value_of(const char* name) const {
    Text<4096> text;
    variable_table().rows[variable_index(name)].print(settings_, text);
    return text.c_str();
  }

  // A program's lists live for ever, but a test's do not.
  void free_lists() {
    std::free(settings_.icvs.nthreads.spilled);
    std::free(settings_.icvs.bind.spilled);
    settings_.icvs.nthreads.spilled = nullptr;
    settings_.icvs.bind.spilled = nullptr;
  }

  Machine machine_{{8, 0}, std::size_t{8} << 20};
  Settings settings_;
  std::vector<std::string> environment_;
};

}  // namespace bobbin
