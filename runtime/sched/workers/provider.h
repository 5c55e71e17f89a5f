// SPDX-License-Identifier: Apache-2.0
#pragma once

// What carries OpenMP threads. There are three ways:
//   fibers          workers carry one thread after the other, wherever they run (the default);
//   bound fibers    the same, each within the workers of a place (sched/workers/bound_places.h);
//   kernel threads  each thread has a kernel thread for life, which sleeps when the thread waits.
// Everything in which they differ is asked here. The team layer has the table of each
// (team/carriers/providers.cpp).
namespace bobbin {

struct Team;
struct Thread;
struct Worker;

struct Provider {
  const char* name;  // in the environment variable and the reports

  // Does a kernel thread carry one thread after the other? Then workers exchange threads where
  // these wait, and what the system keeps for a kernel thread (signal mask, affinity, ownership of
  // locks) is not the thread's. Such threads exist in the child of a fork, too.
  bool threads_move;
  // Does a thread that has ended its part help with tasks only if it is called? Otherwise a worker
  // finds the offer in the team's ticket.
  bool calls_resting;

  // Gives a new thread what carries it. False: there is no memory, or no kernel thread for it.
  bool (*start)(Thread& thread, Thread& forking);
  // Takes it back. The thread is in no region.
  void (*end)(Thread& thread);
  // Calls the function as the thread, with its TLS. The thread is in no region, and the caller owns
  // the team that keeps it.
  void (*call_as)(Thread& thread, void (*function)(Thread&));
  // The threads of a team begin, except the primary one, which `worker` carries.
  void (*launch)(Team& team, Worker& worker);
  // There are tasks in the region that `caller` takes part in: one that rests, if there is one, is
  // to help.
  void (*call_resting)(Team& team, const Thread& caller);
};

extern const Provider fibers;
extern const Provider bound_fibers;
extern const Provider kernel_threads;

// A copy of one of them. Decided at the first use, constant afterwards; until then it is `fibers`.
extern constinit Provider provider;

}  // namespace bobbin
