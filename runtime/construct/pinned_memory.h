// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Memory that stays in RAM, for the allocator trait `pinned`. How much a process may have is often
// limited to some pages, so small blocks share pages; these stay locked for later ones, for locks
// of pages do not nest.
namespace bobbin {

struct PinnedBlock {
  void* base = nullptr;    // aligned to 64 bytes; null: the process may not lock as much
  std::size_t length = 0;  // bytes, at least those asked for
};

// Once, at start-up.
void init_pinned_memory();

// Zeroed. bytes: 1 up to PTRDIFF_MAX.
PinnedBlock take_pinned(std::size_t bytes);
void give_back_pinned(PinnedBlock block);

}  // namespace bobbin
