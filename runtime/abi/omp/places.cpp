// SPDX-License-Identifier: Apache-2.0
//
// Places and affinity (OpenMP 5.2, section 18.3).
#include "abi/omp/omp_api.h"
#include "construct/affinity.h"
#include "task/model/icvs.h"

using namespace bobbin;

int omp_get_proc_bind() { return static_cast<int>(current_icvs().bind); }

int omp_get_num_places() { return static_cast<int>(settled_places().count()); }

int omp_get_place_num_procs(int place) { return static_cast<int>(processors_of(place)); }

void omp_get_place_proc_ids(int place, int* ids) { tell_processors(place, ids); }

int omp_get_place_num() { return self().placement.place; }

int omp_get_partition_num_places() { return static_cast<int>(self().placement.partition_size); }

void omp_get_partition_place_nums(int* places) { tell_partition(places); }

void omp_set_affinity_format(const char* format) {
  if (format != nullptr) set_affinity_format(format);
}

std::size_t omp_get_affinity_format(char* buffer, std::size_t size) {
  init_runtime();
  return get_affinity_format(buffer, size);
}

void omp_display_affinity(const char* format) {
  display_affinity(format != nullptr ? format : "", affinity_fields());
}

std::size_t omp_capture_affinity(char* buffer, std::size_t size, const char* format) {
  TextOut out(buffer, size);
  expand_affinity(format != nullptr ? format : "", affinity_fields(), out);
  return out.length();
}
