// SPDX-License-Identifier: Apache-2.0
// BOBBIN_TUNING: every heuristic has a name by which it can be switched off.
#include "env/tuning.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace bobbin {
namespace {

std::string printed(const GlobalIcvs& icvs) {
  Text<1024> text;
  print_tuning(icvs, text);
  return std::string(text.view());
}

TEST(Tuning, EveryHeuristicHasANameOfItsOwn) {
  std::set<std::string> names;
  for (unsigned i = 0; i < kHeuristics; i++) {
    const std::string name(name_of(static_cast<Heuristic>(i)));
    ASSERT_FALSE(name.empty()) << i;
    EXPECT_TRUE(names.insert(name).second) << name;
    GlobalIcvs icvs;
    ASSERT_TRUE(read_tuning(name + ":off", icvs)) << name;
    EXPECT_EQ(icvs.heuristics_off, bit_of(static_cast<Heuristic>(i))) << name;
    EXPECT_EQ(printed(icvs), name + ":off");
  }
}

TEST(Tuning, ReadsAList) {
  GlobalIcvs icvs;
  ASSERT_TRUE(read_tuning("apart:off,counters,APART:ON, steal-many:Off", icvs));
  EXPECT_TRUE(icvs.count_heuristics);
  EXPECT_EQ(printed(icvs), "counters,steal-many:off");
}

TEST(Tuning, ChangesNothingWhereItIsNotUnderstood) {
  GlobalIcvs icvs;
  icvs.heuristics_off = 5;
  for (const char* text :
       {"", "apart", "apart:", "apart:maybe", "a-part:off", "apart:off,", "apart:off;"}) {
    EXPECT_FALSE(read_tuning(text, icvs)) << text;
    EXPECT_EQ(icvs.heuristics_off, 5u);
  }
}

}  // namespace
}  // namespace bobbin
