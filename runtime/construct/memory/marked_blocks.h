// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fortran's allocatable variables do not say where their memory comes from. The blocks of an
// allocate construct are marked here, so that any DEALLOCATE knows which `free` to call.
namespace bobbin {

// Once, at start-up.
void init_marked_blocks();

// False when memory runs out.
bool mark_block(const void* block);
// Removes the block's mark. Returns whether there was one.
bool unmark_block(const void* block);

}  // namespace bobbin
