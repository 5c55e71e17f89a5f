// SPDX-License-Identifier: Apache-2.0
#include "bobbin/bobbin.h"
#include "env/display.h"

extern "C" [[gnu::visibility("default")]] void bobbin_env_report(bobbin_env_emit_t emit,
                                                                 void* user) {
  bobbin::report_env(emit, user);
}
