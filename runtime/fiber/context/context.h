// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The context switch: the only place where a stack and a thread pointer are exchanged for others.
namespace bobbin {

// What `fs` (x86-64) or `tpidr_el0` (AArch64) holds: the address of a thread control block.
using ThreadPointer = void*;

// The reason why user-level threads with their own TLS are not possible; null: they are possible.
// The processor and the kernel must let user code write the thread pointer, and no tool may watch
// the stack.
const char* hindrance_to_context_switch();
inline bool context_switch_supported() { return hindrance_to_context_switch() == nullptr; }
// The first of these conditions.
bool thread_pointer_writable();

// Saves the state of the running context on its stack, and its stack pointer in *save. The state is
// the callee-saved registers, the floating-point control words, and the exception flags that lie in
// or beside MXCSR and FPCR, because these flags belong to each thread (C11, 7.6). Makes
// `thread_pointer` current and continues `load`. Returns, in the resumed context, the `message`
// that its resumer passed. (System V x86-64 ABI, 3.2.1: rbx, rbp, r12-r15, MXCSR control bits and
// the x87 control word belong to the caller. AAPCS64, 6.1: x19-x30, d8-d15 and FPCR.)
extern "C" void* bobbin_switch_context(void** save, void* load, void* message,
                                       ThreadPointer thread_pointer);

// The target of a function that began on its own stack and leaves it: a context that
// bobbin_switch_context or bobbin_begin_on_stack has saved, and the message for it.
struct LeavingFor {
  void* load;
  void* message;
};

// Saves the running context as bobbin_switch_context does and calls function(argument) at the top
// of the stack that ends at `stack_top` (a multiple of 16). Then continues the context that the
// function returns, which may be another one than the saved one. If it is the same one, this is a
// call, and the processor predicts its return. The function itself sets the thread pointer, when it
// begins and before it returns. The floating-point control words stay as the function leaves them.
extern "C" void* bobbin_begin_on_stack(void** save, void* stack_top, LeavingFor (*function)(void*),
                                       void* argument);

// An instruction of bobbin_switch_context. A suspended context continues there or, as far as an
// unwinder can tell, might do so: with the saved stack pointer, the unwind information of this
// instruction says where all registers lie. Not a function: only its address is used.
extern "C" const char bobbin_context_resumes;

// Is the address in one of these two functions? There the stack and the thread pointer may belong
// to different threads.
bool in_context_switch(uintptr_t pc);

// Makes a context that, when it is first continued with message m, calls entry(m) at the top of the
// stack that ends at `stack_top`; entry must not return. It begins with the caller's FloatControl.
void* make_context(void* stack_top, void (*entry)(void*));

inline ThreadPointer current_thread_pointer() {
#if defined(__x86_64__)
  ThreadPointer tp;
  asm volatile("movq %%fs:0, %0" : "=r"(tp)::"memory");  // not moved across set_thread_pointer()
  return tp;
#else
  return __builtin_thread_pointer();
#endif
}

// An approximate value, so that the caller needs no frame for it.
inline const char* stack_pointer() {
#if defined(__x86_64__)
  const char* sp;
  asm("movq %%rsp, %0" : "=r"(sp));
  return sp;
#else
  return static_cast<const char*>(__builtin_frame_address(0));
#endif
}

inline void set_thread_pointer(ThreadPointer tp) {
#if defined(__x86_64__)
  asm volatile("wrfsbase %0" ::"r"(tp) : "memory");
#elif defined(__aarch64__)
  asm volatile("msr tpidr_el0, %0" ::"r"(tp) : "memory");
#else
  (void)tp;
  __builtin_trap();
#endif
}

// The floating-point environment that a new thread inherits from its creator, as a kernel thread
// would: rounding, masks, flush-to-zero, and the flags of exceptions raised.
struct FloatControl {
#if defined(__x86_64__)
  uint32_t mxcsr = 0;
  uint16_t x87 = 0;

  // Stores to the final place. A copy of data just stored in parts would stall until the parts are
  // written.
  void save() { asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87)); }
  // Clears the x87's flags first: a flag that this kernel thread raised while masked must not raise
  // an exception where it is not masked.
  void load() const {
    uint16_t present;
    asm volatile("fnstcw %0" : "=m"(present));
    if (present != x87) asm volatile("fnclex\n\tfldcw %0" ::"m"(x87));
    asm volatile("ldmxcsr %0" ::"m"(mxcsr));
  }
#elif defined(__aarch64__)
  uint64_t fpcr = 0;
  uint64_t fpsr = 0;

  void save() { asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(fpcr), "=r"(fpsr)); }
  void load() const { asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(fpcr), "r"(fpsr)); }
#else
  void save() {}
  void load() const {}
#endif
};

}  // namespace bobbin
