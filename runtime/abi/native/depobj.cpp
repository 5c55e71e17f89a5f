// SPDX-License-Identifier: Apache-2.0
// Depend objects of translated programs.
#include <cstdlib>
#include <cstring>
#include <new>

#include "abi/export.h"
#include "bobbin/native.h"
#include "platform/diagnostics.h"

using namespace bobbin;

namespace {

// The object need not be aligned: GCC declares it as bytes.
bobbin_omp_dependence& kept_in(const void* object) {
  bobbin_omp_dependence* kept;
  memcpy(&kept, object, sizeof kept);
  if (kept == nullptr) fatal("depobj: the object at %p has been destroyed", object);
  return *kept;
}

void keep_in(void* object, bobbin_omp_dependence* kept) { memcpy(object, &kept, sizeof kept); }

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_omp_depobj_set(void* object,
                                               const bobbin_omp_dependence* dependence) {
  void* memory = malloc(sizeof *dependence);
  if (memory == nullptr) fatal("out of memory for a depend object");
  keep_in(object, new (memory) bobbin_omp_dependence(*dependence));
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_depobj_update(void* object, int kind) {
  kept_in(object).kind = static_cast<unsigned char>(kind);
}
BOBBIN_NATIVE_ENTRY bobbin_omp_dependence bobbin_omp_depobj_get(const void* object) {
  return kept_in(object);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_depobj_destroy(void* object) {
  free(&kept_in(object));
  keep_in(object, nullptr);
}
