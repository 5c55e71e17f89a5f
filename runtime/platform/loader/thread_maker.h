// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Does a file other than the C library define pthread_create: a run-time library of a sanitizer or
// another one of the compiler's, a profiler, a tracer? Such a file sets up something in each thread
// before the thread's own code runs, or takes it down afterwards, and it does not see that a fiber
// is made. An allocator that uses pthread_create only to notice the first thread (jemalloc) does
// not count, because it sets up its per-thread data at the first allocation.
//
// Asks the loader the first time.
bool threads_made_by_others();

}  // namespace bobbin
