// SPDX-License-Identifier: Apache-2.0
#include "fiber/context/stack.h"

#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <new>

#include "platform/atomic.h"
#include "platform/keep_errno.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "platform/memory/memory_node.h"
#include "platform/memory/node_lists.h"
#include "platform/memory/share.h"
#include "platform/watchers/strand.h"

namespace bobbin {
namespace {

// Room for a signal handler of the program with an AVX-512 frame, and for a worker's loop below it.
constexpr size_t kSmallestStack = 64 * 1024;

// Wider than a page, so that a frame with a big local array does not step over it.
constexpr size_t kGuard = 64 * 1024;

SpinLock pool_lock;
size_t usable_size = 8u << 20;  // guarded by pool_lock, like the next three
NodeLists<Stack> pool;          // unused ones of the size that is wanted now
Stack* other_sizes;             // unused stacks; their size may be wanted again
unsigned stacks_made;
Atomic<Stack*> all_stacks{nullptr};  // only grows; published by release, walked by acquire
// make_stacks_executable() sets this and then walks all_stacks. map_stack() publishes a new stack
// there and then reads this. Both are in the single order of seq_cst, so one of the two makes each
// stack executable.
Atomic<bool> executable{false};

size_t mapping_size() {
  SpinGuard guard(pool_lock);
  return usable_size + kGuard;
}

void push(Stack*& list, Stack* stack) {
  stack->next = list;
  list = stack;
}

void make_executable(Stack& stack) {
  mprotect(stack.limit(), stack.size - kGuard, PROT_READ | PROT_WRITE | PROT_EXEC);
}

// Returns how many there were before.
unsigned count_stack() {
  SpinGuard guard(pool_lock);
  return stacks_made++;
}

void forget_stack() {
  SpinGuard guard(pool_lock);
  stacks_made--;
}

// Offsets that are two cache lines apart and spread over a page.
size_t colour_of(unsigned number) {
  constexpr unsigned kColours = 32;
  return number % kColours * 2 * kCacheLine;
}

// One that nobody has touched yet will lie where it is used.
unsigned node_of_unused(const Stack& stack) {
  return stack.node >= 0 ? static_cast<unsigned>(stack.node) : node_here();
}

char* map_with_guard(size_t size) {
  void* mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  if (mprotect(mapping, kGuard, PROT_NONE) != 0) {
    munmap(mapping, size);
    return nullptr;
  }
  return static_cast<char*>(mapping);
}

Stack* map_stack() {
  size_t size = mapping_size();
  const KeepErrno keep;
  const unsigned number = count_stack();
  char* base = room_for_stack(size, number) ? map_with_guard(size) : nullptr;
  auto* stack = base != nullptr ? static_cast<Stack*>(allocate_lasting(sizeof(Stack))) : nullptr;
  if (stack == nullptr) {
    if (base != nullptr) munmap(base, size);
    forget_stack();
    return nullptr;
  }
  new (stack) Stack{base, size, base + size - colour_of(number), nullptr, nullptr, -1, -1};
  Stack* head = all_stacks.load(relaxed);
  do {
    stack->all = head;
  } while (!all_stacks.compare_exchange_weak(head, stack, seq_cst, relaxed));
  if (executable.load(seq_cst)) make_executable(*stack);
  return stack;
}

}  // namespace

unsigned count_stacks() {
  SpinGuard guard(pool_lock);
  return stacks_made;
}

char* Stack::limit() const { return mapping + kGuard; }
const char* Stack::reserve() const { return limit() + stack_reserve(size - kGuard); }

namespace {

// The process's first thread may also be a thread that forked, on a stack of its own. The kernel's
// random bytes lie at the upper end of the initial stack. An initial stack without a limit leaves
// more room than this constant above any mapping.
bool on_initial_stack(const char* here, size_t most) {
  constexpr size_t kFarther = size_t{1} << 40;
  if (most > kFarther) most = kFarther;
  if (getpid() != static_cast<pid_t>(syscall(SYS_gettid))) return false;
  return getauxval(AT_RANDOM) - reinterpret_cast<uintptr_t>(here) < most;
}

}  // namespace

const char* native_stack_reserve() {
  char here;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) limit.rlim_cur = RLIM_INFINITY;
  if (on_initial_stack(&here, limit.rlim_cur)) {
    // The stack grows on demand up to the limit. pthread_getattr_np would read /proc/self/maps to
    // find its exact end.
    if (limit.rlim_cur == RLIM_INFINITY) return nullptr;
    // Arguments and environment lie above that end. They take a quarter of the limit at most.
    size_t size = limit.rlim_cur / 4 * 3;
    auto end = static_cast<uintptr_t>(getauxval(AT_RANDOM));
    return end > size ? reinterpret_cast<const char*>(end - size + stack_reserve(size)) : nullptr;
  }
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return static_cast<const char*>(lowest) + stack_reserve(size);
}

const char* stack_reserve_below(const void* address, size_t bytes) {
  return static_cast<const char*>(address) - bytes + stack_reserve(bytes);
}

void make_stacks_executable() {
  if (executable.exchange(true, seq_cst)) return;
  for (Stack* stack = all_stacks.load(seq_cst); stack != nullptr; stack = stack->all) {
    make_executable(*stack);
  }
}

// All stacks stay mapped, because describe_guard() may be looking at them. Only their memory is
// given back.
void set_stack_size(size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (bytes < kSmallestStack) bytes = kSmallestStack;
  bytes = round_up(bytes, page);
  SpinGuard guard(pool_lock);
  if (bytes == usable_size) return;
  usable_size = bytes;
  while (Stack* stack = pool.pop(0)) {
    madvise(stack->limit(), stack->size - kGuard, MADV_DONTNEED);
    stack->node = -1;
    push(other_sizes, stack);
  }
  for (Stack** link = &other_sizes; Stack* stack = *link;) {
    if (stack->size != usable_size + kGuard) {
      link = &stack->next;
      continue;
    }
    *link = stack->next;
    pool.push(stack, node_of_unused(*stack));
  }
}

Stack* take_stack() {
  const unsigned here = node_here();
  {
    SpinGuard guard(pool_lock);
    if (Stack* stack = pool.pop(here)) return stack;
  }
  return map_stack();
}

void give_stack(Stack* stack) {
  if (stack->node < 0 && has_several_nodes()) stack->node = node_of(stack->first - 1);
  SpinGuard guard(pool_lock);
  if (stack->size == usable_size + kGuard) {
    pool.push(stack, node_of_unused(*stack));
  } else {
    push(other_sizes, stack);
  }
}

void renew_stack(Stack& stack) {
  const int protection = PROT_READ | PROT_WRITE | (executable.load(relaxed) ? PROT_EXEC : 0);
  renew_memory(stack.limit(), stack.size - kGuard, protection);
}

const Stack* stack_with(const void* address) {
  for (Stack* stack = all_stacks.load(acquire); stack != nullptr; stack = stack->all) {
    if (stack->holds(address)) return stack;
  }
  return nullptr;
}

bool describe_guard(const void* address, int* thread_num) {
  auto* byte = static_cast<const char*>(address);
  for (Stack* stack = all_stacks.load(acquire); stack != nullptr; stack = stack->all) {
    if (byte >= stack->mapping && byte < stack->limit()) {
      *thread_num = stack->thread_num;
      return true;
    }
  }
  return false;
}

void init_stacks() { add_fork_lock(held_across_fork<pool_lock>); }

}  // namespace bobbin
