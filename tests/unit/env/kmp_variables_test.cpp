// SPDX-License-Identifier: Apache-2.0
//
// The variables of LLVM's and Intel's runtimes: their grammar, and their precedence beside OMP_*.
#include "env/places.h"
#include "env/syntax/hw_subset.h"
#include "env/syntax/kmp_affinity.h"
#include "env_fixture.h"
#include "fake_tree.h"
#include "places_text.h"

namespace bobbin {
namespace {

class KmpVariables : public EnvTest {
 protected:
  void TearDown() override {
    list_.clear();
    EnvTest::TearDown();
  }

  std::string places(const std::string& value, std::vector<std::string> more = {}) {
    more.push_back("KMP_AFFINITY=" + value);
    CpuSet usable;
    for (unsigned cpu = 0; cpu < 8; ++cpu) usable.add(cpu);
    build_places(parse(std::move(more)).icvs, usable, fake_tree, list_);
    return text_of(list_);
  }

  static std::string subset(const char* value) {
    HwSubset wanted;
    CpuSet chosen;
    if (!parse_hw_subset(value, wanted)) return "bad";
    if (!select_processors(wanted, fake_tree(), chosen)) return "too much";
    Text<256> text;
    print_cpus(chosen, text);
    return text.c_str();
  }

  PlaceList list_;
};

TEST_F(KmpVariables, AffinityTypes) {
  EXPECT_EQ(places("granularity=fine,compact"), "{0},{4},{1},{5},{2},{6},{3},{7}");
  EXPECT_EQ(settings_.icvs.initial.bind, ProcBind::Close);
  EXPECT_EQ(places("granularity=fine,scatter"), "{0},{2},{1},{3},{4},{6},{5},{7}");
  EXPECT_EQ(places("scatter"), "{0,4},{2,6},{1,5},{3,7},{0,4},{2,6},{1,5},{3,7}");
  EXPECT_EQ(places("COMPACT"), "{0,4},{0,4},{1,5},{1,5},{2,6},{2,6},{3,7},{3,7}");
  EXPECT_EQ(places("balanced"), "{0,4},{1,5},{2,6},{3,7}");
  EXPECT_EQ(settings_.icvs.initial.bind, ProcBind::Spread);
  EXPECT_EQ(places("none"), "");
  EXPECT_EQ(settings_.icvs.initial.bind, ProcBind::False);
  EXPECT_EQ(places("disabled"), "");
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(KmpVariables, AffinityPermuteAndOffset) {
  // Cores come first: one thread of each core before the second thread of any core.
  EXPECT_EQ(places("granularity=fine,compact,1"), "{0},{1},{2},{3},{4},{5},{6},{7}");
  EXPECT_EQ(places("granularity=fine,compact,1,0"), "{0},{1},{2},{3},{4},{5},{6},{7}");
  EXPECT_EQ(places("granularity=fine,compact,0,3"), "{5},{2},{6},{3},{7},{0},{4},{1}");
  EXPECT_EQ(places("granularity=fine,scatter,1"), "{0},{1},{2},{3},{4},{5},{6},{7}");
  EXPECT_EQ(places("fine,logical,2"), "{1},{5},{2},{6},{3},{7},{0},{4}");
}

TEST_F(KmpVariables, AffinityExplicit) {
  EXPECT_EQ(places("granularity=fine,proclist=[3,0,{4,5},6-7],explicit"), "{3},{0},{4,5},{6},{7}");
  EXPECT_EQ(places("explicit,granularity=fine,proclist=[0-6:3]"), "{0},{3},{6}");
  EXPECT_EQ(places("proclist=[1,2],explicit"), "{1,5},{2,6}");
  EXPECT_EQ(places("proclist=[ 1 , 2 ]"), "{1,5},{2,6}");
  EXPECT_EQ(places("fine,explicit,proclist=[100]"), "{0,4},{1,5},{2,6},{3,7}");
  ASSERT_EQ(captured_lines.size(), 1u);
}

TEST_F(KmpVariables, AffinityComesBeforePlacesAndBinding) {
  EXPECT_EQ(places("fine,compact", {"OMP_PLACES={7}", "OMP_PROC_BIND=spread,close"}),
            "{0},{4},{1},{5},{2},{6},{3},{7}");
  EXPECT_EQ(settings_.icvs.initial.bind, ProcBind::Close);
  EXPECT_EQ(settings_.icvs.bind.count, 0u);
  EXPECT_FALSE(settings_.given[variable_index("OMP_PLACES")].accepted());
  EXPECT_EQ(places("none", {"GOMP_CPU_AFFINITY=3"}), "");
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(KmpVariables, AffinityWithoutTypeLeavesBindingToOthers) {
  EXPECT_EQ(places("verbose", {"OMP_PLACES={7},{3}", "OMP_PROC_BIND=spread"}), "{7},{3}");
  EXPECT_EQ(settings_.icvs.initial.bind, ProcBind::Spread);
  EXPECT_TRUE(settings_.icvs.display_affinity);
  EXPECT_TRUE(settings_.given[variable_index("OMP_PROC_BIND")].accepted());
  EXPECT_EQ(parse({"KMP_AFFINITY=granularity=fine"}).icvs.initial.bind, ProcBind::False);
}

TEST_F(KmpVariables, AffinityVerboseShowsIt) {
  EXPECT_TRUE(parse({"KMP_AFFINITY=verbose,compact"}).icvs.display_affinity);
  EXPECT_FALSE(parse({"KMP_AFFINITY=noverbose,respect,nowarnings,none"}).icvs.display_affinity);
  EXPECT_FALSE(
      parse({"KMP_AFFINITY=verbose,none", "OMP_DISPLAY_AFFINITY=false"}).icvs.display_affinity);
  EXPECT_EQ(value_of("KMP_AFFINITY"), "verbose,granularity=core,none");
}

TEST_F(KmpVariables, AffinityThatIsNone) {
  for (const char* value :
       {"compactly", "granularity", "granularity=", "granularity=atom,compact", "compact,1,",
        "compact,scatter", "explicit", "proclist=[0],compact", "proclist=[", "proclist=[]",
        "proclist=[3-1]", "proclist=[{1]", "compact,99999", ",", "compact compact"}) {
    captured_lines.clear();
    EXPECT_EQ(parse({std::string("KMP_AFFINITY=") + value}).icvs.affinity.type,
              AffinityType::NotGiven)
        << value;
    EXPECT_EQ(captured_lines.size(), 1u) << value;
  }
}

TEST_F(KmpVariables, AffinitySaysWhatIsMissing) {
  parse({"KMP_AFFINITY=explicit"});
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_NE(captured_lines[0].find("expected processors beside the type explicit"),
            std::string::npos);
  parse({"KMP_AFFINITY=proclist=[0],compact"});
  EXPECT_NE(captured_lines[1].find("expected the type explicit beside processors"),
            std::string::npos);
}

TEST_F(KmpVariables, HwSubsets) {
  EXPECT_EQ(subset("1s"), "0-1,4-5");
  EXPECT_EQ(subset("1s@1"), "2-3,6-7");
  EXPECT_EQ(subset("1s,1c,1t"), "0");
  EXPECT_EQ(subset("s, c, 1t"), "0-3");
  EXPECT_EQ(subset("c@1"), "1,3,5,7");
  EXPECT_EQ(subset("2s,1c"), "0,2,4,6");
  EXPECT_EQ(subset("1c"), "0,2,4,6");
  EXPECT_EQ(subset("1c@1,1t"), "1,3");
  EXPECT_EQ(subset("1T"), "0-3");
  EXPECT_EQ(subset("*sockets, 2 cores, 1 thread@1"), "4-7");
  EXPECT_EQ(subset("1numa_domain"), "0-7");
  EXPECT_EQ(subset(":1numa_domain"), "0-1,4-5");
  EXPECT_EQ(subset(":3t"), "0-1,4");
  EXPECT_EQ(subset("3s"), "too much");
  EXPECT_EQ(subset("2c@1"), "too much");
  for (const char* value : {"", "2", "c,", "2q", "0c", "1c,1c", "1c@", "1c,", "-1c", "2c2t"}) {
    EXPECT_EQ(subset(value), "bad") << value;
  }
}

TEST_F(KmpVariables, StackSizeIsInBytesAndComesFirst) {
  EXPECT_EQ(parse({"KMP_STACKSIZE=1048576"}).icvs.stack_size, std::size_t{1} << 20);
  EXPECT_EQ(parse({"KMP_STACKSIZE=2MB"}).icvs.stack_size, std::size_t{2} << 20);
  EXPECT_EQ(parse({"OMP_STACKSIZE=1gb"}).icvs.stack_size, std::size_t{1} << 30);
  EXPECT_EQ(parse({"OMP_STACKSIZE=4m", "KMP_STACKSIZE=2m"}).icvs.stack_size, std::size_t{2} << 20);
  EXPECT_EQ(parse({"KMP_STACKSIZE=2m", "GOMP_STACKSIZE=4m"}).icvs.stack_size, std::size_t{2} << 20);
  EXPECT_TRUE(captured_lines.empty());
  EXPECT_EQ(parse({"KMP_STACKSIZE=100"}).icvs.stack_size, std::size_t{16} << 10);
  EXPECT_EQ(captured_lines.size(), 1u);
}

TEST_F(KmpVariables, LibraryComesBeforeTheWaitPolicy) {
  EXPECT_EQ(parse({"KMP_LIBRARY=turnaround"}).icvs.wait_policy, WaitPolicy::Active);
  EXPECT_EQ(parse({"KMP_LIBRARY=throughput", "OMP_WAIT_POLICY=active"}).icvs.wait_policy,
            WaitPolicy::Default);
  EXPECT_EQ(parse({"KMP_LIBRARY=serial"}).icvs.initial.thread_limit, 1u);
  EXPECT_EQ(parse({"KMP_LIBRARY=dedicated"}).icvs.wait_policy, WaitPolicy::Active);
  EXPECT_EQ(parse({"KMP_LIBRARY=multiuser"}).icvs.wait_policy, WaitPolicy::Default);
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(KmpVariables, ThreadLimits) {
  EXPECT_EQ(parse({"KMP_ALL_THREADS=5"}).icvs.initial.thread_limit, 5u);
  EXPECT_EQ(parse({"KMP_DEVICE_THREAD_LIMIT=5", "OMP_THREAD_LIMIT=9"}).icvs.initial.thread_limit,
            5u);
  EXPECT_EQ(parse({"KMP_DEVICE_THREAD_LIMIT=5", "OMP_THREAD_LIMIT=3"}).icvs.initial.thread_limit,
            3u);
}

TEST_F(KmpVariables, SettingsVersionWarnings) {
  EXPECT_EQ(parse({"KMP_SETTINGS=1"}).icvs.display_env, DisplayEnv::Verbose);
  EXPECT_EQ(parse({"KMP_SETTINGS=1", "OMP_DISPLAY_ENV=false"}).icvs.display_env, DisplayEnv::No);
  EXPECT_TRUE(parse({"KMP_VERSION=true"}).icvs.show_version);
  EXPECT_TRUE(parse({"KMP_DETERMINISTIC_REDUCTION=1"}).icvs.deterministic_reduction);
  EXPECT_TRUE(captured_lines.empty());
  machine_.hw_subset_problem = "it asks for more than there is";
  parse({"OMP_NUM_THREADS=many", "KMP_LOCK_KIND=tas", "KMP_HW_SUBSET=99s", "BOBBIN_WORKER=2",
         "KMP_WARNINGS=0"});
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(KmpVariables, WhatCannotBeHadIsSaid) {
  machine_.hw_subset_problem = "it asks for more than there is";
  parse({"KMP_HW_SUBSET=99s", "BOBBIN_WORKER=2"});
  ASSERT_EQ(captured_lines.size(), 2u);
  EXPECT_NE(captured_lines[0].find("BOBBIN_WORKERS"), std::string::npos);
  EXPECT_NE(captured_lines[1].find("'99s' has no effect: it asks for more"), std::string::npos);
}

TEST_F(KmpVariables, WhatDoesNotApplyIsSaidInOneLine) {
  parse({"KMP_TASKING=2", "KMP_LOCK_KIND=futex", "KMP_NEVER_HEARD_OF=1",
         "KMP_DUPLICATE_LIB_OK=TRUE", "KMP_INIT_AT_FORK=FALSE"});
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_NE(captured_lines[0].find("KMP_TASKING, KMP_LOCK_KIND"), std::string::npos);
  EXPECT_EQ(captured_lines[0].find("NEVER"), std::string::npos);
  EXPECT_EQ(captured_lines[0].find("DUPLICATE"), std::string::npos);
  EXPECT_EQ(captured_lines[0].find("AT_FORK"), std::string::npos);
}

}  // namespace
}  // namespace bobbin
