// SPDX-License-Identifier: Apache-2.0
#include "platform/mono.h"

#include <dlfcn.h>

namespace bobbin {

bool mono_present() {
  static const bool present = dlsym(RTLD_DEFAULT, "mono_thread_attach") != nullptr;
  return present;
}

}  // namespace bobbin
