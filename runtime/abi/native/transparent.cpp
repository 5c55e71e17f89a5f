// SPDX-License-Identifier: Apache-2.0

#include "abi/export.h"
#include "bobbin/bobbin.h"
#include "bobbin/native.h"
#include "platform/diagnostics.h"
#include "task/modes/transparent_order.h"

using namespace bobbin;

static_assert(static_cast<int>(Impex::Import) == bobbin_import &&
              static_cast<int>(Impex::Export) == bobbin_export &&
              static_cast<int>(Impex::Both) == bobbin_impex);

BOBBIN_NATIVE_ENTRY int bobbin_set_task_transparent(int impex) {
  if (impex < bobbin_not_impex || impex > bobbin_impex) return -1;
  return set_transparent(self(), static_cast<Impex>(impex)) ? 0 : -1;
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_transparent(int impex) {
  if (impex < bobbin_omp_not_impex || impex > bobbin_omp_impex) {
    fatal("transparent: %d is no value of omp_impex_t", impex);
  }
  if (!set_transparent(self(), static_cast<Impex>(impex))) {
    fatal("out of memory for a transparent task");
  }
}
