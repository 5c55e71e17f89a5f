// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Thread;

// BOBBIN_SHARE=fair: roots divide the threads of outermost regions that have no num_threads clause
// (sched/roots/sharing_roots.h). All these functions are for threads at level 0.
//
// omp_get_max_threads tells a root its part. From then on the root's regions have the number of
// threads that it was told last. They do not have more, because the program may have made room for
// that many. They do not have fewer, because it may have divided work among that many threads that
// wait for each other. A root is told one thread or all, nothing between: OpenBLAS keeps one number
// for all threads of the program that call it. A caller that is told one thread leaves that number
// alone. A caller that is told another number changes it, and with it the buffers that are in use.
//
// The number told applies to the initial task. Initial regions within it are told the value of
// their ICV.

// Called when an outermost region begins that could have `wanted` threads.
unsigned fair_team_size(Thread& thread, unsigned wanted);

// The result of omp_get_max_threads if the ICV is `wanted`.
unsigned tell_fair_size(Thread& thread, unsigned wanted);

// The program has set the number itself.
void forget_told_size(Thread& thread);

}  // namespace bobbin
