// SPDX-License-Identifier: Apache-2.0
#include "construct/single.h"

#include "abi/export.h"
#include "construct/scope.h"

using namespace bobbin;

BOBBIN_ENTRY bool GOMP_single_start() { return enter_single(self()); }
BOBBIN_ENTRY void* GOMP_single_copy_start() { return begin_copyprivate(self()); }
BOBBIN_ENTRY void GOMP_single_copy_end(void* data) { end_copyprivate(self(), data); }

BOBBIN_ENTRY void GOMP_scope_start(uintptr_t* reductions) { enter_scope(self(), reductions); }
