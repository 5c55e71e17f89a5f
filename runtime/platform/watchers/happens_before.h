// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The interface to race detectors. ThreadSanitizer does not see atomic operations in code that it
// has not compiled. Helgrind and DRD do not treat atomic operations as synchronisation. Without
// help, all that OpenMP orders is a race to them. So where a construct orders actions of the
// program, the runtime reports it, with an address that stands for the order:
//
//   happens_before(key)  what the calling thread did so far comes before ...
//   happens_after(key)   ... what this one does from now on, if it calls later.
//
// The first call stands before the operation that lets other threads continue. The second stands
// after the operation that found that they did. Without such a tool each call is one branch that is
// never taken. A reported order that does not exist hides races. An order that is not reported
// makes a false report. Where the exact order would need memory of its own, a coarser one is
// reported, except with strands.
//
// With strands (platform/watchers/strand.h) each task is to the tool a thread of its own. So the
// calling thread must not take over an order that concerns only a task that it makes or runs.
namespace bobbin {

#if defined(BOBBIN_MODEL) || defined(__SANITIZE_THREAD__)

// In these builds the tool sees the runtime's own operations. If they do not give the order, the
// tool must report it.
inline void happens_before(const void*) {}
inline void happens_after(const void*) {}
inline void maker_happens_after(const void*) {}
inline void pass_order(const void*, const void*) {}
inline void forget_order(const void*, size_t) {}
inline bool looks_for_races() { return false; }
inline bool has_strands() { return false; }

#else

// Null if there is no such tool. Written once, at start-up, and in the child of a fork.
struct RaceDetector {
  void (*before)(const void* key);
  void (*after)(const void* key);
  void (*maker_after)(const void* key);              // null with strands
  void (*forget)(const void* memory, size_t bytes);  // null without strands
};
[[gnu::visibility("hidden")]] extern RaceDetector race_detector;

inline bool looks_for_races() { return race_detector.before != nullptr; }
inline bool has_strands() { return race_detector.forget != nullptr; }

inline void happens_before(const void* key) {
  if (looks_for_races()) [[unlikely]]
    race_detector.before(key);
}
inline void happens_after(const void* key) {
  if (looks_for_races()) [[unlikely]]
    race_detector.after(key);
}

// As happens_after(), where only what the thread makes next follows. With strands the caller
// passes the order on.
inline void maker_happens_after(const void* key) {
  if (race_detector.maker_after != nullptr) [[unlikely]]
    race_detector.maker_after(key);
}

// What comes before `from` comes before `to`, too.
// Defined by platform/watchers/strand.cpp.
void tell_passed_order(const void* from, const void* to);
inline void pass_order(const void* from, const void* to) {
  if (looks_for_races()) [[unlikely]]
    tell_passed_order(from, to);
}

// With strands: the memory is to be used anew. What used it before is in no order with that, and
// its addresses stand for nothing yet.
inline void forget_order(const void* memory, size_t bytes) {
  if (has_strands()) [[unlikely]]
    race_detector.forget(memory, bytes);
}

#endif

}  // namespace bobbin
