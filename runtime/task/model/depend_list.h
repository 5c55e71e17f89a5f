// SPDX-License-Identifier: Apache-2.0
// The depend clauses of a construct, whichever compiler's code passed them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bobbin {

enum class DependKind : uint8_t { In, Out, Inout = Out, MutexInoutset, Inoutset };

// Do tasks of this kind at one address neither follow nor exclude each other?
constexpr bool is_shared(DependKind kind) {
  return kind == DependKind::In || kind == DependKind::Inoutset;
}

struct Dependence {
  uintptr_t address;  // 0 with kind Out: omp_all_memory
  DependKind kind;
};

// The depend clauses of one construct, decoded. `items` is the encountering thread's memory, and
// null if there are no such clauses. The clauses may name nothing: an iterator without iterations.
struct DependList {
  const Dependence* items = nullptr;
  size_t count = 0;

  bool empty() const { return count == 0; }
  bool has_clauses() const { return items != nullptr; }
};

}  // namespace bobbin
