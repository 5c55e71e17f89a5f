// SPDX-License-Identifier: Apache-2.0
// Locks of the program, as its constructs and routines use them. A tool is told, if there is one.
// `code` is the address to which the program's call returns.
#pragma once

#include <new>

#include "construct/locks/lock.h"
#include "construct/locks/lock_variable.h"
#include "construct/tool_events.h"

namespace bobbin {

inline void init_lock(Lock& lock, unsigned hint, const void* code) {
  new (&lock) Lock;
  if (tool::watched) [[unlikely]]
    tell_lock_init(ompt_mutex_lock, &lock, hint, code);
}

inline void destroy_lock(const Lock& lock, const void* code) {
  if (tool::watched) [[unlikely]]
    tell_lock_destroy(ompt_mutex_lock, &lock, code);
}

[[gnu::always_inline]] inline void lock_for(ompt_mutex_t kind, Lock& lock, const void* code) {
  if (tool::watched) [[unlikely]]
    tell_acquire(kind, &lock, code);
  lock.lock();
  if (tool::watched) [[unlikely]]
    tell_acquired(kind, &lock, code);
}

[[gnu::always_inline]] inline bool try_lock_for(ompt_mutex_t kind, Lock& lock, const void* code) {
  if (tool::watched) [[unlikely]]
    tell_acquire(kind, &lock, code);
  const bool locked = lock.try_lock();
  if (tool::watched && locked) [[unlikely]]
    tell_acquired(kind, &lock, code);
  return locked;
}

[[gnu::always_inline]] inline void unlock_for(ompt_mutex_t kind, Lock& lock, const void* code) {
  lock.unlock();
  if (tool::watched) [[unlikely]]
    tell_released(kind, &lock, code);
}

inline void init_nest_lock(NestLock*& variable, unsigned hint, const void* code) {
  init_lock_variable(variable);
  if (tool::watched) [[unlikely]]
    tell_lock_init(ompt_mutex_nest_lock, &lock_of(variable), hint, code);
}

inline void destroy_nest_lock(NestLock*& variable, const void* code) {
  if (tool::watched) [[unlikely]]
    tell_lock_destroy(ompt_mutex_nest_lock, &lock_of(variable), code);
  destroy_lock_variable(variable);
}

// They return what the functions of construct/locks/lock.h do.

template <class Nest>
int set_nest_lock_for(Nest& lock, const void* code) {
  if (!tool::watched) [[likely]]
    return set_nest_lock(lock);
  tell_acquire(ompt_mutex_nest_lock, &lock, code);
  const int count = set_nest_lock(lock);
  if (count == 1) {
    tell_acquired(ompt_mutex_nest_lock, &lock, code);
  } else {
    tell_nested(ompt_scope_begin, &lock, code);
  }
  return count;
}

template <class Nest>
int test_nest_lock_for(Nest& lock, const void* code) {
  if (!tool::watched) [[likely]]
    return test_nest_lock(lock);
  tell_acquire(ompt_mutex_test_nest_lock, &lock, code);
  const int count = test_nest_lock(lock);
  if (count == 1) tell_acquired(ompt_mutex_test_nest_lock, &lock, code);
  if (count > 1) tell_nested(ompt_scope_begin, &lock, code);
  return count;
}

template <class Nest>
int unset_nest_lock_for(Nest& lock, const void* code) {
  const int count = unset_nest_lock(lock);
  if (!tool::watched) [[likely]]
    return count;
  if (count == 0) {
    tell_released(ompt_mutex_nest_lock, &lock, code);
  } else {
    tell_nested(ompt_scope_end, &lock, code);
  }
  return count;
}

}  // namespace bobbin
