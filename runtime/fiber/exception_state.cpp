// SPDX-License-Identifier: Apache-2.0
#include "fiber/exception_state.h"

#include <dlfcn.h>

namespace bobbin {
namespace {

using GetGlobals = ExceptionState* (*)();

GetGlobals find_globals() {
  return reinterpret_cast<GetGlobals>(dlsym(RTLD_DEFAULT, "__cxa_get_globals"));
}

}  // namespace

void exchange_exceptions(ExceptionState& save, const ExceptionState& load) {
  static const GetGlobals globals = find_globals();
  if (globals == nullptr) return;
  ExceptionState& now = *globals();
  save = now;
  now = load;
}

}  // namespace bobbin
