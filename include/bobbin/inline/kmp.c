/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks, loops and other constructs inlined into programs of clang, clang++ and flang. Compiled to
 * bitcode by the same version of LLVM, and given to each compilation by -mlink-builtin-bitcode,
 * which makes these functions local to the object and takes them out when they have been inlined.
 *
 * \1 in a name: LLVM takes the name for another one than without, but the assembler gets it
 * without.
 */
#include <stddef.h>
#include <stdint.h>

#include "critical.h"
#include "loop.h"
#include "task.h"
#include "taskgroup.h"
#include "worksharing.h"

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
  const struct bobbin_thread_v1* self = bobbin_self_();
  if (__builtin_expect(!self || !self->number, 0)) return runtimes_thread_num(place);
  return (int32_t)(self->number - 1);
}

static size_t in_words(size_t bytes) { return (bytes + 7) / 8; }

/* A block begins with room for a descriptor. */
static void keep_block(struct bobbin_thread_v1* self, image_type* image) {
  struct bobbin_block_v1* block =
      (struct bobbin_block_v1*)((char*)image - sizeof(struct bobbin_task_v1));
  block->next = self->blocks;
  self->blocks = block;
}

ENTRY image_type* __kmpc_omp_task_alloc(void* place, int32_t thread_num, int32_t flags,
                                        size_t bytes, size_t shareds_bytes, routine_type* routine) {
  struct bobbin_thread_v1* self = bobbin_self_();
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
  struct bobbin_thread_v1* self = bobbin_self_();
  struct bobbin_task_v1 task;
  routine_type* routine = image->routine;
  if (!self || (image->flags & ~FINAL) != TIED || !bobbin_in_place_(self, 1))
    return runtimes_task(place, thread_num, image);
  bobbin_begin_(self, &task, (image->flags & FINAL) != 0, 1);
  routine(thread_num, image);
  bobbin_end_(self, &task);
  keep_block(self, image);
  return 0;
}

ENTRY int32_t __kmpc_omp_taskwait(void* place, int32_t thread_num) {
  if (bobbin_childless_(bobbin_self_())) return 0;
  return runtimes_taskwait(place, thread_num);
}

/* A task that must not be deferred. The program calls its routine between these two calls. The
 * descriptor lies in the block that the runtime or the function above has laid out. */
enum { BEGUN_INLINED = 0x80 }; /* of image->flags, which no compiler passes to a block of ours */

void runtimes_begin_if0(void* place, int32_t thread_num, image_type* image)
    RUNTIMES("__kmpc_omp_task_begin_if0");
void runtimes_complete_if0(void* place, int32_t thread_num, image_type* image)
    RUNTIMES("__kmpc_omp_task_complete_if0");

ENTRY void __kmpc_omp_task_begin_if0(void* place, int32_t thread_num, image_type* image) {
  struct bobbin_thread_v1* self = bobbin_self_();
  if (!self || (image->flags & ~FINAL) != TIED || !bobbin_in_place_(self, 0)) {
    runtimes_begin_if0(place, thread_num, image);
    return;
  }
  image->flags |= BEGUN_INLINED;
  bobbin_begin_(self, bobbin_task_behind_(image), (image->flags & FINAL) != 0, 1);
}

ENTRY void __kmpc_omp_task_complete_if0(void* place, int32_t thread_num, image_type* image) {
  struct bobbin_thread_v1* self = bobbin_self_();
  if (!self || (image->flags & BEGUN_INLINED) == 0) {
    runtimes_complete_if0(place, thread_num, image);
    return;
  }
  bobbin_end_(self, bobbin_task_behind_(image));
  keep_block(self, image);
}

#define DISPATCH_NEXT(suffix, type, step_type)                                                \
  int32_t runtimes_next_##suffix(void* place, int32_t thread_num, int32_t* last, type* lower, \
                                 type* upper, step_type* step)                                \
      RUNTIMES("__kmpc_dispatch_next_" #suffix);                                              \
  ENTRY int32_t __kmpc_dispatch_next_##suffix(void* place, int32_t thread_num, int32_t* last, \
                                              type* lower, type* upper, step_type* step) {    \
    struct bobbin_batch_v1* batch = bobbin_batch_(bobbin_self_());                            \
    if (!batch) return runtimes_next_##suffix(place, thread_num, last, lower, upper, step);   \
    *lower = (type)bobbin_take_chunk_(batch);                                                 \
    *upper = (type)(batch->begin - batch->step);                                              \
    if (step) *step = (step_type)batch->step;                                                 \
    if (last) *last = 0;                                                                      \
    return 1;                                                                                 \
  }

DISPATCH_NEXT(4, int32_t, int32_t)
DISPATCH_NEXT(4u, uint32_t, int32_t)
DISPATCH_NEXT(8, int64_t, int64_t)
DISPATCH_NEXT(8u, uint64_t, int64_t)

void runtimes_taskgroup(void* place, int32_t thread_num) RUNTIMES("__kmpc_taskgroup");
void runtimes_end_taskgroup(void* place, int32_t thread_num) RUNTIMES("__kmpc_end_taskgroup");

ENTRY void __kmpc_taskgroup(void* place, int32_t thread_num) {
  if (!bobbin_open_group_(bobbin_self_())) runtimes_taskgroup(place, thread_num);
}

ENTRY void __kmpc_end_taskgroup(void* place, int32_t thread_num) {
  if (!bobbin_close_group_(bobbin_self_())) runtimes_end_taskgroup(place, thread_num);
}

int32_t runtimes_single(void* place, int32_t thread_num) RUNTIMES("__kmpc_single");
void runtimes_end_single(void* place, int32_t thread_num) RUNTIMES("__kmpc_end_single");

ENTRY int32_t __kmpc_single(void* place, int32_t thread_num) {
  return bobbin_alone_(bobbin_self_()) ? 1 : runtimes_single(place, thread_num);
}

/* Means something only to other runtimes, as the end of a static loop does. */
ENTRY void __kmpc_end_single(void* place, int32_t thread_num) {
  if (!bobbin_self_()) runtimes_end_single(place, thread_num);
}

void runtimes_critical(void* place, int32_t thread_num, int32_t* numbers)
    RUNTIMES("__kmpc_critical");
void runtimes_critical_with_hint(void* place, int32_t thread_num, int32_t* numbers, uint32_t hint)
    RUNTIMES("__kmpc_critical_with_hint");
void runtimes_end_critical(void* place, int32_t thread_num, int32_t* numbers)
    RUNTIMES("__kmpc_end_critical");

ENTRY void __kmpc_critical(void* place, int32_t thread_num, int32_t* numbers) {
  if (!bobbin_enter_critical_(bobbin_self_(), numbers))
    runtimes_critical(place, thread_num, numbers);
}

ENTRY void __kmpc_critical_with_hint(void* place, int32_t thread_num, int32_t* numbers,
                                     uint32_t hint) {
  if (!bobbin_enter_critical_(bobbin_self_(), numbers))
    runtimes_critical_with_hint(place, thread_num, numbers, hint);
}

ENTRY void __kmpc_end_critical(void* place, int32_t thread_num, int32_t* numbers) {
  if (!bobbin_leave_critical_(bobbin_self_(), numbers))
    runtimes_end_critical(place, thread_num, numbers);
}

enum { STATIC = 34 }; /* a schedule without a chunk size */

#define STATIC_INIT(suffix, type, step_type)                                                       \
  void runtimes_static_##suffix(void* place, int32_t thread_num, int32_t schedule, int32_t* last,  \
                                type* lower, type* upper, step_type* stride, step_type step,       \
                                step_type chunk) RUNTIMES("__kmpc_for_static_init_" #suffix);      \
  ENTRY void __kmpc_for_static_init_##suffix(void* place, int32_t thread_num, int32_t schedule,    \
                                             int32_t* last, type* lower, type* upper,              \
                                             step_type* stride, step_type step, step_type chunk) { \
    const int is_last = schedule == STATIC && step == 1                                            \
                            ? bobbin_bounds_##suffix##_(bobbin_self_(), lower, upper, stride)      \
                            : -1;                                                                  \
    if (is_last < 0) {                                                                             \
      runtimes_static_##suffix(place, thread_num, schedule, last, lower, upper, stride, step,      \
                               chunk);                                                             \
    } else if (last) {                                                                             \
      *last = is_last;                                                                             \
    }                                                                                              \
  }

STATIC_INIT(4, int32_t, int32_t)
STATIC_INIT(4u, uint32_t, int32_t)
STATIC_INIT(8, int64_t, int64_t)
STATIC_INIT(8u, uint64_t, int64_t)

void runtimes_static_fini(void* place, int32_t thread_num) RUNTIMES("__kmpc_for_static_fini");

ENTRY void __kmpc_for_static_fini(void* place, int32_t thread_num) {
  if (!bobbin_self_()) runtimes_static_fini(place, thread_num);
}

/* The name of a Fortran routine ends with an underscore. */
#define QUERY(name, value)                                       \
  int32_t runtimes_##name(void) RUNTIMES(#name);                 \
  ENTRY int32_t name(void) {                                     \
    const struct bobbin_thread_v1* self = bobbin_self_();        \
    if (__builtin_expect(self != 0, 1)) return (int32_t)(value); \
    return runtimes_##name();                                    \
  }

QUERY(omp_get_thread_num, self->member->thread_num)
QUERY(omp_get_thread_num_, self->member->thread_num)
QUERY(omp_get_num_threads, *self->member->team_size)
QUERY(omp_get_num_threads_, *self->member->team_size)
QUERY(omp_in_final, bobbin_in_final_(self))
QUERY(omp_in_final_, bobbin_in_final_(self))
