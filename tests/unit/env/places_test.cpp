// SPDX-License-Identifier: Apache-2.0
#include "env/places.h"

#include "env/syntax/place_syntax.h"
#include "env_fixture.h"
#include "fake_tree.h"
#include "places_text.h"

namespace bobbin {
namespace {

class PlacesTest : public EnvTest {
 protected:
  void SetUp() override {
    EnvTest::SetUp();
    for (unsigned cpu = 0; cpu < 8; ++cpu) usable_.add(cpu);
  }
  void TearDown() override {
    list_.clear();
    EnvTest::TearDown();
  }

  std::string places(std::vector<std::string> environment) {
    build_places(parse(std::move(environment)).icvs, usable_, fake_tree, list_);
    return text_of(list_);
  }

  CpuSet usable_;
  PlaceList list_;
};

TEST_F(PlacesTest, NoneUnlessAskedFor) {
  EXPECT_EQ(places({}), "");
  EXPECT_EQ(places({"OMP_PLACES=cores", "OMP_PROC_BIND=false"}), "");
}

TEST_F(PlacesTest, BindingAloneMeansCores) {
  EXPECT_EQ(places({"OMP_PROC_BIND=true"}), "{0,4},{1,5},{2,6},{3,7}");
}

TEST_F(PlacesTest, AbstractNames) {
  EXPECT_EQ(places({"OMP_PLACES=threads"}), "{0},{4},{1},{5},{2},{6},{3},{7}");
  EXPECT_EQ(places({"OMP_PLACES=Cores"}), "{0,4},{1,5},{2,6},{3,7}");
  EXPECT_EQ(places({"OMP_PLACES=cores ( 3 )"}), "{0,4},{1,5},{2,6}");
  EXPECT_EQ(places({"OMP_PLACES=cores(99)"}), "{0,4},{1,5},{2,6},{3,7}");
  EXPECT_EQ(places({"OMP_PLACES=sockets"}), "{0,1,4,5},{2,3,6,7}");
  EXPECT_EQ(places({"OMP_PLACES=ll_caches"}), "{0,1,4,5},{2,3,6,7}");
  EXPECT_EQ(places({"OMP_PLACES=numa_domains(1)"}), "{0,1,4,5}");
}

TEST_F(PlacesTest, ExplicitLists) {
  EXPECT_EQ(places({"OMP_PLACES={0,1,2,3},{4,5,6,7}"}), "{0:4},{4:4}");
  EXPECT_EQ(places({"OMP_PLACES={0:4}:2:4"}), "{0:4},{4:4}");
  EXPECT_EQ(places({"OMP_PLACES={0:4:2},{7:2:-6}"}), "{0,2,4,6},{1,7}");
  EXPECT_EQ(places({"OMP_PLACES= { 0 } : 3 "}), "{0},{1},{2}");
  EXPECT_EQ(places({"OMP_PLACES={6}:3:-2"}), "{6},{4},{2}");
  EXPECT_EQ(places({"OMP_PLACES=3,{5},1"}), "{3},{5},{1}");
  EXPECT_EQ(places({"OMP_PLACES={0},{0}"}), "{0},{0}");
}

TEST_F(PlacesTest, Exclusions) {
  EXPECT_EQ(places({"OMP_PLACES={0:4,!2}"}), "{0,1,3}");
  EXPECT_EQ(places({"OMP_PLACES={!3,0:8}"}), "{0:3,4:4}");
  EXPECT_EQ(places({"OMP_PLACES={0:8,!1:2:4}"}), "{0,2:3,6,7}");
  EXPECT_EQ(places({"OMP_PLACES={0}:4,!{2}"}), "{0},{1},{3}");
  EXPECT_EQ(places({"OMP_PLACES={0}:4,!{1}:2"}), "{0},{3}");
  EXPECT_EQ(places({"OMP_PLACES={0:2}:4:2,!{2,3}"}), "{0,1},{4,5},{6,7}");
  EXPECT_EQ(places({"OMP_PLACES={0},!{99}"}), "{0}");
  EXPECT_TRUE(captured_lines.empty());
  EXPECT_EQ(places({"OMP_PLACES={0},{1},!{5},!{6}"}), "{0},{1}");
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_EQ(captured_lines[0],
            "bobbin: OMP_PLACES takes out a place that its list does not have\n");
}

TEST_F(PlacesTest, CutToWhatIsUsable) {
  usable_.remove(0);
  usable_.remove(4);
  EXPECT_EQ(places({"OMP_PLACES={0:4},{4},{5}"}), "{1:3},{5}");
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_EQ(captured_lines[0],
            "bobbin: OMP_PLACES='{0:4},{4},{5}': this process may not use processor 0; going on "
            "without\n");
  captured_lines.clear();
  EXPECT_EQ(places({"OMP_PLACES={1},{5}"}), "{1},{5}");
  EXPECT_EQ(places({"OMP_PLACES=cores"}), "{1,5},{2,6},{3,7}");
  EXPECT_TRUE(captured_lines.empty());
  EXPECT_EQ(places({"OMP_PLACES={0},{4}"}), "{1,5},{2,6},{3,7}");
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_EQ(captured_lines[0],
            "bobbin: OMP_PLACES='{0},{4}' holds no processor that this process may use; using "
            "'cores'\n");
}

TEST_F(PlacesTest, CpuAffinity) {
  EXPECT_EQ(places({"GOMP_CPU_AFFINITY=0 3 1-2 4-7:2"}), "{0},{3},{1},{2},{4},{6}");
  EXPECT_EQ(places({"GOMP_CPU_AFFINITY=5,1"}), "{5},{1}");
  EXPECT_EQ(places({"GOMP_CPU_AFFINITY=0X1-0x5:02 06"}), "{1},{3},{5},{6}");
  EXPECT_EQ(places({"GOMP_CPU_AFFINITY=5,1", "OMP_PLACES={2}"}), "{2}");
}

TEST_F(PlacesTest, LongLists) {
  usable_ = CpuSet{};
  for (unsigned cpu = 0; cpu < kMaxCpus; ++cpu) usable_.add(cpu);
  places({"OMP_PLACES={0}:8192"});
  ASSERT_EQ(list_.count(), kMaxPlaces);
  EXPECT_EQ(list_.cpus(8191)[0], 8191u);
  EXPECT_EQ(list_.size(5000), 1u);
}

TEST_F(PlacesTest, MaskOfAPlace) {
  places({"OMP_PLACES={0,1},{2,3}"});
  EXPECT_TRUE(list_.mask(0).has(1));
  EXPECT_FALSE(list_.mask(0).has(2));
}

TEST(PrintCpus, Ranges) {
  CpuSet set;
  Text<64> text;
  print_cpus(set, text);
  EXPECT_STREQ(text.c_str(), "");
  for (unsigned cpu : {0u, 1u, 2u, 5u, 63u, 64u, 8191u}) set.add(cpu);
  print_cpus(set, text);
  EXPECT_STREQ(text.c_str(), "0-2,5,63-64,8191");
}

}  // namespace
}  // namespace bobbin
