// SPDX-License-Identifier: Apache-2.0
//
// How many processors this process may really use: those of its affinity mask, but no more than its
// cgroups' cpu quota pays for. (A container with `--cpus=2` on a machine of 64 has a mask of 64; a
// runtime that counts only the mask starts 64 threads that are throttled most of the time.)
#pragma once

#include <linux/magic.h>
#include <sys/types.h>

#include "platform/cpu_set.h"

namespace bobbin {

// Where the kernel tells it; tests point these at files of their own. Mount points are taken from
// the mountinfo file, so a test's fake one names a directory of the test.
struct CgroupFiles {
  const char* self_cgroup = "/proc/self/cgroup";
  const char* mountinfo = "/proc/self/mountinfo";
  // Where the two versions usually lie, and the type of file system that tells it. If the process's
  // group is there, mountinfo (long on a machine that runs many containers) need not be read.
  const char* v2_mount = "/sys/fs/cgroup";
  const char* v1_mount = "/sys/fs/cgroup/cpu";
  long v2_type = CGROUP2_SUPER_MAGIC;
  long v1_type = CGROUP_SUPER_MAGIC;
};

// The quota in processors, rounded up, the least over both cgroup versions and all ancestors that
// can be seen; 0 when there is none.
unsigned cgroup_quota(const CgroupFiles& files = {});

// The affinity mask of the calling thread. Never empty: processor 0 if the kernel will not tell.
CpuSet affinity_mask();

// That of any thread; empty if the kernel will not tell, or there is none of that number.
CpuSet affinity_mask_of(pid_t thread);

// False if the system refuses.
bool set_affinity_mask(const CpuSet& mask);

// That of the process, which is its initial thread's, when OpenMP was first used: by a thread that
// the program has bound, perhaps. Threads that it or the runtime binds later do not narrow it.
const CpuSet& process_mask();

// Narrows it to these, which are among them: for the initial thread, and for the calling one, which
// hands its mask on to the threads that the runtime makes. Others that there are keep theirs.
// Returns false if the system refuses.
bool confine_process(const CpuSet& processors);

struct UsableProcessors {
  unsigned mask = 1;
  unsigned quota = 0;

  unsigned count() const { return quota != 0 && quota < mask ? quota : mask; }
};

UsableProcessors usable_processors();

}  // namespace bobbin
