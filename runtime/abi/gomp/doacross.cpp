// SPDX-License-Identifier: Apache-2.0
// Loops with ordered(n) and doacross dependences. They run from 0 to counts[0] by 1, and vectors
// count iterations. Numbers of iterations are never negative, so long and unsigned long long are
// treated alike.
#include "construct/worksharing/doacross.h"

#include <cstdarg>

#include "abi/export.h"
#include "abi/gomp/loop_call.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

template <class T>
const uint64_t* as_counts(const T* numbers) {
  static_assert(sizeof(T) == sizeof(uint64_t));
  return reinterpret_cast<const uint64_t*>(numbers);
}

template <class T>
bool start_doacross(unsigned dimensions, T* counts, const LoopSchedule& schedule, T* istart,
                    T* iend, uintptr_t* reductions = nullptr, void** memory = nullptr) {
  Thread& thread = self();
  enter_doacross_loop(thread, dimensions, as_counts(counts), schedule, {reductions, memory});
  return next(thread, istart, iend);
}

}  // namespace

BOBBIN_ENTRY bool GOMP_loop_doacross_static_start(unsigned dimensions, long* counts, long chunk,
                                                  long* istart, long* iend) {
  return start_doacross(dimensions, counts, static_schedule(chunk), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_doacross_dynamic_start(unsigned dimensions, long* counts, long chunk,
                                                   long* istart, long* iend) {
  return start_doacross(dimensions, counts, dynamic_schedule(chunk), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_doacross_guided_start(unsigned dimensions, long* counts, long chunk,
                                                  long* istart, long* iend) {
  return start_doacross(dimensions, counts, guided_schedule(chunk), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long* counts, long* istart,
                                                   long* iend) {
  return start_doacross(dimensions, counts, runtime_schedule(self()), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_doacross_start(unsigned dimensions, long* counts, long schedule,
                                           long chunk, long* istart, long* iend,
                                           uintptr_t* reductions, void** memory) {
  return start_doacross(dimensions, counts, decode_schedule(self(), schedule, chunk), istart, iend,
                        reductions, memory);
}

BOBBIN_ENTRY bool GOMP_loop_ull_doacross_static_start(unsigned dimensions, Ull* counts, Ull chunk,
                                                      Ull* istart, Ull* iend) {
  return start_doacross(dimensions, counts, static_schedule(chunk), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_doacross_dynamic_start(unsigned dimensions, Ull* counts, Ull chunk,
                                                       Ull* istart, Ull* iend) {
  return start_doacross(dimensions, counts, dynamic_schedule(chunk), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_doacross_guided_start(unsigned dimensions, Ull* counts, Ull chunk,
                                                      Ull* istart, Ull* iend) {
  return start_doacross(dimensions, counts, guided_schedule(chunk), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, Ull* counts,
                                                       Ull* istart, Ull* iend) {
  return start_doacross(dimensions, counts, runtime_schedule(self()), istart, iend);
}

BOBBIN_ENTRY bool GOMP_loop_ull_doacross_start(unsigned dimensions, Ull* counts, long schedule,
                                               Ull chunk, Ull* istart, Ull* iend,
                                               uintptr_t* reductions, void** memory) {
  return start_doacross(dimensions, counts, decode_schedule(self(), schedule, chunk), istart, iend,
                        reductions, memory);
}

BOBBIN_ENTRY void GOMP_doacross_post(long* vector) {
  Thread& thread = self();
  if (doacross_dimensions(thread) != 0) doacross_post(thread, as_counts(vector));
}

BOBBIN_ENTRY void GOMP_doacross_ull_post(Ull* vector) {
  Thread& thread = self();
  if (doacross_dimensions(thread) != 0) doacross_post(thread, as_counts(vector));
}

// Collects the vector. The loop knows its length.
#define WAIT_FOR_VECTOR(T, first)                                                  \
  Thread& thread = self();                                                         \
  unsigned dimensions = doacross_dimensions(thread);                               \
  if (dimensions == 0) return;                                                     \
  auto* vector = static_cast<uint64_t*>(__builtin_alloca(dimensions * sizeof(T))); \
  vector[0] = static_cast<uint64_t>(first);                                        \
  va_list rest;                                                                    \
  va_start(rest, first);                                                           \
  for (unsigned i = 1; i < dimensions; i++) vector[i] = va_arg(rest, T);           \
  va_end(rest);                                                                    \
  doacross_wait(thread, vector)

BOBBIN_ENTRY void GOMP_doacross_wait(long first, ...) { WAIT_FOR_VECTOR(long, first); }
BOBBIN_ENTRY void GOMP_doacross_ull_wait(Ull first, ...) { WAIT_FOR_VECTOR(Ull, first); }
