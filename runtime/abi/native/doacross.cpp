// SPDX-License-Identifier: Apache-2.0
// Loops with cross-iteration dependences, of translated programs.
#include "construct/worksharing/doacross.h"
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/native/schedule.h"
#include "bobbin/native.h"

using namespace bobbin;

namespace {

using Number = unsigned long long;
static_assert(sizeof(Number) == sizeof(uint64_t));

const uint64_t* as_vector(const Number* numbers) {
  return reinterpret_cast<const uint64_t*>(numbers);
}

}  // namespace

BOBBIN_NATIVE_ENTRY int bobbin_omp_doacross_begin(unsigned loops, const Number* counts,
                                                  unsigned schedule, Number chunk, Number* first,
                                                  Number* last) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  enter_doacross_loop(thread, loops, as_vector(counts), schedule_of(thread, schedule, chunk), {});
  return next_chunk(thread, first, last);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_doacross_post(const Number* iteration) {
  Thread& thread = self();
  if (doacross_dimensions(thread) != 0) doacross_post(thread, as_vector(iteration));
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_doacross_wait(const Number* iteration) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  if (doacross_dimensions(thread) != 0) doacross_wait(thread, as_vector(iteration));
}
