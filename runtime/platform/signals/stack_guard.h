// SPDX-License-Identifier: Apache-2.0
// Tells the user that a stack overflowed. Without it an overflow is a bare "Segmentation fault",
// and few users think of the cure (OMP_STACKSIZE).
//
// There is one SIGSEGV handler for the process, and an alternate stack for each kernel thread that
// runs OpenMP threads, because the handler cannot run on the stack that has overflowed.
//
// Which handler runs:
// - the program has none (SIG_DFL): ours reports an overflow, then the default action follows, at
//   the faulting instruction;
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
  // Is `address` in the guard area of a stack that the runtime made? If so, the number of its
  // thread (-1: not known).
  bool (*describe)(const void* address, int* thread_num) = nullptr;
  // The number of the calling OpenMP thread; used where describe() does not give one.
  int (*current_thread_num)() = nullptr;
  // Does the caller run on the stack of a kernel thread that the runtime made?
  bool (*on_own_kernel_thread)() = nullptr;
};

// The hooks run inside the signal handler, on the alternate stack: no locks, no allocation. A null
// hook means "cannot tell". No new call is needed after fork(), because the disposition is
// inherited.
void install_stack_guard(const StackGuardHooks& hooks);

// The alternate stack of the calling kernel thread. It is plain data, so that it may be a member of
// a worker or of a root's record. The owner calls remove() on the same kernel thread before that
// thread ends.
class AltStack {
 public:
  // Gives the kernel thread an alternate stack unless it already has one (the program's own stays).
  // Out of memory: returns false, and an overflow on this kernel thread is not reported.
  bool install();
  // Undoes install(), so that another kernel thread may use the object. Leaves a stack alone that
  // the program has installed since, and its own stack if the caller runs on it.
  void remove();

 private:
  void* mapping_ = nullptr;
  std::size_t mapping_size_ = 0;
};

}  // namespace bobbin
