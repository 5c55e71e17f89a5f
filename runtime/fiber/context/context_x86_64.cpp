// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)

#include <sys/auxv.h>

#include "fiber/context/context.h"

namespace bobbin {

bool thread_pointer_writable() {
  constexpr unsigned long kHwcap2FsGsBase = 1u << 1;  // linux: arch/x86/include/uapi/asm/hwcap2.h
  return (getauxval(AT_HWCAP2) & kHwcap2FsGsBase) != 0;
}

// The frame of a suspended context, from its stack pointer upwards:
//   mxcsr (4) x87 control word (4)  r15 r14 r13 r12 rbx rbp  return address
// The control words seldom differ between contexts, and loading them takes longer than comparing
// them. The x87's exception flags are not saved, because reading them takes 4 ns. But they are
// cleared before a control word is loaded: if it unmasks an exception whose flag another fiber has
// left, that would be a fault. The switch returns by `ret`, not by a jump: fibers leave and come
// back at one place of the scheduler, so the processor predicts this return, and the returns after
// it. Profilers unwind from any instruction, so there are directives at each push and pop.
asm(R"(
.macro bobbin_push register
  pushq %\register
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset \register, 0
.endm
.macro bobbin_pop register
  popq %\register
  .cfi_adjust_cfa_offset -8
  .cfi_restore \register
.endm

.text
.globl bobbin_switch_context
.hidden bobbin_switch_context
.type bobbin_switch_context,@function
.p2align 4
bobbin_switch_context:
  .cfi_startproc
  bobbin_push rbp
  bobbin_push rbx
  bobbin_push r12
  bobbin_push r13
  bobbin_push r14
  bobbin_push r15
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %r8d
  movzwl 4(%rsp), %r9d
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  wrfsbase %rcx
  cmpl %r8d, (%rsp)
  jne 2f
.globl bobbin_context_resumes
.hidden bobbin_context_resumes
bobbin_context_resumes:
1:
  cmpw %r9w, 4(%rsp)
  jne 3f
4:
  movq %rdx, %rax
  .cfi_remember_state
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  bobbin_pop r15
  bobbin_pop r14
  bobbin_pop r13
  bobbin_pop r12
  bobbin_pop rbx
  bobbin_pop rbp
  ret
  .cfi_restore_state
2:
  ldmxcsr (%rsp)
  jmp 1b
3:
  fnclex
  fldcw 4(%rsp)
  jmp 4b
  .cfi_endproc
.size bobbin_switch_context,.-bobbin_switch_context

.globl bobbin_begin_on_stack
.hidden bobbin_begin_on_stack
.type bobbin_begin_on_stack,@function
.p2align 4
bobbin_begin_on_stack:
  .cfi_startproc
  bobbin_push rbp
  bobbin_push rbx
  bobbin_push r12
  bobbin_push r13
  bobbin_push r14
  bobbin_push r15
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  .cfi_remember_state
  .cfi_undefined rip
  xorl %ebp, %ebp
  movq %rcx, %rdi
  call *%rdx
  movq %rax, %rsp
  .cfi_restore_state
  movq %rdx, %rax
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  bobbin_pop r15
  bobbin_pop r14
  bobbin_pop r13
  bobbin_pop r12
  bobbin_pop rbx
  bobbin_pop rbp
  ret
  .cfi_endproc
.size bobbin_begin_on_stack,.-bobbin_begin_on_stack
.globl bobbin_context_switch_end
.hidden bobbin_context_switch_end
bobbin_context_switch_end:
.purgem bobbin_push
.purgem bobbin_pop

.hidden bobbin_context_start
.type bobbin_context_start,@function
.p2align 4
bobbin_context_start:
  .cfi_startproc
  .cfi_undefined rip
  movq %rax, %rdi
  xorl %ebp, %ebp
  call *%rbx
  ud2
  .cfi_endproc
.size bobbin_context_start,.-bobbin_context_start
)");

extern "C" void bobbin_context_start();
extern "C" void bobbin_context_switch_end();

bool in_context_switch(uintptr_t pc) {
  return pc >= reinterpret_cast<uintptr_t>(&bobbin_switch_context) &&
         pc < reinterpret_cast<uintptr_t>(&bobbin_context_switch_end);
}

void* make_context(void* stack_top, void (*entry)(void*)) {
  auto* sp = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(stack_top) & ~uintptr_t{15});
  *--sp = 0;  // keeps the stack aligned to 16 bytes at the call in bobbin_context_start
  *--sp = 0;
  *--sp = reinterpret_cast<uint64_t>(&bobbin_context_start);
  *--sp = 0;                                  // rbp
  *--sp = reinterpret_cast<uint64_t>(entry);  // rbx
  for (int i = 0; i < 4; i++) *--sp = 0;      // r12..r15
  FloatControl control;
  control.save();
  *--sp = control.mxcsr | static_cast<uint64_t>(control.x87) << 32;
  return sp;
}

}  // namespace bobbin

#endif
