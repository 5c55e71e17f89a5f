// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "abi/kmp/tasks/task_image.h"

// What becomes of an image that the compiler's code has filled in.
namespace bobbin::kmp {

inline constexpr int32_t kNotQueued = 0;  // some entry points return it, and no code reads it

// Executes the image of a tied task without clauses at once.
int32_t take_fast_path(Thread& thread, int32_t thread_num, TaskImage& image);

// Any task without dependences, or the next part of an untied one.
int32_t submit_described(TaskImage& image);

void submit(TaskImage& image, TaskSpec& spec);

}  // namespace bobbin::kmp
