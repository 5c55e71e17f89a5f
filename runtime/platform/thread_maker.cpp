// SPDX-License-Identifier: Apache-2.0
#include "platform/thread_maker.h"

#include <dlfcn.h>

namespace bobbin {
namespace {

// The base address of the loaded file that the symbol of this name is bound to; null: there is
// none.
const void* home_of(const char* name) {
  const void* symbol = dlsym(RTLD_DEFAULT, name);
  Dl_info info;
  return symbol != nullptr && dladdr(symbol, &info) != 0 ? info.dli_fbase : nullptr;
}

bool ask() {
  const void* maker = home_of("pthread_create");
  // pthread_getspecific is the C library's: no other file has a reason to define it.
  return maker != home_of("pthread_getspecific") && maker != home_of("mallctl");
}

}  // namespace

bool threads_made_by_others() {
  static const bool present = ask();
  return present;
}

}  // namespace bobbin
