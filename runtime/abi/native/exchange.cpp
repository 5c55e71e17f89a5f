// SPDX-License-Identifier: Apache-2.0
// What scans and conditional lastprivate variables of translated programs need.
#include "construct/reductions/exchange.h"
#include "abi/call_site.h"
#include "abi/export.h"
#include "bobbin/native.h"
#include "platform/diagnostics.h"
#include "team/model/team.h"

#include <cstdlib>

using namespace bobbin;

namespace {

Thread& tell_place(unsigned* thread, unsigned* threads) {
  Thread& current = self();
  *thread = current.member->num;
  *threads = current.member->team->size;
  return current;
}

}  // namespace

BOBBIN_NATIVE_ENTRY void* const* bobbin_omp_exchange_begin(void* own, unsigned* thread,
                                                           unsigned* threads) {
  BOBBIN_CALL_SITE;
  return begin_exchange(tell_place(thread, threads), own);
}
BOBBIN_NATIVE_ENTRY void* const* bobbin_omp_cancellable_exchange_begin(void* own, unsigned* thread,
                                                                       unsigned* threads) {
  BOBBIN_CALL_SITE;
  return begin_cancellable_exchange(tell_place(thread, threads), own);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_exchange_end() {
  BOBBIN_CALL_SITE;
  end_exchange(self());
}

BOBBIN_NATIVE_ENTRY void* bobbin_omp_scan_memory(unsigned long long count, unsigned long size) {
  // Never null, also for a thread without iterations.
  void* memory = calloc(count + 1, size);
  if (memory == nullptr) fatal("out of memory for the values of a scan");
  return memory;
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_scan_memory_free(void* memory) { free(memory); }
