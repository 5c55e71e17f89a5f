// SPDX-License-Identifier: Apache-2.0
// Tells the user that a stack ran out. Without it an overflow is a bare "Segmentation fault", and
// the cure (OMP_STACKSIZE) is the last thing one thinks of.
//
// One SIGSEGV handler for the process, and an alternate stack for each kernel thread that runs
// OpenMP threads: the handler cannot run on the stack that has just been used up.
//
// Whose handler runs:
// - the program has none (SIG_DFL): ours reports an overflow, then the default action follows, with
//   the faulting instruction as the place of death;
// - the program installed one with SA_ONSTACK before the first region: ours reports, then calls it;
// - the program installed one without SA_ONSTACK, or ignores SIGSEGV: ours is not installed. Such a
//   handler may rely on running on the interrupted stack, and could not have run in an overflow
//   anyway;
// - the program installs one later: it replaces ours, as sigaction says. If it passes the signal on
//   to the handler it found, ours reports.
#pragma once

#include <cstddef>

namespace bobbin {

struct StackGuardHooks {
  // Is `address` in the guard area of a stack that the runtime made? If so, whose? (-1: not known.)
  bool (*describe)(const void* address, int* thread_num) = nullptr;
  // Number of the OpenMP thread that the caller is; used where describe() does not say.
  int (*current_thread_num)() = nullptr;
  // Does it run on the stack of a kernel thread that the runtime made for it?
  bool (*on_own_kernel_thread)() = nullptr;
};

// The hooks run inside the signal handler, on the alternate stack: no locks, no allocation. A null
// hook means "cannot tell". Call again after fork() is not needed: the disposition is inherited.
void install_stack_guard(const StackGuardHooks& hooks);

// The alternate stack of the calling kernel thread. Plain data, so that it may live in a worker or
// in a root's record; whoever holds it calls remove() on the same kernel thread before that thread
// ends.
class AltStack {
 public:
  // Gives the kernel thread an alternate stack unless it already has one (the program's own stays).
  // Out of memory: returns false, and an overflow there dies unreported.
  bool install();
  // Undoes install(), so that another kernel thread may; leaves a stack alone that the program has
  // put in place since, and its own if the caller runs on it.
  void remove();

 private:
  void* mapping_ = nullptr;
  std::size_t mapping_size_ = 0;
};

}  // namespace bobbin
