// SPDX-License-Identifier: Apache-2.0
#include "task/passages.h"

#include <cstdlib>
#include <new>

#include "task/completion.h"

namespace bobbin {

Passages* make_passages(Task& task, Impex impex, size_t count, Atomic<uint64_t>& units) {
  void* block = malloc(sizeof(Passages) + count * sizeof(Passage));
  if (block == nullptr) return nullptr;
  auto* passages = new (block) Passages{&task, impex, &units, Passages::units_of(count)};
  units.fetch_add(passages->own_units, relaxed);
  return passages;
}

void destroy_passages(Passages* passages) {
  passages->units->fetch_sub(passages->own_units, relaxed);
  free(passages);
}

void leave_gate(const Passage& passage) {
  Passages& all = *passage.all;
  if (all.pending_gates.fetch_sub(1, acq_rel) == 1) drop_reference(all.task);
}

}  // namespace bobbin
