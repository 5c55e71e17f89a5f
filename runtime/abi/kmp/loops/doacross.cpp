// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/worksharing/doacross_bits.h"

using namespace bobbin;
using namespace bobbin::kmp;

// kmp_dim is laid out like DoacrossDimension.
BOBBIN_ENTRY void __kmpc_doacross_init(const Ident*, int32_t, int32_t dimensions,
                                       const DoacrossDimension* nest) {
  enter_doacross(self(), static_cast<unsigned>(dimensions), nest);
}

BOBBIN_ENTRY void __kmpc_doacross_post(const Ident*, int32_t, const int64_t* values) {
  doacross_post_iteration(self(), values);
}

BOBBIN_ENTRY void __kmpc_doacross_wait(const Ident*, int32_t, const int64_t* values) {
  doacross_wait_iteration(self(), values);
}

BOBBIN_ENTRY void __kmpc_doacross_fini(const Ident*, int32_t) { leave_doacross(self()); }
