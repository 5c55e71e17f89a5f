// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Stacks of fibers. They are mapped without reservation, with a guard area below, and pooled for
// ever. They are type-stable, because the overflow report walks all of them without a lock. A
// thread keeps the stack that it was made with, as it keeps its TLS block.
namespace bobbin {

// This record lies elsewhere, so that the thread that runs on the stack is the first to touch its
// memory: then the memory is of that thread's node.
struct Stack {
  char* mapping;  // lowest address: the guard area
  size_t size;    // bytes of the mapping, guard included
  // The first frame lies below. Its distance from the end differs from stack to stack. If all first
  // frames had the same offset in a page, they would compete for the same few lines of a cache.
  char* first;
  Stack* next;     // link in the pool
  Stack* all;      // link in the list of all stacks; constant once published
  int thread_num;  // for the overflow report: number of the thread on it, or -1
  int node;        // on which the first frames lie; -1: not known yet

  void* top() { return first; }
  char* limit() const;          // lowest usable address
  const char* reserve() const;  // below this no further nesting should begin
  bool holds(const void* address) const {
    auto* byte = static_cast<const char*>(address);
    return byte >= limit() && byte < mapping + size;
  }
};

// The bytes that are left of a stack of `size` bytes when further nesting continues elsewhere. They
// are for the frames of a task's own function and of the functions that it calls.
inline size_t stack_reserve(size_t size) { return size / 4 < 64 * 1024 ? size / 4 : 64 * 1024; }

// The address of this limit for the calling kernel thread, whose stack the system made; nullptr if
// the stack has no limit or the limit is not known.
const char* native_stack_reserve();
// The same if `bytes` are known to lie below an address in the stack. The C library is not asked,
// because that would create a heap for the kernel thread.
const char* stack_reserve_below(const void* address, size_t bytes);

// Sets the size in bytes of the stacks taken from now on, without the guard (OMP_STACKSIZE; rounded
// up to pages and to the least that the runtime's own frames need). Pooled stacks of another size
// are used again when that size is set again.
void set_stack_size(size_t bytes);

// Takes a stack from the pool, if possible one on the caller's memory node, or maps one; nullptr
// when neither is possible. errno is kept.
Stack* take_stack();
unsigned count_stacks();  // that were ever mapped
void give_stack(Stack* stack);

// For a race detector with strands: to it, the memory becomes new.
void renew_stack(Stack& stack);

// Applies to all stacks, and to all that are made later.
void make_stacks_executable();

// The fiber's stack that holds `address`, or nullptr.
const Stack* stack_with(const void* address);

// Is `address` in the guard of a fiber's stack? If so, gives the thread's number.
// Async-signal-safe.
bool describe_guard(const void* address, int* thread_num);

void init_stacks();

}  // namespace bobbin
