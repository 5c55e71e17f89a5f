// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "task/depend/room.h"

// The depend clauses of a construct as GCC passes them. Two forms:
//
//   n != 0, outs, then n addresses; the first `outs` are those of out and inout
//   0, n, outs, mutexinoutsets, ins, then n addresses in this order; the remaining ones are those
//   of depend objects: address and kind (1 in, 2 out, 3 inout, 4 mutexinoutset, 5 inoutset)
namespace bobbin::gomp {

inline size_t depend_count(void** depend) {
  if (depend == nullptr) return 0;
  return reinterpret_cast<size_t>(depend[0] != nullptr ? depend[0] : depend[1]);
}

inline Dependence decode_depend_object(void** object) {
  constexpr DependKind kKinds[] = {DependKind::Inout,         DependKind::In,
                                   DependKind::Out,           DependKind::Inout,
                                   DependKind::MutexInoutset, DependKind::Inoutset};
  auto kind = reinterpret_cast<uintptr_t>(object[1]);
  return {reinterpret_cast<uintptr_t>(object[0]), kKinds[kind < 6 ? kind : 0]};
}

// items: has room for depend_count(depend).
inline DependList decode_depend(void** depend, Dependence* items) {
  size_t count = depend_count(depend);
  if (count == 0) return {items, 0};
  bool old = depend[0] != nullptr;
  void** addresses = depend + (old ? 2 : 5);
  auto number = [&](unsigned at) { return reinterpret_cast<size_t>(depend[at]); };
  size_t outs = number(old ? 1 : 2);
  size_t exclusive = old ? outs : outs + number(3);
  size_t direct = old ? count : exclusive + number(4);
  for (size_t i = 0; i < count; i++) {
    if (i >= direct) {
      items[i] = decode_depend_object(static_cast<void**>(addresses[i]));
      continue;
    }
    items[i] = {reinterpret_cast<uintptr_t>(addresses[i]), i < outs ? DependKind::Out
                                                           : i < exclusive
                                                               ? DependKind::MutexInoutset
                                                               : DependKind::In};
  }
  return {items, count};
}

class DecodedDepend {
 public:
  explicit DecodedDepend(void** depend) : room_(depend_count(depend)) {
    if (room_.items() != nullptr) list_ = decode_depend(depend, room_.items());
  }
  // Decodes `count` depend objects, one after the other.
  DecodedDepend(size_t count, void** objects) : room_(count) {
    Dependence* items = room_.items();
    if (items == nullptr) return;
    for (size_t i = 0; i < count; i++) items[i] = decode_depend_object(objects + 2 * i);
    list_ = {items, count};
  }

  const DependList& list() const { return list_; }

 private:
  DependRoom room_;
  DependList list_{&kOnEverything, 1};
};

}  // namespace bobbin::gomp
