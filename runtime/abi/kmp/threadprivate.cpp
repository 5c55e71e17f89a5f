// SPDX-License-Identifier: Apache-2.0
#include "construct/memory/threadprivate.h"

#include "abi/export.h"
#include "abi/kmp/ident.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

using Construct = void* (*)(void*);
using Copy = void* (*)(void* to, void* from);
using Destroy = void (*)(void*);
using ConstructArray = void* (*)(void*, size_t);
using CopyArray = void* (*)(void* to, void* from, size_t);
using DestroyArray = void (*)(void*, size_t);

}  // namespace

BOBBIN_ENTRY void* __kmpc_threadprivate_cached(const Ident*, int32_t, void* original, size_t size,
                                               void*** cache) {
  return threadprivate(self(), original, size, cache);
}

BOBBIN_ENTRY void* __kmpc_threadprivate(const Ident*, int32_t, void* original, size_t size) {
  return threadprivate(self(), original, size, nullptr);
}

BOBBIN_ENTRY void __kmpc_threadprivate_register(const Ident*, void* original, Construct construct,
                                                Copy copy, Destroy destroy) {
  register_threadprivate(original, {.construct = construct, .copy = copy, .destroy = destroy});
}

// Copies of an array are constructed and never copied, because no compiler asks for that.
BOBBIN_ENTRY void __kmpc_threadprivate_register_vec(const Ident*, void* original,
                                                    ConstructArray construct, CopyArray,
                                                    DestroyArray destroy, size_t length) {
  register_threadprivate(
      original, {.construct_array = construct, .destroy_array = destroy, .length = length});
}
