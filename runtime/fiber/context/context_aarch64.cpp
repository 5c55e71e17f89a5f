// SPDX-License-Identifier: Apache-2.0
#if defined(__aarch64__)

#include <new>

#include "fiber/context/context.h"

namespace bobbin {

bool thread_pointer_writable() { return true; }

// The frame of a suspended context, from its stack pointer upwards:
//   x19..x28  x29 (frame pointer)  x30 (return address)  d8..d15  fpcr  fpsr
// The floating-point control and status registers seldom differ between contexts, and writing them
// takes longer than comparing them. Profilers unwind from any instruction, so there are CFI
// directives.
asm(R"(
.macro bobbin_save_registers
  sub sp, sp, #176
  .cfi_adjust_cfa_offset 176
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  .cfi_rel_offset x19, 0
  .cfi_rel_offset x20, 8
  .cfi_rel_offset x21, 16
  .cfi_rel_offset x22, 24
  .cfi_rel_offset x23, 32
  .cfi_rel_offset x24, 40
  .cfi_rel_offset x25, 48
  .cfi_rel_offset x26, 56
  .cfi_rel_offset x27, 64
  .cfi_rel_offset x28, 72
  .cfi_rel_offset x29, 80
  .cfi_rel_offset x30, 88
  .cfi_rel_offset d8, 96
  .cfi_rel_offset d9, 104
  .cfi_rel_offset d10, 112
  .cfi_rel_offset d11, 120
  .cfi_rel_offset d12, 128
  .cfi_rel_offset d13, 136
  .cfi_rel_offset d14, 144
  .cfi_rel_offset d15, 152
.endm
.macro bobbin_load_registers
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
.endm

.text
.globl bobbin_switch_context
.hidden bobbin_switch_context
.type bobbin_switch_context,@function
.p2align 4
bobbin_switch_context:
  .cfi_startproc
  bobbin_save_registers
  mrs x4, fpcr
  mrs x6, fpsr
  stp x4, x6, [sp, #160]
  mov x5, sp
  str x5, [x0]
  mov sp, x1
  msr tpidr_el0, x3
  ldp x5, x7, [sp, #160]
  cmp x4, x5
  b.ne 2f
.globl bobbin_context_resumes
.hidden bobbin_context_resumes
bobbin_context_resumes:
1:
  cmp x6, x7
  b.ne 3f
4:
  mov x0, x2
  bobbin_load_registers
  .cfi_remember_state
  add sp, sp, #176
  .cfi_adjust_cfa_offset -176
  .cfi_restore x30
  ret
  .cfi_restore_state
2:
  msr fpcr, x5
  b 1b
3:
  msr fpsr, x7
  b 4b
  .cfi_endproc
.size bobbin_switch_context,.-bobbin_switch_context

.globl bobbin_begin_on_stack
.hidden bobbin_begin_on_stack
.type bobbin_begin_on_stack,@function
.p2align 4
bobbin_begin_on_stack:
  .cfi_startproc
  bobbin_save_registers
  mrs x4, fpcr
  mrs x6, fpsr
  stp x4, x6, [sp, #160]
  mov x5, sp
  str x5, [x0]
  mov sp, x1
  .cfi_remember_state
  .cfi_undefined x30
  mov x29, xzr
  mov x0, x3
  blr x2
  mov sp, x0
  .cfi_restore_state
  mov x0, x1
  bobbin_load_registers
  add sp, sp, #176
  .cfi_adjust_cfa_offset -176
  .cfi_restore x30
  ret
  .cfi_endproc
.size bobbin_begin_on_stack,.-bobbin_begin_on_stack
.globl bobbin_context_switch_end
.hidden bobbin_context_switch_end
bobbin_context_switch_end:
.purgem bobbin_save_registers
.purgem bobbin_load_registers

.globl bobbin_context_start
.hidden bobbin_context_start
.type bobbin_context_start,@function
.p2align 4
bobbin_context_start:
  .cfi_startproc
  .cfi_undefined x30
  blr x19
  brk #0
  .cfi_endproc
.size bobbin_context_start,.-bobbin_context_start
)");

extern "C" void bobbin_context_start();
extern "C" void bobbin_context_switch_end();

bool in_context_switch(uintptr_t pc) {
  return pc >= reinterpret_cast<uintptr_t>(&bobbin_switch_context) &&
         pc < reinterpret_cast<uintptr_t>(&bobbin_context_switch_end);
}

namespace {

struct SuspendedContext {
  uint64_t x19_to_x28[10] = {};
  uint64_t frame_pointer = 0;
  uint64_t return_address = 0;
  uint64_t d8_to_d15[8] = {};
  uint64_t fpcr = 0;
  uint64_t fpsr = 0;
};
static_assert(sizeof(SuspendedContext) == 176, "as in bobbin_switch_context");

}  // namespace

void* make_context(void* stack_top, void (*entry)(void*)) {
  const auto top = reinterpret_cast<uintptr_t>(stack_top) & ~uintptr_t{15};
  auto* context = new (reinterpret_cast<void*>(top - sizeof(SuspendedContext))) SuspendedContext;
  context->x19_to_x28[0] = reinterpret_cast<uint64_t>(entry);
  context->return_address = reinterpret_cast<uint64_t>(&bobbin_context_start);
  FloatControl control;
  control.save();
  context->fpcr = control.fpcr;
  context->fpsr = control.fpsr;
  return context;
}

}  // namespace bobbin

#endif
