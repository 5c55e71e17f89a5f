// SPDX-License-Identifier: Apache-2.0
#include "team/carriers/inlined_self.h"

#include <dlfcn.h>

#include "platform/loader/own_code.h"
#include "platform/watchers/happens_before.h"

namespace bobbin {

constinit thread_local Thread* inlined_self = nullptr;

namespace {

// Tools that stand between programs and runtimes seldom take these over.
constexpr const char* kSeldomTakenOver[] = {"GOMP_sections_next", "__kmpc_dispatch_fini_4"};

bool comes_here(const char* entry_point) {
  const void* found = dlsym(RTLD_DEFAULT, entry_point);
  return found == nullptr || in_own_code(reinterpret_cast<uintptr_t>(found));
}

}  // namespace

void init_inlined_self() {
  programs_call_here = !looks_for_races();  // only the runtime tells the order of what it does
  for (const char* name : kSeldomTakenOver) {
    if (!comes_here(name)) programs_call_here = false;
  }
}

}  // namespace bobbin
