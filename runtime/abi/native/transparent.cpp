// SPDX-License-Identifier: Apache-2.0
#include "task/depend/transparent.h"

#include "abi/export.h"
#include "bobbin/bobbin.h"

using namespace bobbin;

static_assert(static_cast<int>(Impex::Import) == bobbin_import &&
              static_cast<int>(Impex::Export) == bobbin_export &&
              static_cast<int>(Impex::Both) == bobbin_impex);

BOBBIN_NATIVE_ENTRY int bobbin_set_task_transparent(int impex) {
  if (impex < bobbin_not_impex || impex > bobbin_impex) return -1;
  return set_transparent(self(), static_cast<Impex>(impex)) ? 0 : -1;
}
