// SPDX-License-Identifier: Apache-2.0
#include "task/passages.h"

#include <cstdlib>
#include <new>

#include "task/bulk.h"
#include "task/completion.h"

namespace bobbin {

Passages* make_passages(Member& member, Task& task, Impex impex, size_t count) {
  void* block = malloc(sizeof(Passages) + count * sizeof(Passage));
  if (block == nullptr) return nullptr;
  auto* passages = new (block) Passages{&task, impex, member.team, Passages::units_of(count)};
  add_bulk(member, passages->own_units);
  return passages;
}

void destroy_passages(Passages* passages) {
  remove_bulk(*passages->team, passages->own_units);
  free(passages);
}

void leave_gate(const Passage& passage) {
  Passages& all = *passage.all;
  if (all.pending_gates.fetch_sub(1, acq_rel) == 1) drop_reference(all.task);
}

}  // namespace bobbin
