// SPDX-License-Identifier: Apache-2.0
//
// Locks (OpenMP 5.2, section 18.9), for C and Fortran, in both versions to which GCC's programs
// bind. OMP_1.0 is for programs built for OpenMP 2.5, where threads own nestable locks. In OMP_3.0
// tasks own them. Simple locks are the same in both.
//
// Code of several compilers may share a lock, so the lock is the same for all of them. A simple
// lock has 4 bytes, the size of GCC's omp_lock_t. A nestable lock is the address of the lock,
// because Fortran's and LLVM's variables for it have only 8 bytes.
#include <new>

#include "abi/call_site.h"
#include "abi/omp/omp_api.h"
#include "construct/locks/lock_variable.h"
#include "construct/locks/watched_locks.h"

using namespace bobbin;

// The versioned names. `function` itself is local to this file.
#define BOBBIN_NAME_IN_NODE(function, name, version) \
  __asm__(".symver " #function ", " #name version ", local")
#define BOBBIN_SINCE_3_0(function, name) BOBBIN_NAME_IN_NODE(function, name, "@@OMP_3.0")
#define BOBBIN_BEFORE_3_0(function, name) BOBBIN_NAME_IN_NODE(function, name, "@OMP_1.0")

// --- Simple locks.

BOBBIN_ENTRY void bobbin_lock_init(Lock* lock) { init_lock(*lock, 0, BOBBIN_RETURN_ADDRESS); }
BOBBIN_ENTRY void bobbin_lock_destroy(Lock* lock) { destroy_lock(*lock, BOBBIN_RETURN_ADDRESS); }
BOBBIN_ENTRY void bobbin_lock_set(Lock* lock) {
  lock_for(ompt_mutex_lock, *lock, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void bobbin_lock_unset(Lock* lock) {
  unlock_for(ompt_mutex_lock, *lock, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY int bobbin_lock_test(Lock* lock) {
  return try_lock_for(ompt_mutex_test_lock, *lock, BOBBIN_RETURN_ADDRESS) ? 1 : 0;
}

#define BOBBIN_SIMPLE(function, name)  \
  BOBBIN_SINCE_3_0(function, name);    \
  BOBBIN_BEFORE_3_0(function, name);   \
  BOBBIN_SINCE_3_0(function, name##_); \
  BOBBIN_BEFORE_3_0(function, name##_)

BOBBIN_SIMPLE(bobbin_lock_init, omp_init_lock);
BOBBIN_SIMPLE(bobbin_lock_destroy, omp_destroy_lock);
BOBBIN_SIMPLE(bobbin_lock_set, omp_set_lock);
BOBBIN_SIMPLE(bobbin_lock_unset, omp_unset_lock);
BOBBIN_SIMPLE(bobbin_lock_test, omp_test_lock);

// --- Nestable locks, owned by tasks.

BOBBIN_ENTRY void bobbin_nest_lock_init(NestLock** variable) {
  init_nest_lock(*variable, 0, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void bobbin_nest_lock_destroy(NestLock** variable) {
  destroy_nest_lock(*variable, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void bobbin_nest_lock_set(NestLock** variable) {
  set_nest_lock_for(lock_of(*variable), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void bobbin_nest_lock_unset(NestLock** variable) {
  unset_nest_lock_for(lock_of(*variable), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY int bobbin_nest_lock_test(NestLock** variable) {
  return test_nest_lock_for(lock_of(*variable), BOBBIN_RETURN_ADDRESS);
}

BOBBIN_SINCE_3_0(bobbin_nest_lock_init, omp_init_nest_lock);
BOBBIN_SINCE_3_0(bobbin_nest_lock_init, omp_init_nest_lock_);
BOBBIN_SINCE_3_0(bobbin_nest_lock_destroy, omp_destroy_nest_lock);
BOBBIN_SINCE_3_0(bobbin_nest_lock_destroy, omp_destroy_nest_lock_);
BOBBIN_SINCE_3_0(bobbin_nest_lock_set, omp_set_nest_lock);
BOBBIN_SINCE_3_0(bobbin_nest_lock_set, omp_set_nest_lock_);
BOBBIN_SINCE_3_0(bobbin_nest_lock_unset, omp_unset_nest_lock);
BOBBIN_SINCE_3_0(bobbin_nest_lock_unset, omp_unset_nest_lock_);
BOBBIN_SINCE_3_0(bobbin_nest_lock_test, omp_test_nest_lock);
BOBBIN_SINCE_3_0(bobbin_nest_lock_test, omp_test_nest_lock_);

// --- Nestable locks of OpenMP 2.5, owned by threads.

BOBBIN_ENTRY void bobbin_thread_nest_lock_init(ThreadNestLock* lock) {
  new (lock) ThreadNestLock{};
}
BOBBIN_ENTRY void bobbin_thread_nest_lock_destroy(ThreadNestLock*) {}
BOBBIN_ENTRY void bobbin_thread_nest_lock_set(ThreadNestLock* lock) {
  set_nest_lock_for(*lock, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY void bobbin_thread_nest_lock_unset(ThreadNestLock* lock) {
  unset_nest_lock_for(*lock, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_ENTRY int bobbin_thread_nest_lock_test(ThreadNestLock* lock) {
  return test_nest_lock_for(*lock, BOBBIN_RETURN_ADDRESS);
}

#define BOBBIN_OLD_NEST(function, name) \
  BOBBIN_BEFORE_3_0(function, name);    \
  BOBBIN_BEFORE_3_0(function, name##_)

BOBBIN_OLD_NEST(bobbin_thread_nest_lock_init, omp_init_nest_lock);
BOBBIN_OLD_NEST(bobbin_thread_nest_lock_destroy, omp_destroy_nest_lock);
BOBBIN_OLD_NEST(bobbin_thread_nest_lock_set, omp_set_nest_lock);
BOBBIN_OLD_NEST(bobbin_thread_nest_lock_unset, omp_unset_nest_lock);
BOBBIN_OLD_NEST(bobbin_thread_nest_lock_test, omp_test_nest_lock);

// --- With hints, which change nothing: every lock adapts. libgomp does not have them.

void omp_init_lock_with_hint(omp_lock_t* lock, int hint) {
  init_lock(*reinterpret_cast<Lock*>(lock), static_cast<unsigned>(hint), BOBBIN_RETURN_ADDRESS);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t* lock, int hint) {
  init_nest_lock(*reinterpret_cast<NestLock**>(lock), static_cast<unsigned>(hint),
                 BOBBIN_RETURN_ADDRESS);
}

namespace {

unsigned hint_of(const std::int32_t* hint) {
  return hint != nullptr ? static_cast<unsigned>(*hint) : 0;
}

}  // namespace

BOBBIN_ENTRY void omp_init_lock_with_hint_(Lock* lock, const std::int32_t* hint) {
  init_lock(*lock, hint_of(hint), BOBBIN_RETURN_ADDRESS);
}

BOBBIN_ENTRY void omp_init_nest_lock_with_hint_(NestLock** variable, const std::int32_t* hint) {
  init_nest_lock(*variable, hint_of(hint), BOBBIN_RETURN_ADDRESS);
}
