// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "abi/gomp/depend.h"
#include "task/depend/dependences.h"
#include "task/wait/depend_wait.h"

using namespace bobbin;

namespace {

using Interop = std::uintptr_t;

void make_none(int count, Interop** objects) {
  constexpr Interop kNone = 0;  // omp_interop_none
  for (int i = 0; i < count; i++) *objects[i] = kNone;
}

}  // namespace

// The interop construct (OpenMP 5.2, chapter 14) of GCC 15. There is no device whose runtime could
// cooperate. Objects to be initialised become omp_interop_none, like those to be destroyed. The
// order that the depend clauses ask for is kept.
BOBBIN_ENTRY void GOMP_interop(int /*device*/, int init_count, Interop** init,
                               const void* /*target or targetsync*/, const void* /*prefer_type*/,
                               int /*use_count*/, const void* /*use*/, int destroy_count,
                               Interop** destroy, unsigned /*flags*/, void** depend) {
  if (depend != nullptr) {
    const gomp::DecodedDepend decoded(depend);
    wait_for_dependences(self(), decoded.list());
  }
  make_none(init_count, init);
  make_none(destroy_count, destroy);
}
