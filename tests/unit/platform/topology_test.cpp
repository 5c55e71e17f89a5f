// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/topology.h"
#include "platform/processors/machine_topology.h"

#include <dlfcn.h>

#include <string>

#include "file_tree.h"
#include "platform/processors/processors.h"

namespace bobbin {
namespace {

CpuSet first_cpus(unsigned count) {
  CpuSet set;
  for (unsigned cpu = 0; cpu < count; ++cpu) set.add(cpu);
  return set;
}

// Two packages with two NUMA nodes each. Each node has one last-level cache and two cores with two
// threads. Processors are numbered as by Linux: first the first threads of all cores, then the
// second ones.
class FakeMachine {
 public:
  FakeMachine() {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      const unsigned core = cpu % kCores;
      const std::string directory = "cpu/cpu" + std::to_string(cpu);
      const unsigned first = core / 2 * 2;
      const std::string cache = list({first, first + 1, first + kCores, first + kCores + 1});
      tree_.write(directory + "/topology/physical_package_id", std::to_string(core / 4) + "\n");
      tree_.write(directory + "/topology/core_cpus_list", list({core, core + kCores}) + "\n");
      write_cache(directory, 0, "1", "Data", list({core, core + kCores}));
      write_cache(directory, 1, "1", "Instruction", list({core, core + kCores}));
      write_cache(directory, 2, "2", "Unified", list({core, core + kCores}));
      write_cache(directory, 3, "3", "Unified", cache);
      tree_.write("node/node" + std::to_string(core / 2) + "/cpulist", cache + "\n");
    }
    tree_.write("node/online", "0-4\n");
    tree_.write("node/node4/cpulist", "\n");  // memory only
  }

  bool load(const CpuSet& mask, Topology& topology) const {
    const std::string cpu = tree_.path("cpu"), node = tree_.path("node"), slow = tree_.path("slow");
    return load_topology_from_sys(mask, {cpu.c_str(), node.c_str(), slow.c_str()}, topology);
  }

  static constexpr unsigned kCores = 8;
  static constexpr unsigned kCpus = 16;
  FileTree tree_;

 private:
  static std::string list(std::initializer_list<unsigned> cpus) {
    std::string text;
    for (unsigned cpu : cpus) text += (text.empty() ? "" : ",") + std::to_string(cpu);
    return text;
  }
  void write_cache(const std::string& directory, int index, const std::string& level,
                   const std::string& type, const std::string& shared) {
    const std::string cache = directory + "/cache/index" + std::to_string(index);
    tree_.write(cache + "/level", level + "\n");
    tree_.write(cache + "/type", type + "\n");
    tree_.write(cache + "/shared_cpu_list", shared + "\n");
  }
};

TEST(TopologyFromSys, GroupsAndOrder) {
  const FakeMachine machine;
  Topology topology;
  ASSERT_TRUE(machine.load(first_cpus(16), topology));
  ASSERT_EQ(topology.count(), 16u);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(topology[i].core, i / 2) << i;
    EXPECT_EQ(topology[i].cache, i / 4) << i;
    EXPECT_EQ(topology[i].numa, i / 4) << i;
    EXPECT_EQ(topology[i].package, i / 8) << i;
    EXPECT_EQ(topology[i].cpu, i / 2 + i % 2 * 8) << i;
  }
  EXPECT_EQ(topology.index_of(8), 1u);
  EXPECT_EQ(topology.index_of(99), 16u);
  topology.clear();
}

TEST(TopologyFromSys, OnlyTheMask) {
  const FakeMachine machine;
  CpuSet mask;
  for (unsigned cpu : {3u, 9u, 6u}) mask.add(cpu);
  Topology topology;
  ASSERT_TRUE(machine.load(mask, topology));
  ASSERT_EQ(topology.count(), 3u);
  EXPECT_EQ(topology[0].cpu, 9u);
  EXPECT_EQ(topology[1].cpu, 3u);
  EXPECT_EQ(topology[2].cpu, 6u);
  EXPECT_EQ(topology[2].package, 1u);
  topology.clear();
}

TEST(TopologyFromSys, KindsOfCores) {
  const FakeMachine machine;
  Topology topology;
  ASSERT_TRUE(machine.load(first_cpus(16), topology));
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(topology[i].speed, 0u) << i;

  // Capacities: cores of 1024 and 980 are of one kind, and there are two slower kinds.
  for (unsigned cpu = 0; cpu < 16; ++cpu) {
    const char* const capacities[] = {"1024\n", "980\n", "700\n", "410\n"};
    machine.tree_.write("cpu/cpu" + std::to_string(cpu) + "/cpu_capacity", capacities[cpu % 4]);
  }
  ASSERT_TRUE(machine.load(first_cpus(16), topology));
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned speeds[] = {2, 2, 1, 0};
    EXPECT_EQ(topology[i].speed, speeds[topology[i].cpu % 4]) << i;
  }
  // If only one kind may be used, all are equal.
  CpuSet mask;
  for (unsigned cpu : {3u, 7u}) mask.add(cpu);
  ASSERT_TRUE(machine.load(mask, topology));
  EXPECT_EQ(topology[0].speed, topology[1].speed);
  topology.clear();
}

TEST(TopologyFromSys, SlowCoresWithoutCapacities) {
  const FakeMachine machine;
  machine.tree_.write("slow", "4-7,12-15\n");
  Topology topology;
  ASSERT_TRUE(machine.load(first_cpus(16), topology));
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(topology[i].speed, topology[i].cpu % 8 < 4 ? 1u : 0u) << i;
  }
  topology.clear();
}

TEST(TopologyFromSys, OldNamesAndNoCaches) {
  FileTree tree;
  for (int cpu = 0; cpu < 2; ++cpu) {
    const std::string directory = "cpu" + std::to_string(cpu) + "/topology/";
    tree.write(directory + "physical_package_id", "0\n");
    tree.write(directory + "thread_siblings_list", std::to_string(cpu) + "\n");
  }
  Topology topology;
  const std::string root = tree.path(".");
  const TopologyFiles files{root.c_str(), root.c_str(), "/nonexistent"};
  ASSERT_TRUE(load_topology_from_sys(first_cpus(2), files, topology));
  EXPECT_NE(topology[0].core, topology[1].core);
  EXPECT_EQ(topology[0].cache, topology[1].cache);
  topology.clear();
  // One processor more than /sys knows: no tree is better than a wrong one.
  EXPECT_FALSE(load_topology_from_sys(first_cpus(3), files, topology));
  EXPECT_EQ(topology.count(), 0u);
}

TEST(TopologyFlat, EveryProcessorACore) {
  Topology topology;
  load_flat_topology(first_cpus(4), topology);
  ASSERT_EQ(topology.count(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(topology[i].core, i);
  EXPECT_EQ(topology[3].package, 0u);
  topology.clear();
}

TEST(TopologyOfThisMachine, HwlocAndSysAgreeOnWhatBothKnow) {
  Topology sys, hwloc;
  const CpuSet mask = process_mask();
  if (!load_topology_from_sys(mask, {}, sys)) GTEST_SKIP() << "no topology in /sys";
  if (!load_topology_from_hwloc(mask, hwloc)) GTEST_SKIP() << "no hwloc";
  ASSERT_EQ(sys.count(), hwloc.count());
  for (unsigned i = 0; i < sys.count(); ++i) {
    for (unsigned k = 0; k < sys.count(); ++k) {
      const unsigned a = hwloc.index_of(sys[i].cpu), b = hwloc.index_of(sys[k].cpu);
      EXPECT_EQ(sys[i].core == sys[k].core, hwloc[a].core == hwloc[b].core);
      EXPECT_EQ(sys[i].package == sys[k].package, hwloc[a].package == hwloc[b].package);
    }
  }
  sys.clear();
  hwloc.clear();
}

TEST(TopologyOfThisMachine, LoadedOnceAndHidden) {
  const Topology& first = topology();
  EXPECT_EQ(first.count(), process_mask().count());
  EXPECT_EQ(&first, &topology());
  // No function of hwloc may have become visible to the program.
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "hwloc_topology_init"), nullptr);
}

TEST(TopologyOfThisMachine, LeavesTheCallersMaskAlone) {
  const CpuSet before = affinity_mask();
  Topology topology;
  load_topology_from_hwloc(before, topology);
  EXPECT_EQ(affinity_mask(), before);
  topology.clear();
}

}  // namespace
}  // namespace bobbin
