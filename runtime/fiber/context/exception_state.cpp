// SPDX-License-Identifier: Apache-2.0
#include "fiber/context/exception_state.h"

#include <dlfcn.h>

#include "platform/atomic.h"

namespace bobbin {
namespace {

using GetGlobals = ExceptionState* (*)();

ExceptionState* none() { return nullptr; }

Atomic<GetGlobals> found{nullptr};

// Each of the first callers looks for it. They do not wait for each other, because one may wait for
// the loader's lock.
GetGlobals find_globals() {
  GetGlobals globals = reinterpret_cast<GetGlobals>(dlsym(RTLD_DEFAULT, "__cxa_get_globals"));
  if (globals == nullptr) globals = none;
  found.store(globals, relaxed);
  return globals;
}

}  // namespace

void exchange_exceptions(ExceptionState& save, const ExceptionState& load) {
  GetGlobals globals = found.load(relaxed);
  if (globals == nullptr) [[unlikely]]
    globals = find_globals();
  ExceptionState* now = globals();
  if (now == nullptr) return;
  save = *now;
  *now = load;
}

}  // namespace bobbin
