// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/depend/room.h"

namespace bobbin::kmp {

// kmp_depend_info. Laid out by the compiler. A depend object is an array of them. The compiler's
// code itself makes it, changes it and copies it into the list of a construct.
struct DependInfo {
  uintptr_t address;
  size_t length;
  uint8_t kind;  // 1 in, 2 or 3 out and inout, 4 mutexinoutset, 8 inoutset, 0x80 omp_all_memory
};
static_assert(sizeof(DependInfo) == 24);

// The depend clauses of one construct come as two lists: one that may name an address several
// times, one that does not.
struct DependInfos {
  int32_t count;
  const DependInfo* infos;
  int32_t count_distinct;
  const DependInfo* infos_distinct;
};

class DecodedDepend {
 public:
  explicit DecodedDepend(const DependInfos& from);

  const DependList& list() const { return list_; }

 private:
  void add(int32_t count, const DependInfo* infos);

  DependRoom room_;
  DependList list_{&kOnEverything, 1};
};

}  // namespace bobbin::kmp
