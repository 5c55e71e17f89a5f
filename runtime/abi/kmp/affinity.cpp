// SPDX-License-Identifier: Apache-2.0
// kmp_set_affinity and its family. A mask is the address of a set of processors.
#include <unistd.h>

#include "abi/export.h"
#include "platform/diagnostics.h"
#include "platform/memory.h"
#include "platform/processors/cpu_set.h"
#include "platform/processors/processors.h"
#include "sched/workers/pool.h"
#include "team/model/thread.h"

using namespace bobbin;

namespace {

using Mask = CpuSet*;

constexpr int kDone = 0;
constexpr int kNotDone = -1;

// A fiber goes to any free worker.
bool has_kernel_thread(const Thread& thread) {
  return !provider.threads_move || thread.worker == thread.home;
}

int bind_caller(const CpuSet& mask) {
  if (!has_kernel_thread(self())) {
    static OnceFlag said;
    warn_once(said, "kmp_set_affinity binds OpenMP threads only with BOBBIN_PROVIDER=kernel");
    return kNotDone;
  }
  return set_affinity_mask(mask) ? kDone : kNotDone;
}

bool is_processor(int number) {
  return number >= 0 && number < static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
}

int add(int number, CpuSet& mask) {
  if (!is_processor(number)) return kNotDone;
  mask.add(static_cast<unsigned>(number));
  return kDone;
}

int remove(int number, CpuSet& mask) {
  if (!is_processor(number)) return kNotDone;
  mask.remove(static_cast<unsigned>(number));
  return kDone;
}

int contains(int number, const CpuSet& mask) {
  if (!is_processor(number)) return kNotDone;
  return mask.has(static_cast<unsigned>(number)) ? 1 : 0;
}

}  // namespace

BOBBIN_ENTRY void kmp_create_affinity_mask(Mask* mask) {
  *mask = make<CpuSet>();
  if (*mask == nullptr) fatal("out of memory for an affinity mask");
}
BOBBIN_ALIAS(kmp_create_affinity_mask) void kmp_create_affinity_mask_(Mask*);
BOBBIN_ENTRY void kmp_destroy_affinity_mask(Mask* mask) {
  destroy(*mask);
  *mask = nullptr;
}
BOBBIN_ALIAS(kmp_destroy_affinity_mask) void kmp_destroy_affinity_mask_(Mask*);

BOBBIN_ENTRY int kmp_set_affinity(const Mask* mask) { return bind_caller(**mask); }
BOBBIN_ALIAS(kmp_set_affinity) int kmp_set_affinity_(const Mask*);
BOBBIN_ENTRY int kmp_get_affinity(const Mask* mask) {
  **mask = affinity_mask();
  return kDone;
}
BOBBIN_ALIAS(kmp_get_affinity) int kmp_get_affinity_(const Mask*);
BOBBIN_ENTRY int kmp_get_affinity_max_proc() {
  return static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
}
BOBBIN_ALIAS(kmp_get_affinity_max_proc) int kmp_get_affinity_max_proc_();

BOBBIN_ENTRY int kmp_set_affinity_mask_proc(int number, const Mask* mask) {
  return add(number, **mask);
}
BOBBIN_ALIAS(kmp_set_affinity_mask_proc) int kmpc_set_affinity_mask_proc(int, const Mask*);
BOBBIN_ENTRY int kmp_set_affinity_mask_proc_(const int* number, const Mask* mask) {
  return add(*number, **mask);
}
BOBBIN_ENTRY int kmp_unset_affinity_mask_proc(int number, const Mask* mask) {
  return remove(number, **mask);
}
BOBBIN_ALIAS(kmp_unset_affinity_mask_proc) int kmpc_unset_affinity_mask_proc(int, const Mask*);
BOBBIN_ENTRY int kmp_unset_affinity_mask_proc_(const int* number, const Mask* mask) {
  return remove(*number, **mask);
}
BOBBIN_ENTRY int kmp_get_affinity_mask_proc(int number, const Mask* mask) {
  return contains(number, **mask);
}
BOBBIN_ALIAS(kmp_get_affinity_mask_proc) int kmpc_get_affinity_mask_proc(int, const Mask*);
BOBBIN_ENTRY int kmp_get_affinity_mask_proc_(const int* number, const Mask* mask) {
  return contains(*number, **mask);
}
