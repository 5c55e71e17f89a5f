// SPDX-License-Identifier: Apache-2.0
#include "env/affinity_format.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace bobbin {
namespace {

CpuSet mask_of(std::initializer_list<unsigned> cpus) {
  CpuSet set;
  for (unsigned cpu : cpus) set.add(cpu);
  return set;
}

class AffinityFormatTest : public ::testing::Test {
 protected:
  std::string expand(std::string_view format) {
    Text<8192> out;
    expand_affinity(format, fields_, out);
    return out.c_str();
  }

  CpuSet mask_ = mask_of({1, 2, 3, 9});
  AffinityFields fields_{2, 4, 1, 7, 16, 3, 4711, &mask_};
};

TEST_F(AffinityFormatTest, ShortAndLongNames) {
  EXPECT_EQ(expand("%t %T %L %n %N %a %i %A"), "2 4 1 7 16 3 4711 1-3,9");
  EXPECT_EQ(expand("%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} "
                   "%{ancestor_tnum} %{native_thread_id} %{thread_affinity}"),
            "2 4 1 7 16 3 4711 1-3,9");
  EXPECT_EQ(expand("%P"), std::to_string(getpid()));
  EXPECT_EQ(expand("%{process_id}"), std::to_string(getpid()));
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  EXPECT_EQ(expand("%H"), host);
}

TEST_F(AffinityFormatTest, WidthAndFlags) {
  EXPECT_EQ(expand("[%5n]"), "[7    ]");
  EXPECT_EQ(expand("[%.5n]"), "[    7]");
  EXPECT_EQ(expand("[%0.5n]"), "[00007]");
  EXPECT_EQ(expand("[%1i]"), "[4711]");
  EXPECT_EQ(expand("[%10A]"), "[1-3,9     ]");
  EXPECT_EQ(expand("[%.10{thread_affinity}]"), "[     1-3,9]");
  EXPECT_EQ(expand("[%0.10A]"), "[     1-3,9]");
  fields_.ancestor_tnum = -1;
  EXPECT_EQ(expand("[%a][%4a][%.4a][%0.4a]"), "[-1][-1  ][  -1][-001]");
}

TEST_F(AffinityFormatTest, LiteralsAndMistakes) {
  EXPECT_EQ(expand("plain"), "plain");
  EXPECT_EQ(expand("100%%"), "100%");
  EXPECT_EQ(expand("%%n"), "%n");
  EXPECT_EQ(expand("%"), "");
  EXPECT_EQ(expand("a%"), "a");
  EXPECT_EQ(expand("%X|%{nonsense}|"), "undefined|undefined|");
  EXPECT_EQ(expand("%{thread_num"), "7");
  EXPECT_EQ(expand("%0"), "undefined");
  EXPECT_EQ(expand("[%05n]"), "[7    ]");
  EXPECT_EQ(expand("%99999999999999999999n").size(), 4096u);
}

TEST_F(AffinityFormatTest, LengthCountsWhatDoesNotFit) {
  char buffer[6];
  TextOut out(buffer, sizeof buffer);
  expand_affinity("thread %n", fields_, out);
  EXPECT_EQ(out.length(), 8u);
  EXPECT_STREQ(buffer, "threa");
  TextOut none(nullptr, 0);
  expand_affinity("thread %n", fields_, none);
  EXPECT_EQ(none.length(), 8u);
}

TEST_F(AffinityFormatTest, TheFormatInForce) {
  char buffer[128];
  EXPECT_EQ(get_affinity_format(buffer, sizeof buffer), kDefaultAffinityFormat.size());
  EXPECT_EQ(std::string_view(buffer), kDefaultAffinityFormat);
  ASSERT_TRUE(set_affinity_format("n=%n"));
  EXPECT_EQ(get_affinity_format(buffer, 3), 4u);
  EXPECT_STREQ(buffer, "n=");
  EXPECT_EQ(get_affinity_format(nullptr, 0), 4u);
  EXPECT_EQ(expand(""), "n=7");

  const std::string longer = std::string(3000, 'x').append("%n");
  ASSERT_TRUE(set_affinity_format(longer));
  EXPECT_EQ(expand(""), std::string(3000, 'x').append("7"));
  set_affinity_format(kDefaultAffinityFormat);
}

}  // namespace
}  // namespace bobbin
