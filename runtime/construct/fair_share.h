// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

struct Thread;

// BOBBIN_SHARE=fair: roots divide the threads of outermost regions that have no num_threads clause
// (sched/sharing_roots.h). All of these are for threads at level 0.
//
// omp_get_max_threads tells a root its part, and from then on its regions have what it was told
// last, neither more, for it may have made room for that many, nor less, for it may have divided
// work among that many that wait for each other. It is told one thread or all, nothing between:
// OpenBLAS keeps one number for all threads of the program that call it. Whoever is told one leaves
// that alone; whoever is told another number changes it, and with it the buffers that are in use.
//
// What is told is about the initial task. Initial regions within it are told what their ICV says.

// An outermost region begins that could have `wanted` threads.
unsigned fair_team_size(Thread& thread, unsigned wanted);

// What omp_get_max_threads tells if the ICV is `wanted`.
unsigned tell_fair_size(Thread& thread, unsigned wanted);

// The program has set the number itself.
void forget_told_size(Thread& thread);

}  // namespace bobbin
