// SPDX-License-Identifier: Apache-2.0
#include "construct/single.h"

#include "abi/export.h"
#include "construct/scope.h"

using namespace bobbin;

BOBBIN_ENTRY bool GOMP_single_start() { return enter_single(self()); }
BOBBIN_ENTRY void* GOMP_single_copy_start() { return begin_copyprivate(self()); }
BOBBIN_ENTRY void GOMP_single_copy_end(void* data) { end_copyprivate(self(), data); }

BOBBIN_ENTRY void GOMP_scope_start(uintptr_t* reductions) { enter_scope(self(), reductions); }

// From GCC 17 on.
BOBBIN_ENTRY bool GOMP_has_masked_thread_num(int filter) {
  return self().member->num == static_cast<unsigned>(filter);
}

// With -fopenmp-ompt the program also says where these regions end.
BOBBIN_ALIAS(GOMP_single_start) bool GOMP_single_start_with_end();
BOBBIN_ENTRY void GOMP_single_end() {}
BOBBIN_ALIAS(GOMP_scope_start) void GOMP_scope_start_with_end(uintptr_t*);
BOBBIN_ENTRY void GOMP_scope_end() {}
BOBBIN_ALIAS(GOMP_has_masked_thread_num) bool GOMP_has_masked_thread_num_with_end(int);
BOBBIN_ENTRY void GOMP_masked_end() {}
