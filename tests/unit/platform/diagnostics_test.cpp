// SPDX-License-Identifier: Apache-2.0
#include "platform/diagnostics.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <vector>

namespace bobbin {
namespace {

std::vector<std::string> lines;

void keep(std::string_view line) { lines.emplace_back(line); }

class DiagnosticsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    lines.clear();
    redirect_diagnostics(keep);
  }
  void TearDown() override { redirect_diagnostics(nullptr); }
};

TEST_F(DiagnosticsTest, OnePrefixedLine) {
  errno = 42;
  warn("a %d %s", 7, "b");
  EXPECT_EQ(errno, 42);
  EXPECT_EQ(lines, std::vector<std::string>{"bobbin: a 7 b\n"});
}

TEST_F(DiagnosticsTest, ControlCharactersDoNotGetThrough) {
  warn("%s", "x\ny\x1b[31m");
  EXPECT_EQ(lines, std::vector<std::string>{"bobbin: x?y?[31m\n"});
}

TEST_F(DiagnosticsTest, LongLinesAreCut) {
  warn("%s", std::string(5000, 'x').c_str());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LE(lines[0].size(), 1024u);
  EXPECT_EQ(lines[0].substr(lines[0].size() - 4), "...\n");
}

TEST_F(DiagnosticsTest, Once) {
  OnceFlag said{false};
  for (int i = 0; i < 3; ++i) warn_once(said, "n %d", i);
  EXPECT_EQ(lines, std::vector<std::string>{"bobbin: n 0\n"});
}

TEST(DiagnosticsDeathTest, FatalEndsTheProgram) {
  EXPECT_EXIT(fatal("no way on: %d", 3), ::testing::ExitedWithCode(1), "bobbin: no way on: 3");
}

}  // namespace
}  // namespace bobbin
