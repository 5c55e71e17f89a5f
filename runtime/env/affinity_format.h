// SPDX-License-Identifier: Apache-2.0
//
// affinity-format-var and its field types (OpenMP 5.2, section 21.2.5).
#pragma once

#include <cstddef>
#include <string_view>

#include "platform/processors/cpu_set.h"
#include "platform/text.h"

namespace bobbin {

// The values that a format can show about a thread. Those of the process (%P, %H) are looked up
// when the format asks for them.
struct AffinityFields {
  int team_num = 0;
  int num_teams = 1;
  int nesting_level = 0;
  int thread_num = 0;
  int num_threads = 1;
  int ancestor_tnum = -1;
  long native_thread_id = 0;
  const CpuSet* affinity = nullptr;  // null: the mask of the calling kernel thread
};

void init_affinity_format();

// The format in force: OMP_AFFINITY_FORMAT until omp_set_affinity_format.
inline constexpr std::string_view kDefaultAffinityFormat = "level %L thread %i affinity %A";
// False when memory runs out; the format is then as before.
bool set_affinity_format(std::string_view format);
// Copies the format, cut to fit, and returns its full length.
std::size_t get_affinity_format(char* buffer, std::size_t size);

// An empty `format` means the one in force.
void expand_affinity(std::string_view format, const AffinityFields& fields, TextOut& out);

// Writes the expanded format as one line to stderr.
void display_affinity(std::string_view format, const AffinityFields& fields);

}  // namespace bobbin
