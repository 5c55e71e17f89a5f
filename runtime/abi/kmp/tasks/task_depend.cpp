// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/tasks/task_depend.h"

#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "task/create/create.h"
#include "task/depend/dependences.h"
#include "task/wait/depend_wait.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

size_t at_least_none(int32_t count) { return count > 0 ? static_cast<size_t>(count) : 0; }

DependKind decode_kind(uint8_t kind) {
  constexpr unsigned kOut = 2;
  constexpr unsigned kMutexinoutset = 4;
  constexpr unsigned kInoutset = 8;
  if ((kind & kMutexinoutset) != 0) return DependKind::MutexInoutset;
  if ((kind & kInoutset) != 0) return DependKind::Inoutset;
  return (kind & kOut) != 0 ? DependKind::Out : DependKind::In;
}

}  // namespace

namespace bobbin::kmp {

DecodedDepend::DecodedDepend(const DependInfos& from)
    : room_(at_least_none(from.count) + at_least_none(from.count_distinct)) {
  if (room_.items() == nullptr) return;
  list_ = {room_.items(), 0};
  add(from.count, from.infos);
  add(from.count_distinct, from.infos_distinct);
}

void DecodedDepend::add(int32_t count, const DependInfo* infos) {
  // Either of these names all memory.
  constexpr uint8_t kAllMemory = 0x80;
  constexpr uintptr_t kAllAddresses = ~uintptr_t{0};
  for (int32_t i = 0; i < count; i++) {
    const DependInfo& info = infos[i];
    Dependence& item = room_.items()[list_.count];
    if ((info.kind & kAllMemory) != 0 || info.address == kAllAddresses) {
      item = kOnEverything;
    } else if (info.address != 0) {
      item = {info.address, decode_kind(info.kind)};
    } else {
      continue;  // null names no storage
    }
    list_.count++;
  }
}

}  // namespace bobbin::kmp

BOBBIN_ENTRY void __kmpc_omp_wait_deps(const Ident*, int32_t, int32_t count,
                                       const DependInfo* infos, int32_t count_distinct,
                                       const DependInfo* infos_distinct) {
  BOBBIN_CALL_SITE;
  DecodedDepend decoded({count, infos, count_distinct, infos_distinct});
  wait_for_dependences(self(), decoded.list());
}

BOBBIN_ENTRY void __kmpc_omp_taskwait_deps_51(const Ident*, int32_t, int32_t count,
                                              const DependInfo* infos, int32_t count_distinct,
                                              const DependInfo* infos_distinct, int32_t nowait) {
  BOBBIN_CALL_SITE;
  DecodedDepend decoded({count, infos, count_distinct, infos_distinct});
  if (nowait != 0) {
    create_empty_task(self(), decoded.list());
  } else {
    taskwait(self(), decoded.list());
  }
}
