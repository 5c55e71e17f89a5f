// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Stacks of fibers: mapped without reservation, with a guard area below, pooled for ever (they are
// type-stable: the overflow report walks all of them without a lock). A thread keeps the stack that
// it was made with, as it keeps its TLS block.
namespace bobbin {

// The header lies near the upper end of the mapping itself, above the first frame. How far below
// the end differs from stack to stack: first frames at one place of a page each would all compete
// for the same few lines of a cache.
struct Stack {
  char* mapping;   // lowest address: the guard area
  size_t size;     // bytes of the mapping, guard and header included
  Stack* next;     // link in the pool
  Stack* all;      // link in the list of all stacks; constant once published
  int thread_num;  // for the overflow report: who runs on it, or -1

  void* top() { return this; }
  char* limit() const;          // lowest usable address
  const char* reserve() const;  // below this no further nesting should begin
  bool holds(const void* address) const {
    auto* byte = static_cast<const char*>(address);
    return byte >= limit() && byte < mapping + size;
  }
};

// What is left of a stack when further nesting goes on elsewhere: room for the frames of a task's
// own function and what that calls. In bytes, for a stack of `size` bytes.
inline size_t stack_reserve(size_t size) { return size / 4 < 64 * 1024 ? size / 4 : 64 * 1024; }

// The same address for the kernel thread that calls, whose stack is the system's; nullptr if it has
// no limit or does not tell.
const char* native_stack_reserve();
// The same where so many bytes are known to lie below an address in it: to ask the C library would
// make it a heap for the kernel thread.
const char* stack_reserve_below(const void* address, size_t bytes);

// The size of the stacks taken from now on, in bytes, guard apart (OMP_STACKSIZE; rounded up to
// pages and to what the runtime's own frames need). Those of another size that lie in the pool are
// used again when that size is set again.
void set_stack_size(size_t bytes);

// Takes a stack from the pool or maps one; nullptr when neither can be had. errno stays.
Stack* take_stack();
void give_stack(Stack* stack);

// All of them, those to come, too.
void make_stacks_executable();

// The fiber's stack that holds `address`, or nullptr.
const Stack* stack_with(const void* address);

// Is `address` in the guard of a fiber's stack, and whose number is it? Async-signal-safe.
bool describe_guard(const void* address, int* thread_num);

void init_stacks();

}  // namespace bobbin
