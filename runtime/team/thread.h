// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"
#include "team/task.h"

namespace bobbin {

struct Member;
struct Root;
struct Team;

// An OpenMP thread: an identity with TLS of its own. The primary thread of a nested team is the
// thread that met the parallel construct; the others belong to the team that they were made for.
struct Thread : Fiber {
  Member* member = nullptr;  // its place in the innermost team; never null
  Task* task = nullptr;      // the task it executes; never null
  Root* root = nullptr;      // the kernel thread of the application that all this descends from
  Team* kept = nullptr;      // teams that it forked and keeps for the next region (list by kept_next)
  bool tls_started = false;
  Atomic<uint32_t> launch{0};   // kernel provider: regions to run; written by the forking thread
};

// The calling thread's, in its own TLS block; null until a kernel thread of the application first
// calls into the runtime.
[[gnu::tls_model("initial-exec")]] extern thread_local Thread* tls_thread;

// Makes the calling kernel thread a root.
Thread& attach_root();

inline Thread& self() {
  Thread* thread = tls_thread;
  return thread != nullptr ? *thread : attach_root();
}

}  // namespace bobbin
