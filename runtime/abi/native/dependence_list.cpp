// SPDX-License-Identifier: Apache-2.0
// The dependences of a chunk of a translated taskloop.
#include <cstdlib>

#include "abi/export.h"
#include "bobbin/native.h"
#include "platform/diagnostics.h"

using namespace bobbin;

BOBBIN_NATIVE_ENTRY void bobbin_omp_dependence_list_grow(bobbin_omp_dependence_list* list) {
  constexpr unsigned long kFirst = 64;
  const unsigned long capacity = list->capacity == 0 ? kFirst : 2 * list->capacity;
  void* larger = realloc(list->items, capacity * sizeof *list->items);
  if (larger == nullptr) fatal("out of memory for the dependences of a taskloop");
  list->items = static_cast<bobbin_omp_dependence*>(larger);
  list->capacity = capacity;
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_dependence_list_free(bobbin_omp_dependence_list* list) {
  free(list->items);
}
