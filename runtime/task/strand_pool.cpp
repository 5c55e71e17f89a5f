// SPDX-License-Identifier: Apache-2.0
#include "platform/fork_lock.h"
#include "platform/memory.h"
#include "platform/spinlock.h"
#include "task/strand.h"

namespace bobbin {
namespace {

// Each holds a mapping and its guard, of which a process has 65,530 on Linux.
constexpr unsigned kMostStrands = 2048;
constexpr unsigned kKeptByThread = 16;

SpinLock strands_lock;
Strand* unused_strands;  // guarded by strands_lock
unsigned strands_made;   // likewise

Strand* make_strand() {
  Stack* stack = take_stack();
  if (stack == nullptr) return nullptr;
  auto* strand = make_lasting<Strand>();
  if (strand == nullptr) {
    give_stack(stack);
    return nullptr;
  }
  strand->stack = stack;
  strand->limit = stack->reserve();
  return strand;
}

[[gnu::noinline]] Strand* take_unused_strand() {
  {
    SpinGuard guard(strands_lock);
    if (Strand* strand = unused_strands) {
      unused_strands = strand->next;
      return strand;
    }
    if (strands_made == kMostStrands) return nullptr;
    strands_made++;
  }
  Strand* strand = make_strand();
  if (strand == nullptr) {
    SpinGuard guard(strands_lock);
    strands_made--;
  }
  return strand;
}

}  // namespace

Strand* take_strand(Thread& thread) {
  Strand* strand = thread.free_strands;
  if (strand == nullptr) [[unlikely]]
    return take_unused_strand();
  thread.free_strands = strand->next;
  thread.free_strand_count--;
  return strand;
}

void init_strands() { add_fork_lock(held_across_fork<strands_lock>); }

void give_strand(Thread& thread, Strand& strand) {
  if (thread.free_strand_count < kKeptByThread) [[likely]] {
    strand.next = thread.free_strands;
    thread.free_strands = &strand;
    thread.free_strand_count++;
    return;
  }
  SpinGuard guard(strands_lock);
  strand.next = unused_strands;
  unused_strands = &strand;
}

}  // namespace bobbin
