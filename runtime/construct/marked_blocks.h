// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fortran's allocatable variables do not say where their memory is from: those of an allocate
// construct are marked here, so that a DEALLOCATE anywhere knows which `free` to call.
namespace bobbin {

// Once, at start-up.
void init_marked_blocks();

// False when memory runs out.
bool mark_block(const void* block);
// Was it marked? It is not any more.
bool unmark_block(const void* block);

}  // namespace bobbin
