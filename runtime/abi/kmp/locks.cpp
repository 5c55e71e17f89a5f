// SPDX-License-Identifier: Apache-2.0
// The lock routines as Intel's compilers call them. A simple lock has 8 bytes. A nestable one is
// the address of the lock, as in gfortran's programs.
#include <new>

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/lock_variable.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY void __kmpc_init_lock(const Ident*, int32_t, Lock* lock) { new (lock) Lock; }
BOBBIN_ENTRY void __kmpc_init_lock_with_hint(const Ident*, int32_t, Lock* lock, uintptr_t) {
  new (lock) Lock;
}
BOBBIN_ENTRY void __kmpc_destroy_lock(const Ident*, int32_t, Lock*) {}
BOBBIN_ENTRY void __kmpc_set_lock(const Ident*, int32_t, Lock* lock) { lock->lock(); }
BOBBIN_ENTRY void __kmpc_unset_lock(const Ident*, int32_t, Lock* lock) { lock->unlock(); }
BOBBIN_ENTRY int32_t __kmpc_test_lock(const Ident*, int32_t, Lock* lock) {
  return lock->try_lock() ? 1 : 0;
}

BOBBIN_ENTRY void __kmpc_init_nest_lock(const Ident*, int32_t, NestLock** variable) {
  init_lock_variable(*variable);
}
BOBBIN_ENTRY void __kmpc_init_nest_lock_with_hint(const Ident*, int32_t, NestLock** variable,
                                                  uintptr_t) {
  init_lock_variable(*variable);
}
BOBBIN_ENTRY void __kmpc_destroy_nest_lock(const Ident*, int32_t, NestLock** variable) {
  destroy_lock_variable(*variable);
}
BOBBIN_ENTRY void __kmpc_set_nest_lock(const Ident*, int32_t, NestLock** variable) {
  set_nest_lock(lock_of(*variable));
}
BOBBIN_ENTRY void __kmpc_unset_nest_lock(const Ident*, int32_t, NestLock** variable) {
  unset_nest_lock(lock_of(*variable));
}
BOBBIN_ENTRY int32_t __kmpc_test_nest_lock(const Ident*, int32_t, NestLock** variable) {
  return test_nest_lock(lock_of(*variable));
}
