// SPDX-License-Identifier: Apache-2.0
//
// How many processors this process may really use: those of its affinity mask, but no more than its
// cgroups' cpu quota pays for. (A container with `--cpus=2` on a machine of 64 has a mask of 64; a
// runtime that counts only the mask starts 64 threads that are throttled most of the time.)
#pragma once

#include <linux/magic.h>
#include <sys/types.h>

#include "platform/processors/cpu_set.h"

namespace bobbin {

// The kernel's files. Tests use files of their own. Mount points come from the mountinfo file, so a
// test's file names a directory of the test.
struct CgroupFiles {
  const char* self_cgroup = "/proc/self/cgroup";
  const char* mountinfo = "/proc/self/mountinfo";
  // The usual mount points of the two versions, and the file system types that identify them. If
  // the process's group is found there, mountinfo need not be read; it is long on a machine that
  // runs many containers.
  const char* v2_mount = "/sys/fs/cgroup";
  const char* v1_mount = "/sys/fs/cgroup/cpu";
  long v2_type = CGROUP2_SUPER_MAGIC;
  long v1_type = CGROUP_SUPER_MAGIC;
};

// The quota in processors, rounded up: the least over both cgroup versions and all visible
// ancestors; 0 when there is none, kUnknownQuota when the kernel does not name the process's
// groups. One caller at a time.
inline constexpr unsigned kUnknownQuota = ~0u;
unsigned cgroup_quota(const CgroupFiles& files = {});

// The affinity mask of the calling thread. Never empty: processor 0 if the kernel does not tell.
CpuSet affinity_mask();

// The affinity mask of any thread; empty if the kernel does not tell or there is no such thread.
CpuSet affinity_mask_of(pid_t thread);

// False if the system refuses.
bool set_affinity_mask(const CpuSet& mask);

// The mask of the process: that of its initial thread when OpenMP was first used. The program may
// have bound that thread before. Threads that the program or the runtime binds later do not narrow
// this mask.
const CpuSet& process_mask();

// Narrows the process mask to `processors`, a subset of it. Applies to the initial thread and to
// the calling thread, which passes its mask on to the threads that the runtime makes. Other
// existing threads keep their masks. Returns false if the system refuses.
bool confine_process(const CpuSet& processors);
// Has that been done?
bool process_is_confined();

struct UsableProcessors {
  unsigned mask = 1;
  unsigned quota = 0;

  unsigned count() const { return quota != 0 && quota < mask ? quota : mask; }
};

// When the program begins to use OpenMP. sched/places/processor_changes.h follows later changes.
UsableProcessors usable_processors();

}  // namespace bobbin
