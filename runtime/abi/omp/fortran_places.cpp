// SPDX-License-Identifier: Apache-2.0
//
// Fortran's names of the routines on places and affinity.
#include <cstdlib>
#include <cstring>

#include "abi/omp/omp_api.h"
#include "construct/affinity.h"

using namespace bobbin;

// --- Places.

BOBBIN_ENTRY std::int32_t omp_get_proc_bind_() { return omp_get_proc_bind(); }
BOBBIN_ENTRY std::int32_t omp_get_num_places_() { return omp_get_num_places(); }
BOBBIN_ENTRY std::int32_t omp_get_place_num_() { return omp_get_place_num(); }
BOBBIN_ENTRY std::int32_t omp_get_partition_num_places_() { return omp_get_partition_num_places(); }

BOBBIN_ENTRY std::int32_t omp_get_place_num_procs_(const std::int32_t* place) {
  return omp_get_place_num_procs(*place);
}
BOBBIN_ENTRY std::int32_t omp_get_place_num_procs_8_(const std::int64_t* place) {
  return static_cast<std::int32_t>(processors_of(*place));
}

BOBBIN_ENTRY void omp_get_place_proc_ids_(const std::int32_t* place, std::int32_t* ids) {
  omp_get_place_proc_ids(*place, ids);
}
BOBBIN_ENTRY void omp_get_place_proc_ids_8_(const std::int64_t* place, std::int64_t* ids) {
  tell_processors(*place, ids);
}

BOBBIN_ENTRY void omp_get_partition_place_nums_(std::int32_t* places) {
  omp_get_partition_place_nums(places);
}
BOBBIN_ENTRY void omp_get_partition_place_nums_8_(std::int64_t* places) { tell_partition(places); }

// --- Affinity formats. Fortran's strings have a length and blanks instead of a terminator.

namespace {

void blank_pad(char* buffer, std::size_t size, std::size_t length) {
  if (length < size) std::memset(buffer + length, ' ', size - length);
}

// Fills a character variable from a producer that writes terminated text into (buffer, size) and
// returns the full length. The terminator needs a byte that the variable does not have. gfortran's
// callers read half of the result; those of LLVM's and Intel's compilers read all of it.
template <class Produce>
std::int64_t fill_variable(char* buffer, std::size_t size, Produce produce) {
  char usual[512];
  char* large = size + 1 > sizeof usual ? static_cast<char*>(std::malloc(size + 1)) : nullptr;
  char* text = large != nullptr ? large : usual;
  const std::size_t room = large != nullptr ? size + 1 : sizeof usual;
  const std::size_t length = produce(text, room);
  std::size_t copied = length < room ? length : room - 1;
  if (copied > size) copied = size;
  if (copied != 0) std::memcpy(buffer, text, copied);
  blank_pad(buffer, size, copied);
  std::free(large);
  return static_cast<std::int64_t>(length);
}

}  // namespace

BOBBIN_ENTRY void omp_set_affinity_format_(const char* format, std::size_t length) {
  set_affinity_format({format, length});
}

BOBBIN_ENTRY std::int64_t omp_get_affinity_format_(char* buffer, std::size_t size) {
  return fill_variable(buffer, size, omp_get_affinity_format);
}

BOBBIN_ENTRY void omp_display_affinity_(const char* format, std::size_t length) {
  display_affinity({format, length}, affinity_fields());
}

BOBBIN_ENTRY std::int64_t omp_capture_affinity_(char* buffer, const char* format, std::size_t size,
                                                std::size_t length) {
  const AffinityFields fields = affinity_fields();
  return fill_variable(buffer, size, [&](char* text, std::size_t room) {
    TextOut out(text, room);
    expand_affinity({format, length}, fields, out);
    return out.length();
  });
}
