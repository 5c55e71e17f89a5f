// SPDX-License-Identifier: Apache-2.0
#include "construct/reductions/task_reduction.h"

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/reductions/in_reduction.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// The functions of LLVM's code are called with the size, which they do not take: the calling
// convention allows arguments too many.
using Initialise = void (*)(void*, void*, size_t);
using Combine = void (*)(void*, void*, size_t);

// kmp_task_red_input, used by older compilers.
struct OldInput {
  void* original;
  size_t size;
  void* initialise;  // void (*)(void* copy)
  void (*finalise)(void*);
  void* combine;   // void (*)(void* into, void* copy)
  uint32_t flags;  // 1: a copy may be initialised at its first use; all copies are

  ReductionItem item() const {
    return {original, original,
            size,     reinterpret_cast<Initialise>(initialise),
            finalise, reinterpret_cast<Combine>(combine)};
  }
};

// kmp_taskred_input.
struct Input {
  void* original;
  void* initial;  // a declared reduction's initialiser knows it as omp_orig
  size_t size;
  void* initialise;  // void (*)(void* copy, void* initial)
  void (*finalise)(void*);
  void* combine;  // void (*)(void* into, void* copy)
  uint32_t flags;

  ReductionItem item() const {
    return {original, initial != nullptr ? initial : original,
            size,     reinterpret_cast<Initialise>(initialise),
            finalise, reinterpret_cast<Combine>(combine)};
  }
};

template <class From>
void* begin_taskgroup_reductions(int32_t count, const From* inputs) {
  return begin_task_reductions(self(), static_cast<size_t>(count),
                               [&](size_t i) { return inputs[i].item(); });
}

template <class From>
void* begin_modifier(int32_t count, const From* inputs) {
  return begin_region_reductions(self(), static_cast<size_t>(count),
                                 [&](size_t i) { return inputs[i].item(); });
}

}  // namespace

BOBBIN_ENTRY void* __kmpc_task_reduction_init(int32_t, int32_t count, const OldInput* inputs) {
  return begin_taskgroup_reductions(count, inputs);
}
BOBBIN_ENTRY void* __kmpc_taskred_init(int32_t, int32_t count, const Input* inputs) {
  return begin_taskgroup_reductions(count, inputs);
}

// The reduction modifier task of parallel or, if `worksharing`, of a loop or sections.
BOBBIN_ENTRY void* __kmpc_task_reduction_modifier_init(const Ident*, int32_t,
                                                       int32_t /*worksharing*/, int32_t count,
                                                       const OldInput* inputs) {
  return begin_modifier(count, inputs);
}
BOBBIN_ENTRY void* __kmpc_taskred_modifier_init(const Ident*, int32_t, int32_t /*worksharing*/,
                                                int32_t count, const Input* inputs) {
  return begin_modifier(count, inputs);
}
BOBBIN_ENTRY void __kmpc_task_reduction_modifier_fini(const Ident*, int32_t, int32_t) {
  end_region_reductions(self());
}

// `registration`: where the search begins, as one of the functions above returned it; null where
// the program does not know it.
BOBBIN_ENTRY void* __kmpc_task_reduction_get_th_data(int32_t, const uintptr_t* registration,
                                                     void* address) {
  Thread& thread = self();
  if (registration == nullptr) {
    const Taskgroup* group = thread.task->group;
    if (group != nullptr) registration = static_cast<const uintptr_t*>(group->reductions);
  }
  return own_copy(thread, registration, address);
}
