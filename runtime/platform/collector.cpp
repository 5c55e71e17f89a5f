// SPDX-License-Identifier: Apache-2.0
#include "platform/collector.h"

#include <dlfcn.h>

namespace bobbin {

bool collector_present() {
  static const bool present = dlsym(RTLD_DEFAULT, "GC_register_my_thread") != nullptr ||
                              dlsym(RTLD_DEFAULT, "mono_thread_attach") != nullptr;
  return present;
}

}  // namespace bobbin
