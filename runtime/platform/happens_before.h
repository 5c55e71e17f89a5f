// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tools that look for data races are told. ThreadSanitizer does not see the atomic operations
// of code that it has not compiled, Helgrind and DRD do not take them for synchronisation: without
// a word, all that OpenMP orders is a race to them. So where a construct orders what the program
// does, the runtime says so, under an address that stands for the order:
//
//   happens_before(key)  what the calling thread did so far comes before ...
//   happens_after(key)   ... what this one does from now on, if it calls later.
//
// The first stands before the operation that makes others go on, the second behind the one that
// found that they did. Without such a tool each is one branch that is never taken. An order that
// the tool hears of and that is not there hides races, one that it does not hear of makes a false
// report: where the exact order would need memory of its own, this is the coarser one.
namespace bobbin {

#if defined(BOBBIN_MODEL) || defined(__SANITIZE_THREAD__)

// There the runtime's own operations are seen, and are to be found out if they do not suffice.
inline void happens_before(const void*) {}
inline void happens_after(const void*) {}
inline bool looks_for_races() { return false; }

#else

// Null: no such tool. Written once, at start-up.
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
