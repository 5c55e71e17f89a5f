// SPDX-License-Identifier: Apache-2.0
#include "platform/watchers/race_detector.h"

#include <dlfcn.h>

#include "platform/watchers/strand.h"
#include "platform/watchers/valgrind.h"

namespace bobbin {

#if defined(__SANITIZE_THREAD__)

void init_race_detector() {}

#else

namespace {

using TsanEdge = void (*)(void*);
TsanEdge tsan_release;
TsanEdge tsan_acquire;

bool find_tsan() {
  tsan_release = reinterpret_cast<TsanEdge>(dlsym(RTLD_DEFAULT, "__tsan_release"));
  tsan_acquire = reinterpret_cast<TsanEdge>(dlsym(RTLD_DEFAULT, "__tsan_acquire"));
  return tsan_release != nullptr && tsan_acquire != nullptr;
}

void release_to(const void* key) { tsan_release(const_cast<void*>(key)); }
void acquire_from(const void* key) { tsan_acquire(const_cast<void*>(key)); }

}  // namespace

void init_race_detector() {
  if (find_tsan()) {
    if (find_strands()) {
      race_detector = {release_to, acquire_from, nullptr, forget_memory};
    } else {
      race_detector = {release_to, acquire_from, acquire_from, nullptr};
    }
  } else if (on_valgrind()) {
    race_detector = {valgrind_happens_before, valgrind_happens_after, valgrind_happens_after,
                     nullptr};
  }
}

#endif

}  // namespace bobbin
