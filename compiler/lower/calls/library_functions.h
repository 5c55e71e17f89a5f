// SPDX-License-Identifier: Apache-2.0
// What is known of functions of the C library. None of them calls back.
#pragma once

#include <string_view>

namespace bobbin::translate {

// It does the same in every task of a thread. So do the functions of omp.h that tell of the thread
// and of its team.
bool is_same_in_each_task(std::string_view function);

}  // namespace bobbin::translate
