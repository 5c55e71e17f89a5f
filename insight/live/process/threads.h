// SPDX-License-Identifier: Apache-2.0
// The teams and OpenMP threads of a process that runs, from its memory.
//
// Everything is found from the workers of the roots, as debugger/bobbin_gdb/runtime.py does. A
// thread's member names its innermost team, and a team names the member that has forked it.
#pragma once

#include <cstdint>
#include <vector>

#include "insight/live/process/layout.h"
#include "insight/live/process/memory.h"

namespace bobbin::insight {

enum class LiveState : uint8_t {
  Runs,       // or is ready to, if no kernel thread carries it
  Suspended,  // waits, and no kernel thread carries it
  Unbegun,    // its part of the region
  Ended,      // its part of the region
};

struct LiveThread {
  uint64_t fiber = 0;
  LiveState state = LiveState::Runs;
  bool is_root = false;   // a kernel thread of the application
  bool in_task = false;   // other than an implicit one
  bool waits = false;     // it sleeps, or has spun for a millisecond
  uint64_t code = 0;      // of its innermost region; 0: not known
  unsigned level = 0;     // of that region; 0: the initial one, outside of all
  unsigned number = 0;    // in its team
  uint64_t sp = 0;        // while it is suspended
  uint64_t tls = 0;       // its thread pointer
  int kernel_thread = 0;  // which carries it, or carried it last
  int root = 0;           // the application's kernel thread under whose regions it is
  uint64_t queued = 0;    // tasks in its queue
};

struct LiveRegion {
  uint64_t code = 0;
  unsigned level = 0;
  unsigned size = 0;
  int root = 0;  // the application's kernel thread under whose regions it is
};

struct LiveProcess {
  std::vector<LiveThread> threads;
  std::vector<LiveRegion> regions;  // open ones, without the initial ones
};

class ThreadReader {
 public:
  // Throws OtherVersion.
  ThreadReader(const Memory& memory, const Layout& layout);

  LiveProcess read() const;

 private:
  class Walk;

  const Memory& memory_;
  struct Places {
    uint64_t registry, highest;
    uint64_t worker_kind, worker_group, worker_kernel_thread, root_kind;
    uint64_t group_root;
    uint64_t fiber_sp, fiber_tls, fiber_worker, fiber_state, fiber_member, fiber_task, fiber_since;
    uint64_t waiting;
    uint64_t team_size, team_level, team_code, team_members, team_encountering, team_region;
    uint64_t unbegun_words, unbegun_stride;
    uint64_t member_team, member_thread, member_rested, queue_top, queue_bottom;
    uint64_t task_kind, implicit_kind;
  } at_;
};

}  // namespace bobbin::insight
