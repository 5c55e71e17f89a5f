// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "team/model/thread.h"

namespace bobbin {

// Calls function(argument) for a task that may be in no order with what the thread did before: on a
// strand (platform/watchers/strand.h) and a stack of its own. If there are too many strands, it is
// part of the current one, and what the thread did before then comes first.
void call_on_own_strand(Thread& thread, void (*function)(void*), void* argument);
template <class Function>
void call_on_own_strand(Thread& thread, Function&& function) {
  auto call = [](void* called) { (*static_cast<std::remove_reference_t<Function>*>(called))(); };
  call_on_own_strand(thread, call, &function);
}

}  // namespace bobbin
