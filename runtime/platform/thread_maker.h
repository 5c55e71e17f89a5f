// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Does somebody else than the C library define pthread_create: a sanitizer's run-time or another
// one of the compiler's, a profiler, a tracer? He has something to set up in each thread before its
// own code runs, or to take down behind it, and a fiber is made without him. An allocator that
// looks there only for the first thread to be made (jemalloc) does not count: what it has for each
// thread it makes at the first allocation.
//
// Asks the loader the first time.
bool threads_made_by_others();

}  // namespace bobbin
