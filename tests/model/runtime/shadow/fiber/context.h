// SPDX-License-Identifier: Apache-2.0
// Stands before the runtime's header of this name. On model threads the thread pointer is nothing
// but the OpenMP thread that runs (world.cpp); null on a helper's own.
#pragma once

#define current_thread_pointer real_current_thread_pointer
#define set_thread_pointer real_set_thread_pointer
#include_next "fiber/context.h"
#undef current_thread_pointer
#undef set_thread_pointer

namespace bobbin {

ThreadPointer current_thread_pointer();
void set_thread_pointer(ThreadPointer thread_pointer);

}  // namespace bobbin
