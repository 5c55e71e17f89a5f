// SPDX-License-Identifier: Apache-2.0
// Queries of programs, and statements of programs that change nothing.
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "team/model/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY void __kmpc_begin(const Ident*, int32_t) {}
BOBBIN_ENTRY void __kmpc_end(const Ident*) {}

namespace {

[[gnu::noinline]] int32_t give_global_thread_num() { return global_thread_num(self()); }

}  // namespace

BOBBIN_ENTRY int32_t __kmpc_global_thread_num(const Ident*) {
  const Thread* thread = tls_thread;
  if (thread == nullptr || thread->number == 0) [[unlikely]]
    return give_global_thread_num();
  return static_cast<int32_t>(thread->number) - 1;
}
BOBBIN_ENTRY int32_t __kmpc_global_num_threads(const Ident*) {
  return static_cast<int32_t>(thread_numbers_given.load(relaxed));
}
BOBBIN_ENTRY int32_t __kmpc_bound_thread_num(const Ident*) {
  return static_cast<int32_t>(self().member->num);
}
BOBBIN_ENTRY int32_t __kmpc_bound_num_threads(const Ident*) {
  return static_cast<int32_t>(current_team().size);
}
BOBBIN_ENTRY int32_t __kmpc_in_parallel(const Ident*) {
  return current_team().active_level > 0 ? 1 : 0;
}
BOBBIN_ENTRY int32_t __kmpc_ok_to_fork(const Ident*) { return 1; }
