// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/vfs.h>

#include <random>

#include "file_tree.h"
#include "platform/processors/processors.h"

namespace bobbin {
namespace {

// Fake /proc files and a fake hierarchy. Mount points in the fake mountinfo are real directories.
class CgroupTest : public ::testing::Test {
 protected:
  unsigned quota() {
    const std::string cgroup = tree_.path("cgroup");
    const std::string mountinfo = tree_.path("mountinfo");
    return cgroup_quota({cgroup.c_str(), mountinfo.c_str(), "/nonexistent", "/nonexistent"});
  }
  // The test's directory stands for a file system of cgroups.
  unsigned quota_at_usual_mount(const std::string& mount) {
    const std::string cgroup = tree_.path("cgroup");
    const std::string mountinfo = tree_.path("mountinfo");
    const std::string directory = tree_.path(mount);
    struct statfs info;
    EXPECT_EQ(statfs(directory.c_str(), &info), 0);
    return cgroup_quota({cgroup.c_str(), mountinfo.c_str(), directory.c_str(), directory.c_str(),
                         info.f_type, info.f_type});
  }
  void cgroup(const std::string& text) { tree_.write("cgroup", text); }
  void mount_v2(const std::string& root, const std::string& at) {
    mounts_ += "30 23 0:26 " + root + " " + tree_.path(at) +
               " rw,nosuid shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate\n";
    tree_.write("mountinfo", mounts_);
  }
  void mount_v1(const std::string& root, const std::string& at, const std::string& controllers) {
    mounts_ += "32 31 0:29 " + root + " " + tree_.path(at) + " rw,relatime - cgroup cgroup rw," +
               controllers + "\n";
    tree_.write("mountinfo", mounts_);
  }
  void v1_quota(const std::string& directory, const std::string& quota,
                const std::string& period = "100000") {
    tree_.write(directory + "/cpu.cfs_quota_us", quota + "\n");
    tree_.write(directory + "/cpu.cfs_period_us", period + "\n");
  }

  FileTree tree_;
  std::string mounts_ = "22 28 0:20 / /sys rw,nosuid - sysfs sysfs rw\n";
};

TEST_F(CgroupTest, NothingThere) {
  EXPECT_EQ(quota(), kUnknownQuota);
  cgroup("0::/\n");
  EXPECT_EQ(quota(), 0u);
  tree_.write("mountinfo", "");
  EXPECT_EQ(quota(), 0u);
}

TEST_F(CgroupTest, Version2InANamespace) {
  cgroup("0::/\n");
  mount_v2("/", "fs");
  tree_.write("fs/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota(), 2u);
}

TEST_F(CgroupTest, RoundedUp) {
  cgroup("0::/\n");
  mount_v2("/", "fs");
  for (auto [text, expected] : {std::pair{"150000 100000", 2u},
                                {"100001 100000", 2u},
                                {"100000 100000", 1u},
                                {"1000 100000", 1u},
                                {"25000 10000", 3u},
                                {"max 100000", 0u},
                                {"200000", 0u},
                                {"0 100000", 0u},
                                {"200000 0", 0u},
                                {"-1 100000", 0u},
                                {"", 0u},
                                {"99999999999999999999 1", 0u},
                                {"9223372036854775807 1", 0u}}) {
    tree_.write("fs/cpu.max", text);
    EXPECT_EQ(quota(), expected) << text;
  }
}

TEST_F(CgroupTest, Version2TheLeastOfAllAncestors) {
  cgroup("0::/system.slice/job.service/inner\n");
  mount_v2("/", "fs");
  tree_.write("fs/system.slice/job.service/inner/cpu.max", "max 100000\n");
  tree_.write("fs/system.slice/job.service/cpu.max", "800000 100000\n");
  tree_.write("fs/system.slice/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3u);
  tree_.write("fs/system.slice/job.service/inner/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 1u);
}

TEST_F(CgroupTest, ACgroupAboveTheMountIsNotRead) {
  cgroup("0::/a\n");
  mount_v2("/", "fs/mount");
  tree_.write("fs/cpu.max", "100000 100000\n");
  tree_.write("fs/mount/a/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 4u);
}

TEST_F(CgroupTest, Version1) {
  cgroup("9:name=systemd:/x\n4:memory:/m\n3:cpu,cpuacct:/docker/abc\n0::/x\n");
  mount_v1("/", "cg/memory", "memory");
  mount_v1("/", "cg/cpu,cpuacct", "cpu,cpuacct");
  v1_quota("cg/cpu,cpuacct/docker/abc", "250000");
  EXPECT_EQ(quota(), 3u);
  v1_quota("cg/cpu,cpuacct/docker/abc", "-1");
  EXPECT_EQ(quota(), 0u);
  v1_quota("cg/cpu,cpuacct/docker", "50000", "25000");
  EXPECT_EQ(quota(), 2u);
  v1_quota("cg/memory/m", "1000");
  EXPECT_EQ(quota(), 2u);
}

TEST_F(CgroupTest, CpusetAndCpuacctAreNotTheCpuController) {
  cgroup("3:cpuset:/\n2:cpuacct:/\n");
  mount_v1("/", "cg/cpuset", "cpuset");
  mount_v1("/", "cg/cpuacct", "cpuacct");
  v1_quota("cg/cpuset", "100000");
  v1_quota("cg/cpuacct", "100000");
  EXPECT_EQ(quota(), 0u);
}

TEST_F(CgroupTest, ContainerWithoutNamespaceSeesItsPartOfTheTree) {
  // The mount shows /docker/abc as its root, as does /proc/self/cgroup.
  cgroup("3:cpu:/docker/abc/inner\n");
  mount_v1("/docker/abc", "cg/cpu", "cpu");
  v1_quota("cg/cpu", "700000");
  v1_quota("cg/cpu/inner", "600000");
  EXPECT_EQ(quota(), 6u);
}

TEST_F(CgroupTest, TheUsualMountShowsAPartOfTheTree) {
  // As above, in the usual place of the hierarchy: it does not show the group under its full name.
  cgroup("3:cpu:/docker/abc/inner\n");
  mount_v1("/docker/abc", "cg/cpu", "cpu");
  v1_quota("cg/cpu", "700000");
  v1_quota("cg/cpu/inner", "600000");
  EXPECT_EQ(quota_at_usual_mount("cg/cpu"), 6u);
  // A namespace shows it, and then nothing else is read.
  cgroup("3:cpu:/inner\n");
  tree_.write("mountinfo", "");
  EXPECT_EQ(quota_at_usual_mount("cg/cpu"), 6u);
  cgroup("3:cpu:/\n");
  EXPECT_EQ(quota_at_usual_mount("cg/cpu"), 7u);
}

TEST_F(CgroupTest, ProcessOutsideOfTheMountedPart) {
  cgroup("3:cpu:/docker/abcdef\n");
  mount_v1("/docker/abc", "cg/cpu", "cpu");
  v1_quota("cg/cpu", "200000");
  v1_quota("cg/cpu/def", "100000");
  EXPECT_EQ(quota(), 2u);
  cgroup("0::/../sibling\n");
  mount_v2("/", "fs");
  tree_.write("fs/cpu.max", "500000 100000");
  EXPECT_EQ(quota(), 5u);
}

TEST_F(CgroupTest, EscapedMountPoint) {
  cgroup("0::/\n");
  tree_.write("a b/cpu.max", "200000 100000");
  tree_.write("mountinfo", "30 23 0:26 / " + tree_.path("a\\040b") + " rw - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(quota(), 2u);
}

TEST_F(CgroupTest, LongFiles) {
  std::string many;
  for (int i = 0; i < 3000; ++i) {
    many += "99 98 0:1 / /mnt/overlay/" + std::string(static_cast<size_t>(i % 200), 'x') +
            " rw - overlay overlay rw,lowerdir=" + std::string(100, 'y') + "\n";
  }
  many += "99 98 0:1 / /mnt rw - overlay overlay rw,lowerdir=" + std::string(9000, 'z') + "\n";
  mounts_ = many;
  cgroup("0::/\n");
  mount_v2("/", "fs");
  tree_.write("fs/cpu.max", "200000 100000");
  EXPECT_EQ(quota(), 2u);
}

TEST_F(CgroupTest, TheUsualMountSavesReadingMountinfo) {
  // A test cannot make a real mount. A directory that is not a mount must not be accepted as one.
  cgroup("0::/\n");
  mount_v2("/", "fs");
  tree_.write("fs/cpu.max", "200000 100000");
  const std::string self = tree_.path("cgroup"), info = tree_.path("mountinfo");
  const std::string directory = tree_.path("fs");
  EXPECT_EQ(cgroup_quota({self.c_str(), info.c_str(), directory.c_str(), directory.c_str()}), 2u);
}

// Whatever the files say about the path, the quota found is that of cpu.max, or none. It is none if
// cpu.max has none.
TEST_F(CgroupTest, DamagedFilesTellNoOtherQuota) {
  std::mt19937 random(42);
  unsigned found = 0;
  const std::string alphabet = "0123456789:/,. -\\\n\tcpugrow2abcmax" + std::string(1, '\0');
  const std::string seeds[] = {"0::/a/b\n3:cpu,cpuacct:/c\n",
                               "30 23 0:26 / " + tree_.path("fs") +
                                   " rw shared:4 - cgroup2 cgroup2 rw\n32 31 0:29 / " +
                                   tree_.path("cg") + " rw - cgroup cgroup rw,cpu\n",
                               "200000 100000\n"};
  for (int round = 0; round < 1500; ++round) {
    std::string texts[3];
    for (int i = 0; i < 3; ++i) {
      texts[i] = seeds[i];
      for (unsigned edits = random() % 4; edits > 0; --edits) {
        const std::size_t at = random() % (texts[i].size() + 1);
        if (random() % 2 == 0 && at < texts[i].size()) {
          texts[i].erase(at, 1 + random() % 5);
        } else {
          texts[i].insert(at, 1 + random() % 3, alphabet[random() % alphabet.size()]);
        }
      }
    }
    cgroup(texts[0]);
    tree_.write("mountinfo", texts[1]);
    auto quota_with = [&](const std::string& cpu_max) {
      tree_.write("fs/cpu.max", cpu_max);
      tree_.write("fs/a/cpu.max", cpu_max);
      return quota();
    };
    quota_with(texts[2]);  // any quota, but the call returns
    EXPECT_EQ(quota_with("max 100000\n"), 0u);
    const unsigned whole = quota_with(seeds[2]);
    EXPECT_TRUE(whole == 0 || whole == 2) << whole;
    found += whole != 0 ? 1 : 0;
  }
  EXPECT_GT(found, 100u);  // of the slightly damaged files
}

TEST(Processors, OfThisProcess) {
  const UsableProcessors usable = usable_processors();
  EXPECT_GE(usable.mask, 1u);
  EXPECT_GE(usable.count(), 1u);
  EXPECT_LE(usable.count(), usable.mask);
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    EXPECT_EQ(affinity_mask().count(), static_cast<unsigned>(CPU_COUNT(&set)));
  }
}

TEST(Processors, MaskFollowsTheThreadButTheProcessMaskDoesNot) {
  const CpuSet before = process_mask();
  CpuSet one;
  one.add(before.next(0));
  ASSERT_EQ(sched_setaffinity(0, sizeof one, static_cast<cpu_set_t*>(one.data())), 0);
  EXPECT_EQ(affinity_mask(), one);
  EXPECT_EQ(process_mask(), before);
  CpuSet all = before;
  ASSERT_EQ(sched_setaffinity(0, sizeof all, static_cast<cpu_set_t*>(all.data())), 0);
}

}  // namespace
}  // namespace bobbin
