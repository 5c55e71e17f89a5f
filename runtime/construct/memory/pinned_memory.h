// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Memory that stays in RAM, for the allocator trait `pinned`. A process may often lock only some
// pages, so small blocks share pages. These pages stay locked for later blocks, because locks of
// pages do not nest.
namespace bobbin {

struct PinnedBlock {
  void* base = nullptr;    // aligned to 64 bytes; null: the process may not lock that much
  std::size_t length = 0;  // bytes, at least those asked for
};

// Once, at start-up.
void init_pinned_memory();

// Zeroed. bytes: 1 up to PTRDIFF_MAX.
PinnedBlock take_pinned(std::size_t bytes);
void give_back_pinned(PinnedBlock block);

}  // namespace bobbin
