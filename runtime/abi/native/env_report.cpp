// SPDX-License-Identifier: Apache-2.0
#include "bobbin/bobbin.h"

#include "abi/export.h"
#include "env/display.h"
#include "team/regions/roots.h"

BOBBIN_NATIVE_ENTRY void bobbin_env_report(bobbin_env_emit_t emit, void* user) {
  bobbin::init_runtime();
  bobbin::report_env(emit, user);
}
