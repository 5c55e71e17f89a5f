/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks inlined into programs of clang, clang++ and flang. Compiled to bitcode by the same version
 * of LLVM, and given to each compilation by -mlink-builtin-bitcode, which makes these functions
 * local to the object and takes them out when they have been inlined.
 *
 * \1 in a name: LLVM takes the name for another one than without, but the assembler gets it
 * without.
 */
#include <stddef.h>

#include "task.h"

#define ENTRY __attribute__((always_inline))
#define RUNTIMES(name) __asm__("\1" name)

typedef struct bobbin_image_v1 image_type;
typedef int32_t routine_type(int32_t thread_num, image_type* image);

enum { TIED = 1, FINAL = 2, FLAGS_SERVED = TIED | FINAL };

int32_t runtimes_thread_num(void* place) RUNTIMES("__kmpc_global_thread_num");
image_type* runtimes_task_alloc(void* place, int32_t thread_num, int32_t flags, size_t bytes,
                                size_t shareds_bytes, routine_type* routine)
    RUNTIMES("__kmpc_omp_task_alloc");
int32_t runtimes_task(void* place, int32_t thread_num, image_type* image)
    RUNTIMES("__kmpc_omp_task");
int32_t runtimes_taskwait(void* place, int32_t thread_num) RUNTIMES("__kmpc_omp_taskwait");

ENTRY int32_t __kmpc_global_thread_num(void* place) {
  const struct bobbin_thread_v1* self = bobbin_self_v1;
  if (__builtin_expect(!self || !self->number, 0)) return runtimes_thread_num(place);
  return (int32_t)(self->number - 1);
}

static size_t in_words(size_t bytes) { return (bytes + 7) / 8; }

ENTRY image_type* __kmpc_omp_task_alloc(void* place, int32_t thread_num, int32_t flags,
                                        size_t bytes, size_t shareds_bytes, routine_type* routine) {
  struct bobbin_thread_v1* self = bobbin_self_v1;
  const size_t words = in_words(bytes) + in_words(shareds_bytes);
  const int served = words * 8 <= BOBBIN_IMAGE_V1 && (flags & ~FLAGS_SERVED) == 0;
  image_type* image;
  if (__builtin_expect(served && self && self->blocks, 1)) {
    struct bobbin_block_v1* block = self->blocks;
    self->blocks = block->next;
    image = (image_type*)((char*)block + sizeof(struct bobbin_task_v1));
    image->part = 0;
    image->flags = (uint16_t)flags;
    image->size_words = (uint16_t)words;
  } else {
    image = runtimes_task_alloc(place, thread_num, flags, bytes, shareds_bytes, routine);
  }
  /* Every runtime has stored the same. Stored again here, where both ways have met, they are values
   * that the compiler knows, so that it calls the routine directly. */
  image->shareds = shareds_bytes != 0 ? (char*)image + in_words(bytes) * 8 : NULL;
  image->routine = routine;
  return image;
}

ENTRY int32_t __kmpc_omp_task(void* place, int32_t thread_num, image_type* image) {
  struct bobbin_thread_v1* self = bobbin_self_v1;
  struct bobbin_task_v1 task;
  routine_type* routine = image->routine;
  if (!self || (image->flags & ~FINAL) != TIED || !bobbin_in_place_(self, 1, &task))
    return runtimes_task(place, thread_num, image);
  bobbin_begin_(self, &task, (image->flags & FINAL) != 0, 1);
  routine(thread_num, image);
  bobbin_end_(self, &task);
  struct bobbin_block_v1* block =
      (struct bobbin_block_v1*)((char*)image - sizeof(struct bobbin_task_v1));
  block->next = self->blocks;
  self->blocks = block;
  return 0;
}

ENTRY int32_t __kmpc_omp_taskwait(void* place, int32_t thread_num) {
  if (bobbin_childless_(bobbin_self_v1)) return 0;
  return runtimes_taskwait(place, thread_num);
}
