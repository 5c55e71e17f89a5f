/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the runtime's data that code in programs uses: bobbin/spawn.h, and the tasks that are
 * inlined into programs (task.h in this folder). It is compiled into programs, so it must not
 * change. A library that needs another layout gives it another name.
 * docs/notes/inlined-tasks.md tells what each field promises.
 */
#pragma once

/* It includes nothing, because translated programs have it before their first line
 * (bobbin/native_inline.h). The types are those of 64-bit Linux: `unsigned long` is uint64_t. */

#ifdef __cplusplus
extern "C" {
#endif

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

/* A taskgroup region. Its memory is never given back. */
struct bobbin_group_v1 {
  unsigned long state; /* 0: it is not cancelled, and its tasks are scheduled as all others are */
  unsigned char internal; /* not 0: another group's state counts, and the program cannot know it */
  struct bobbin_group_v1* previous; /* the one around it; of a free record: the next one */
  struct bobbin_thread_v1* owner;   /* that opened it */
  void* runtime_1;
  void* reductions; /* NULL: it has none, nor has one around it */
  void* runtime_2[2];
  unsigned tasks; /* 0: all that have been deferred have ended */
};

/* The descriptor of a task. A task that runs in place has it on its thread's stack. */
struct bobbin_task_v1 {
  void* runtime[2]; /* not initialised */
  struct bobbin_group_v1* group;
  const void* icvs;
  struct bobbin_task_v1* parent;
  void* extras;      /* not NULL when the task ends: bobbin_member_v1.end_moved_task ends it */
  unsigned children; /* that have been deferred and have not completed */
  unsigned references;
  unsigned depth;
  unsigned char kind;
  unsigned char marks;
  unsigned char is_final; /* the lowest bit; the others are not the program's */
  unsigned char is_tied;
};

enum {
  BOBBIN_UNDEFERRED_V1 = 1,        /* kind */
  BOBBIN_ORDER_GOES_BEYOND_V1 = 16 /* marks: a dependent child may have to wait */
};

/* Chunks of a dynamic loop that the thread has drawn and not begun. Outside of a loop `left` is 0.
 * The first chunk and the last one are the runtime's. */
struct bobbin_batch_v1 {
  unsigned long left;
  unsigned long begin;  /* of the next chunk, as the program counts; modulo 2^64, as all of these */
  unsigned long stride; /* from there to the one after */
  unsigned long step;   /* from one iteration to the next */
};

struct bobbin_member_v1 {
  void (*end_moved_task)(void);  /* ends the current task and makes its parent the current one */
  struct bobbin_batch_v1* batch; /* of the loop that it is in */
  const unsigned* team_size;
  unsigned thread_num; /* in the team */
};

/* For a task of LLVM's compilers: a descriptor if it is deferred, what such a compiler has laid
 * out, of at most BOBBIN_IMAGE_V1 bytes or as many as the runtime has allowed, and behind that a
 * descriptor if it is not deferred. More is the runtime's. */
#define BOBBIN_IMAGE_V1 64

struct bobbin_block_v1 {
  struct bobbin_block_v1* next;
};

/* kmp_task_t. What follows `part` is padding to compilers. In blocks of its own the runtime uses
 * it. */
struct bobbin_image_v1 {
  void* shareds;
  int (*routine)(int thread_num, struct bobbin_image_v1* image);
  int part;
  unsigned short flags;      /* as the compiler passes them */
  unsigned short size_words; /* of all that belongs to it, in 8 bytes */
};

/* kmp_critical_name, from the first address in it that is a multiple of 8. */
struct bobbin_section_v1 {
  void* runtime;
  unsigned* lock; /* NULL: nobody has entered the section */
};

enum {
  BOBBIN_LOCK_FREE_V1 = 0,
  BOBBIN_LOCK_HELD_V1 = 1 /* by such code, and nobody waits; others are the runtime's */
};

struct bobbin_thread_v1 {
  void* runtime_1[8];
  const struct bobbin_member_v1* member;
  struct bobbin_task_v1* task;    /* that it executes */
  struct bobbin_block_v1* blocks; /* for its next tasks */
  unsigned number;                /* from 1; 0: not given yet */
  struct bobbin_group_v1* groups; /* records for its next taskgroups */
  /* A task runs in place if the stack pointer is not below this; above all addresses: ask. */
  unsigned long in_place_from;
  unsigned long undeferred_from; /* the same for a task that must not be deferred */
};

/* The calling thread; NULL until it first calls into the runtime. */
extern __thread struct bobbin_thread_v1* bobbin_self_v1 __attribute__((tls_model("initial-exec")));

/*
 * The same, read anew each time: an untied task may return from the runtime on another thread than
 * the one it called from. On x86-64 no compiler keeps what the thread's segment register holds. On
 * AArch64 compilers keep the thread pointer, so they must not know that it is one.
 */
static __inline__ __attribute__((always_inline)) struct bobbin_thread_v1* bobbin_self_(void) {
#if defined(__aarch64__)
  const char* block;
  unsigned long offset;
  __asm__ volatile(
      "mrs %0, tpidr_el0\n\t"
      "adrp %1, :gottprel:bobbin_self_v1\n\t"
      "ldr %1, [%1, #:gottprel_lo12:bobbin_self_v1]"
      : "=&r"(block), "=&r"(offset));
  return *(struct bobbin_thread_v1* const*)(block + offset);
#else
  return bobbin_self_v1;
#endif
}

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
