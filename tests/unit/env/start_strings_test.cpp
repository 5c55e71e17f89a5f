// SPDX-License-Identifier: Apache-2.0
//
// What the user gives takes precedence over what the program sets after its start.
#include <gtest/gtest.h>

#include <cstring>

#include "env_fixture.h"

namespace bobbin {
namespace {

class StartStringsTest : public EnvTest {
 protected:
  // `users`: one string after the other, each ended by a null byte, as the kernel puts them.
  template <std::size_t Size>
  const GlobalIcvs& parse_both(const char (&users)[Size], std::vector<const char*> programs) {
    std::vector<const char*> entries = std::move(programs);
    for (const char* entry = users; entry < users + Size - 1; entry += std::strlen(entry) + 1) {
      entries.push_back(entry);
      machine_.start.last = entry;
    }
    entries.push_back(nullptr);
    machine_.start.first = users;
    parse_environment(entries.data(), machine_, settings_);
    return settings_.icvs;
  }
};

TEST_F(StartStringsTest, UsersWaitPolicyWinsOverProgramsBlockTime) {
  const GlobalIcvs& icvs = parse_both("OMP_WAIT_POLICY=passive\0", {"KMP_BLOCKTIME=200"});
  EXPECT_EQ(icvs.block_time_ns, kSpinUnset);
  EXPECT_EQ(icvs.wait_policy, WaitPolicy::Passive);
}

TEST_F(StartStringsTest, UsersSpinCountWinsOverProgramsBlockTime) {
  const GlobalIcvs& icvs = parse_both("GOMP_SPINCOUNT=7\0", {"KMP_BLOCKTIME=200"});
  EXPECT_EQ(icvs.block_time_ns, kSpinUnset);
  EXPECT_EQ(icvs.spin_count, 7u);
}

TEST_F(StartStringsTest, ProgramsBlockTimeCountsWhereTheUserGivesNone) {
  const GlobalIcvs& icvs = parse_both("OMP_NUM_THREADS=4\0", {"KMP_BLOCKTIME=100"});
  EXPECT_EQ(icvs.block_time_ns, 100'000'000u);
}

TEST_F(StartStringsTest, OtherRuntimesDefaultIsNoWish) {
  const GlobalIcvs& icvs = parse_both("OMP_NUM_THREADS=4\0", {"KMP_BLOCKTIME=200"});
  EXPECT_EQ(icvs.block_time_ns, kSpinUnset);
  EXPECT_EQ(parse_both("KMP_BLOCKTIME=200\0", {}).block_time_ns, 200'000'000u);
}

TEST_F(StartStringsTest, AmongTheUsersTheOrderIsAsBefore) {
  const GlobalIcvs& icvs = parse_both("OMP_WAIT_POLICY=passive\0KMP_BLOCKTIME=3\0", {});
  EXPECT_EQ(icvs.block_time_ns, 3'000'000u);
}

TEST_F(StartStringsTest, UsersStackSizeWinsOverProgramsOtherName) {
  const GlobalIcvs& icvs = parse_both("OMP_STACKSIZE=2M\0", {"KMP_STACKSIZE=1M"});
  EXPECT_EQ(icvs.stack_size, std::size_t{2} << 20);
}

TEST_F(StartStringsTest, UsersLevelsWinOverProgramsNested) {
  const GlobalIcvs& icvs = parse_both("OMP_NESTED=true\0", {"OMP_MAX_ACTIVE_LEVELS=1"});
  EXPECT_EQ(icvs.initial.max_active_levels, kSupportedActiveLevels);
}

TEST_F(StartStringsTest, UsersBindingWinsOverProgramsAffinity) {
  const GlobalIcvs& icvs = parse_both("OMP_PROC_BIND=false\0", {"KMP_AFFINITY=compact"});
  EXPECT_FALSE(icvs.affinity.decides());
  EXPECT_FALSE(icvs.binds_threads());
}

}  // namespace
}  // namespace bobbin
