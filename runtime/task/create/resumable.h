// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/resumable.h"

namespace bobbin {

// Tasks that resumable functions and ordinary ones make (task/model/resumable.h). All functions
// return false if nothing has been done, because the task need not or cannot be made so.

// Defers the task.
bool defer_resumable(Thread& thread, const bobbin_omp_resumable& form, const void* data);

enum class Way : uint8_t { NotMade, Resumed, Left };

// The current task, a resumable one that `frame` is the innermost frame of, makes way for the task.
Way make_way(Thread& thread, Frame& frame, const bobbin_omp_resumable& form, const void* data);

// The current task, likewise, is left until its children have ended. False: they have.
bool leave_for_children(Thread& thread, Frame& frame);

// A frame for a call that the current task makes. nullptr: it is to be an ordinary call.
Frame* make_call_frame(Thread& thread, Frame& caller, int (*resume)(Frame*), size_t size);
void free_call_frame(Thread& thread, Frame& frame);

// Memory for an array of variable length of the frame's function, which is stored in `*array`. The
// frame keeps it for the array's next length.
void make_array(Thread& thread, Frame& frame, void** array, size_t size);

}  // namespace bobbin
