// SPDX-License-Identifier: Apache-2.0
// Task reductions of translated programs.
#include <algorithm>

#include "abi/call_site.h"
#include "abi/export.h"
#include "bobbin/native.h"
#include "construct/reductions/in_reduction.h"
#include "construct/reductions/task_reduction.h"
#include "task/model/icvs.h"

using namespace bobbin;

namespace {

auto items_of(const bobbin_omp_reduction* items) {
  return [items](size_t i) {
    const bobbin_omp_reduction& item = items[i];
    return ReductionItem{item.original,   item.initial, item.size,
                         item.initialize, nullptr,      item.combine};
  };
}

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_omp_task_reductions(const bobbin_omp_reduction* items,
                                                    unsigned long count) {
  begin_task_reductions(self(), count, items_of(items));
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_allocated_task_reductions(const bobbin_omp_reduction* items,
                                                              unsigned long count,
                                                              unsigned long minimum,
                                                              unsigned long allocator) {
  const AllocatorHandle handle =
      allocator != kNullAllocator ? allocator : current_icvs().default_allocator;
  const size_t alignment = std::max<size_t>(minimum, kCacheLine);
  begin_task_reductions(self(), count, items_of(items), {alignment, handle});
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_region_reductions_begin(const bobbin_omp_reduction* items,
                                                            unsigned long count) {
  BOBBIN_CALL_SITE;
  begin_region_reductions(self(), count, items_of(items));
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_region_reductions_end() {
  BOBBIN_CALL_SITE;
  end_region_reductions(self());
}

BOBBIN_NATIVE_ENTRY void* bobbin_omp_own_copy(void* original) {
  Thread& thread = self();
  const Taskgroup* group = thread.task->group;
  const void* data = group != nullptr ? group->reductions : nullptr;
  return own_copy(thread, static_cast<const uintptr_t*>(data), original);
}
