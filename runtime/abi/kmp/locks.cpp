// SPDX-License-Identifier: Apache-2.0
// The lock routines as Intel's compilers call them. A simple lock has 8 bytes. A nestable one is
// the address of the lock, as in gfortran's programs.
#include <new>

#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/locks/lock_variable.h"
#include "construct/locks/watched_locks.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY void __kmpc_init_lock(const Ident*, int32_t, Lock* lock) {
  init_lock(*lock, 0, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_init_lock_with_hint(const Ident*, int32_t, Lock* lock, uintptr_t hint) {
  init_lock(*lock, static_cast<unsigned>(hint), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_destroy_lock(const Ident*, int32_t, Lock* lock) {
  destroy_lock(*lock, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_set_lock(const Ident*, int32_t, Lock* lock) {
  lock_for(ompt_mutex_lock, *lock, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_unset_lock(const Ident*, int32_t, Lock* lock) {
  unlock_for(ompt_mutex_lock, *lock, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY int32_t __kmpc_test_lock(const Ident*, int32_t, Lock* lock) {
  return try_lock_for(ompt_mutex_test_lock, *lock, BOBBIN_RETURN_ADDRESS) ? 1 : 0;
}

BOBBIN_ENTRY void __kmpc_init_nest_lock(const Ident*, int32_t, NestLock** variable) {
  init_nest_lock(*variable, 0, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_init_nest_lock_with_hint(const Ident*, int32_t, NestLock** variable,
                                                  uintptr_t hint) {
  init_nest_lock(*variable, static_cast<unsigned>(hint), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_destroy_nest_lock(const Ident*, int32_t, NestLock** variable) {
  destroy_nest_lock(*variable, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_set_nest_lock(const Ident*, int32_t, NestLock** variable) {
  set_nest_lock_for(lock_of(*variable), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void __kmpc_unset_nest_lock(const Ident*, int32_t, NestLock** variable) {
  unset_nest_lock_for(lock_of(*variable), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY int32_t __kmpc_test_nest_lock(const Ident*, int32_t, NestLock** variable) {
  return test_nest_lock_for(lock_of(*variable), BOBBIN_RETURN_ADDRESS);
}
