// SPDX-License-Identifier: Apache-2.0
#include "platform/happens_before.h"

#include <dlfcn.h>

#include "platform/atomic.h"
#include "platform/valgrind.h"

namespace bobbin {

#if defined(__SANITIZE_THREAD__)

void init_race_detector() {}

#else

alignas(kCacheLine) constinit RaceDetector race_detector{};

namespace {

using TsanEdge = void (*)(void*);
TsanEdge tsan_release;
TsanEdge tsan_acquire;

bool find_tsan() {
  tsan_release = reinterpret_cast<TsanEdge>(dlsym(RTLD_DEFAULT, "__tsan_release"));
  tsan_acquire = reinterpret_cast<TsanEdge>(dlsym(RTLD_DEFAULT, "__tsan_acquire"));
  return tsan_release != nullptr && tsan_acquire != nullptr;
}

}  // namespace

void init_race_detector() {
  if (find_tsan()) {
    race_detector = {[](const void* key) { tsan_release(const_cast<void*>(key)); },
                     [](const void* key) { tsan_acquire(const_cast<void*>(key)); }};
  } else if (on_valgrind()) {
    race_detector = {valgrind_happens_before, valgrind_happens_after};
  }
}

#endif

}  // namespace bobbin
