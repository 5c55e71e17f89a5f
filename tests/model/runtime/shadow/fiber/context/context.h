// SPDX-License-Identifier: Apache-2.0
// Takes precedence over the runtime's header of this name. On model threads the thread pointer is
// only the running OpenMP thread (world.cpp). It is null on a helper's own stack.
#pragma once

#define current_thread_pointer real_current_thread_pointer
#define set_thread_pointer real_set_thread_pointer
#include_next "fiber/context/context.h"
#undef current_thread_pointer
#undef set_thread_pointer

namespace bobbin {

ThreadPointer current_thread_pointer();
void set_thread_pointer(ThreadPointer thread_pointer);

}  // namespace bobbin
