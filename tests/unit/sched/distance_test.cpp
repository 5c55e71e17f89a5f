// SPDX-License-Identifier: Apache-2.0
// The order of a search, on machines that hwloc describes and this one is not.
#include "sched/processors/distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

#include "platform/processors/machine_topology.h"
#include "platform/processors/topology_builder.h"
#include "sched/processors/whereabouts.h"

namespace bobbin {
namespace {

CpuSet processors(unsigned count) {
  CpuSet set;
  for (unsigned cpu = 0; cpu < count; ++cpu) set.add(cpu);
  return set;
}

// Returns false if there is no hwloc here.
bool describe(const char* synthetic, const CpuSet& mask, Topology& topology) {
  setenv("HWLOC_SYNTHETIC", synthetic, 1);
  const bool known = load_topology_from_hwloc(mask, topology);
  unsetenv("HWLOC_SYNTHETIC");
  return known;
}

// Whom a searcher on processor `here` asks in which order, if candidate k runs on processor k.
std::vector<unsigned> order(const Distance& distance, unsigned here, unsigned count,
                            unsigned first) {
  std::vector<unsigned> asked;
  std::set<unsigned> seen;
  ask_nearest_first(
      distance, static_cast<int>(here), count, first, [](unsigned k) { return int(k); },
      [&](unsigned k) {
        if (seen.insert(k).second) asked.push_back(k);
        return false;
      });
  return asked;
}

std::vector<unsigned> first_cpus(unsigned count) {
  std::vector<unsigned> cpus(count);
  std::iota(cpus.begin(), cpus.end(), 0U);
  return cpus;
}

// The processors that get the threads of a team, in order, if the primary thread is on `primary`.
std::vector<unsigned> turns(const Distance& distance, unsigned primary,
                            const std::vector<unsigned>& cpus) {
  std::vector<unsigned> order(cpus.size(), kMaxCpus);
  for (unsigned cpu : cpus) {
    order.at(distance.turn(int(cpu), int(primary))) = cpu;
  }
  return order;
}

// Those that are idle, in the order in which they are called from `here`.
std::vector<unsigned> calls(const Distance& distance, unsigned here, std::vector<unsigned> idle) {
  std::stable_sort(idle.begin(), idle.end(), [&](unsigned a, unsigned b) {
    return distance.call_rank(int(here), int(a)) < distance.call_rank(int(here), int(b));
  });
  return idle;
}

// Each candidate once, never a nearer one after one that is farther.
void expect_nearest_first(const Distance& distance, unsigned count) {
  for (unsigned here = 0; here < count; ++here) {
    const std::vector<unsigned> asked = order(distance, here, count, here);
    ASSERT_EQ(asked.size(), count);
    for (unsigned i = 1; i < count; ++i) {
      EXPECT_LE(distance.between(int(here), int(asked[i - 1])),
                distance.between(int(here), int(asked[i])))
          << here << ' ' << i;
    }
  }
}

struct Machine {
  const char* is;
  const char* synthetic;
  unsigned processors;
  std::vector<unsigned> sizes;  // of the groups of each level, the machine included
  std::vector<Nearness> groups;
};

class OnMachine : public testing::TestWithParam<Machine> {};

TEST_P(OnMachine, TheNearestAreAskedFirst) {
  const Machine& machine = GetParam();
  Topology topology;
  if (!describe(machine.synthetic, processors(machine.processors), topology)) {
    GTEST_SKIP() << "no hwloc";
  }
  Distance distance;
  distance.fill(topology);
  ASSERT_EQ(distance.levels(), machine.sizes.size());
  for (unsigned level = 0; level < distance.levels(); ++level) {
    EXPECT_EQ(distance.groups(level), machine.groups[level]) << level;
  }
  for (unsigned here = 0; here < machine.processors; ++here) {
    std::vector<unsigned> within(distance.levels(), 0);
    for (unsigned k = 0; k < machine.processors; ++k) {
      for (unsigned i = distance.between(int(here), int(k)); i < within.size(); ++i) within[i]++;
    }
    EXPECT_EQ(within, machine.sizes) << here;
  }
  expect_nearest_first(distance, machine.processors);
  distance.clear();
  topology.clear();
}

INSTANTIATE_TEST_SUITE_P(
    Distance, OnMachine,
    testing::Values(
        Machine{"two cores", "core:2 pu:1", 2, {2}, {Nearness::Machine}},
        Machine{"a laptop", "l3:1 core:4 pu:2", 8, {2, 8}, {Nearness::Core, Nearness::Machine}},
        Machine{"L3 of 8",
                "pack:2 l3:8 core:8 pu:1",
                128,
                {8, 64, 128},
                {Nearness::Cache, Nearness::Node, Nearness::Machine}},
        Machine{"four sockets",
                "pack:4 l3:1 core:24 pu:1",
                96,
                {24, 96},
                {Nearness::Cache, Nearness::Machine}},
        Machine{"eight nodes",
                "pack:2 [numa] group:4 l3:2 core:8 pu:2",
                256,
                {2, 16, 128, 256},
                {Nearness::Core, Nearness::Cache, Nearness::Node, Nearness::Machine}},
        Machine{"SMT of 4",
                "pack:2 l3:1 core:8 pu:4",
                64,
                {4, 32, 64},
                {Nearness::Core, Nearness::Cache, Nearness::Machine}}),
    [](const auto& instance) {
      std::string name = instance.param.is;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

// Four fast cores of two threads, 0 to 7, and two groups of four slow cores, 8 to 15. Groups need
// not be of one size.
class HybridLaptop : public testing::Test {
 protected:
  void SetUp() override {
    setenv("HWLOC_XMLFILE", BOBBIN_MACHINES "/hybrid_laptop.xml", 1);
    known_ = load_topology_from_hwloc(processors(16), topology_);
    unsetenv("HWLOC_XMLFILE");
    if (!known_) GTEST_SKIP() << "no hwloc";
    if (topology_[0].speed == topology_[15].speed)
      GTEST_SKIP() << "no kinds of cores in this hwloc";
    distance_.fill(topology_);
  }
  void TearDown() override {
    distance_.clear();
    topology_.clear();
  }

  bool known_ = false;
  Topology topology_;
  Distance distance_;
};

using Order = std::vector<unsigned>;

TEST_F(HybridLaptop, TheNearestAreAskedFirst) {
  ASSERT_EQ(distance_.levels(), 2u);
  EXPECT_FALSE(distance_.flat());
  EXPECT_EQ(distance_.between(0, 1), 0u);
  EXPECT_EQ(distance_.between(1, 2), 1u);
  EXPECT_EQ(distance_.between(8, 9), 1u);
  expect_nearest_first(distance_, 16);
}

TEST_F(HybridLaptop, FastOnesAreCalledFirst) {
  EXPECT_EQ(calls(distance_, 2, {15, 8, 0, 3, 9, 7}), (Order{3, 0, 7, 15, 8, 9}));
  EXPECT_EQ(calls(distance_, 8, {9, 10, 1, 0}), (Order{1, 0, 9, 10}));
}

TEST_F(HybridLaptop, FastOnesGetThreadsFirst) {
  EXPECT_EQ(turns(distance_, 0, first_cpus(16)),
            (Order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(turns(distance_, 5, first_cpus(16)),
            (Order{5, 6, 7, 0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(turns(distance_, 14, first_cpus(16)),
            (Order{14, 0, 1, 2, 3, 4, 5, 6, 7, 15, 8, 9, 10, 11, 12, 13}));
}

// Equal cores of one cache, but for their speed.
TEST(Distance, OnlySpeedsDiffer) {
  TopologyBuilder builder(6);
  for (unsigned cpu = 0; cpu < 6; ++cpu) builder.add({cpu, cpu, 0, 0, 0, cpu % 3});
  Topology topology;
  builder.finish(topology);
  Distance distance;
  distance.fill(topology);
  EXPECT_EQ(distance.levels(), 1u);
  EXPECT_FALSE(distance.flat());
  EXPECT_EQ(turns(distance, 2, first_cpus(6)), (Order{2, 5, 1, 4, 0, 3}));
  EXPECT_EQ(turns(distance, 4, first_cpus(6)), (Order{4, 2, 5, 1, 0, 3}));
  EXPECT_EQ(calls(distance, 3, {0, 1, 2, 4, 5}), (Order{2, 5, 1, 4, 0}));
  EXPECT_EQ(distance.turn(-1, 5), distance.turn(2, 5));  // unknown: as the first
  distance.clear();
  EXPECT_TRUE(distance.flat());
  topology.clear();
}

// More kinds than are told apart: the last ones are one kind.
TEST(Distance, ManySpeeds) {
  TopologyBuilder builder(20);
  for (unsigned cpu = 0; cpu < 20; ++cpu) builder.add({cpu, cpu, 0, 0, 0, cpu});
  Topology topology;
  builder.finish(topology);
  Distance distance;
  distance.fill(topology);
  EXPECT_EQ(turns(distance, 19, first_cpus(20)),
            (Order{19, 18, 17, 16, 15, 14, 13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  distance.clear();
  topology.clear();
}

TEST(Distance, ContainerWithThreeOfEight) {
  CpuSet mask;
  for (unsigned cpu : {1u, 4u, 5u}) mask.add(cpu);
  Topology topology;
  if (!describe("pack:2 l3:1 core:4 pu:1", mask, topology)) GTEST_SKIP() << "no hwloc";
  Distance distance;
  distance.fill(topology);
  ASSERT_EQ(distance.levels(), 2u);
  EXPECT_EQ(distance.between(4, 5), 0u);
  EXPECT_EQ(distance.between(1, 4), 1u);
  // One that the mask did not have, or that no machine has, is far from all.
  EXPECT_EQ(distance.between(1, 0), 1u);
  EXPECT_EQ(distance.between(5, -1), 1u);
  EXPECT_EQ(distance.between(5000, 5000), 1u);
  EXPECT_EQ(turns(distance, 1, {1, 4, 5}), (std::vector<unsigned>{1, 4, 5}));
  EXPECT_EQ(turns(distance, 5, {1, 4, 5}), (std::vector<unsigned>{5, 1, 4}));
  distance.clear();
  topology.clear();
}

TEST(Distance, NothingIsKnown) {
  const Distance distance;
  EXPECT_EQ(distance.levels(), 1u);
  EXPECT_EQ(order(distance, 2, 4, 3), (std::vector<unsigned>{3, 0, 1, 2}));
}

// What a thief tells a tool.
TEST(Distance, HowNearAThiefIs) {
  TopologyBuilder builder(16);
  // Two packages of two nodes, each with a cache for two cores of two processors.
  for (unsigned cpu = 0; cpu < 16; ++cpu) {
    builder.add({cpu, cpu / 2, cpu / 4, cpu / 4, cpu / 8});
  }
  Topology topology;
  builder.finish(topology);
  Distance distance;
  distance.fill(topology);
  Whereabouts whereabouts;
  EXPECT_EQ(whereabouts.nearness(0, 1), Nearness::Unknown);
  whereabouts.use(distance);
  EXPECT_EQ(whereabouts.nearness(0, 0), Nearness::Core);
  EXPECT_EQ(whereabouts.nearness(0, 1), Nearness::Core);
  EXPECT_EQ(whereabouts.nearness(1, 2), Nearness::Cache);
  EXPECT_EQ(whereabouts.nearness(2, 4), Nearness::Package);
  EXPECT_EQ(whereabouts.nearness(15, 4), Nearness::Machine);
  EXPECT_EQ(whereabouts.nearness(-1, 4), Nearness::Unknown);
  EXPECT_EQ(whereabouts.nearness(4, -1), Nearness::Unknown);
  distance.clear();
  EXPECT_EQ(whereabouts.nearness(0, 1), Nearness::Unknown);
  topology.clear();
}

// Nodes are told apart from caches where a node has several.
TEST(Distance, NodesOfSeveralCaches) {
  TopologyBuilder builder(16);
  for (unsigned cpu = 0; cpu < 16; ++cpu) builder.add({cpu, cpu, cpu / 4, cpu / 8, 0});
  Topology topology;
  builder.finish(topology);
  Distance distance;
  distance.fill(topology);
  ASSERT_EQ(distance.levels(), 3u);
  EXPECT_EQ(distance.groups(0), Nearness::Cache);
  EXPECT_EQ(distance.groups(1), Nearness::Node);
  EXPECT_EQ(distance.groups(2), Nearness::Machine);
  distance.clear();
  topology.clear();
}

// Where tasks are queued by data, each last-level cache has a list. A thief comes to the lists of
// other caches in this order.
TEST(Distance, ListsOfCaches) {
  Topology topology;
  if (!describe("pack:2 [numa] l3:2 core:2 pu:2", processors(16), topology)) {
    GTEST_SKIP() << "no hwloc";
  }
  Distance distance;
  distance.fill(topology);
  auto lists_from = [&](unsigned here) {
    std::vector<unsigned> lists;
    for (unsigned k : order(distance, here, 16, here)) {
      const unsigned list = distance.cache_of(int(k));
      if (lists.empty() || lists.back() != list) lists.push_back(list);
    }
    return lists;
  };
  EXPECT_EQ(lists_from(1), (std::vector<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(lists_from(6), (std::vector<unsigned>{1, 0, 2, 3}));
  EXPECT_EQ(lists_from(8), (std::vector<unsigned>{2, 3, 0, 1}));
  EXPECT_EQ(lists_from(15), (std::vector<unsigned>{3, 2, 0, 1}));
  EXPECT_EQ(distance.cache_of(-1), 0u);
  EXPECT_EQ(distance.cache_of(16), 0u);
  distance.clear();
  EXPECT_EQ(distance.cache_of(15), 0u);
  topology.clear();
}

TEST(Distance, SearchersBeginDifferently) {
  Topology topology;
  if (!describe("pack:2 l3:1 core:4 pu:1", processors(8), topology)) GTEST_SKIP() << "no hwloc";
  Distance distance;
  distance.fill(topology);
  EXPECT_EQ(order(distance, 5, 8, 5), (std::vector<unsigned>{5, 6, 7, 4, 0, 1, 2, 3}));
  EXPECT_EQ(order(distance, 6, 8, 6), (std::vector<unsigned>{6, 7, 4, 5, 0, 1, 2, 3}));
  distance.clear();
  topology.clear();
}

// The last victim is asked first, wherever it is.
TEST(Distance, AFirstThatIsFar) {
  Topology topology;
  if (!describe("pack:2 l3:1 core:4 pu:1", processors(8), topology)) GTEST_SKIP() << "no hwloc";
  Distance distance;
  distance.fill(topology);
  EXPECT_EQ(order(distance, 0, 8, 6), (std::vector<unsigned>{6, 0, 1, 2, 3, 7, 4, 5}));
  distance.clear();
  topology.clear();
}

// One that comes nearer during the search is not missed.
TEST(Distance, CandidatesMayMove) {
  Topology topology;
  if (!describe("pack:2 l3:1 core:2 pu:1", processors(4), topology)) GTEST_SKIP() << "no hwloc";
  Distance distance;
  distance.fill(topology);
  int moving = 2;
  bool met = false;
  ask_nearest_first(
      distance, 0, 2, 1, [&](unsigned k) { return k == 1 ? moving : 0; },
      [&](unsigned k) {
        moving = 1;
        met = met || k == 1;
        return false;
      });
  EXPECT_TRUE(met);
  distance.clear();
  topology.clear();
}

}  // namespace
}  // namespace bobbin
