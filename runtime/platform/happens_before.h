// SPDX-License-Identifier: Apache-2.0
#pragma once

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
// reported.
namespace bobbin {

#if defined(BOBBIN_MODEL) || defined(__SANITIZE_THREAD__)

// In these builds the tool sees the runtime's own operations. If they do not give the order, the
// tool must report it.
inline void happens_before(const void*) {}
inline void happens_after(const void*) {}
inline bool looks_for_races() { return false; }

#else

// Null if there is no such tool. Written once, at start-up.
struct RaceDetector {
  void (*before)(const void* key);
  void (*after)(const void* key);
};
[[gnu::visibility("hidden")]] extern RaceDetector race_detector;

inline bool looks_for_races() { return race_detector.before != nullptr; }

inline void happens_before(const void* key) {
  if (looks_for_races()) [[unlikely]]
    race_detector.before(key);
}
inline void happens_after(const void* key) {
  if (looks_for_races()) [[unlikely]]
    race_detector.after(key);
}

#endif

// Asks the loader.
void init_race_detector();

}  // namespace bobbin
