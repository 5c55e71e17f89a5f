// SPDX-License-Identifier: Apache-2.0
#include "platform/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "file_tree.h"
#include "platform/small_file.h"

namespace bobbin {
namespace {

TEST(TextOut, CutsButCounts) {
  char buffer[8];
  TextOut out(buffer, sizeof buffer);
  out.add("abc");
  out.number(12345u);
  EXPECT_EQ(out.length(), 8u);
  EXPECT_TRUE(out.truncated());
  EXPECT_STREQ(buffer, "abc1234");
  out.add("more");
  out.repeat('x', 3);
  out.format("%d", 77);
  EXPECT_EQ(out.length(), 17u);
  EXPECT_STREQ(buffer, "abc1234");
  EXPECT_EQ(out.view(), "abc1234");
}

TEST(TextOut, NoRoomAtAll) {
  TextOut none(nullptr, 0);
  none.add("abc");
  none.number(-5);
  EXPECT_EQ(none.length(), 5u);
  EXPECT_EQ(none.view(), "");
  char one[1] = {'x'};
  TextOut single(one, 1);
  single.add("abc");
  EXPECT_EQ(one[0], '\0');
  EXPECT_EQ(single.length(), 3u);
}

TEST(TextOut, Numbers) {
  Text<128> out;
  out.number(INT64_MIN);
  out.add(' ');
  out.number(UINT64_MAX);
  out.add(' ');
  out.number(0);
  EXPECT_STREQ(out.c_str(), "-9223372036854775808 18446744073709551615 0");
}

TEST(Scanner, Numbers) {
  std::uint64_t value = 0;
  EXPECT_TRUE(Scanner("  18446744073709551615").number(value));
  EXPECT_EQ(value, UINT64_MAX);
  EXPECT_FALSE(Scanner("18446744073709551616").number(value));
  EXPECT_FALSE(Scanner("").number(value));
  EXPECT_FALSE(Scanner("x1").number(value));
  std::int64_t integer = 0;
  EXPECT_TRUE(Scanner("- 12").integer(integer));
  EXPECT_EQ(integer, -12);
  EXPECT_TRUE(Scanner("+3").integer(integer));
  EXPECT_EQ(integer, 3);
  EXPECT_FALSE(Scanner("9223372036854775808").integer(integer));
}

TEST(Scanner, WordsAndMarks) {
  Scanner scan(" ab_c-1 : , x ");
  EXPECT_EQ(scan.word(), "ab_c-1");
  EXPECT_FALSE(scan.eat(','));
  EXPECT_TRUE(scan.eat(':'));
  EXPECT_TRUE(scan.eat(','));
  EXPECT_EQ(scan.word(), "x");
  EXPECT_TRUE(scan.done());
  EXPECT_EQ(scan.word(), "");
  EXPECT_EQ(scan.peek(), '\0');
}

TEST(Text, Trimmed) {
  EXPECT_EQ(trimmed("  a b \t\n"), "a b");
  EXPECT_EQ(trimmed("   "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(slice("abc", 1), "bc");
  EXPECT_EQ(slice("abc", 9), "");
}

std::vector<std::string> lines_of(const FileTree& tree, const std::string& text) {
  tree.write("file", text);
  std::vector<std::string> lines;
  each_line(tree.path("file").c_str(), [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  return lines;
}

TEST(EachLine, ShortLongAndUnterminated) {
  FileTree tree;
  EXPECT_TRUE(lines_of(tree, "").empty());
  EXPECT_EQ(lines_of(tree, "a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
  const std::string exact(4096, 'e'), longer(10000, 'l');
  const auto lines = lines_of(tree, "x\n" + exact + "\n" + longer + "\ny\n" + longer);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "x");
  EXPECT_EQ(lines[1], exact);
  EXPECT_EQ(lines[2], longer.substr(0, 4096));
  EXPECT_EQ(lines[3], "y");
  EXPECT_EQ(lines[4], longer.substr(0, 4096));
}

TEST(EachLine, StopsWhenTold) {
  FileTree tree;
  tree.write("file", "1\n2\n3\n");
  int seen = 0;
  each_line(tree.path("file").c_str(), [&](std::string_view) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
  each_line(tree.path("missing").c_str(), [&](std::string_view) { return ++seen < 9; });
  EXPECT_EQ(seen, 2);
}

TEST(SmallFile, Numbers) {
  FileTree tree;
  std::int64_t value = 7;
  EXPECT_FALSE(read_number_file(tree.path("missing").c_str(), value));
  tree.write("file", "-1\n");
  EXPECT_TRUE(read_number_file(tree.path("file").c_str(), value));
  EXPECT_EQ(value, -1);
  tree.write("file", "max\n");
  EXPECT_FALSE(read_number_file(tree.path("file").c_str(), value));
}

}  // namespace
}  // namespace bobbin
