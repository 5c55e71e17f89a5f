/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of omp.h, without locks (exclusion.c). What concerns affinity formats, places and
 * allocators with traits is not here. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#define omp_init_allocator omp_init_allocator_of_header /* compilers disagree about const */
#include <omp.h>
#undef omp_init_allocator
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "team.h"

static struct settings* settings(void) { return &bobbin_posix_self()->task->settings; }

void omp_set_num_threads(int threads) {
  if (threads > 0) settings()->threads[0] = (unsigned)threads;
}
int omp_get_num_threads(void) { return (int)bobbin_posix_self()->team->size; }
int omp_get_max_threads(void) { return (int)settings()->threads[0]; }
int omp_get_thread_num(void) { return (int)bobbin_posix_self()->num; }
int omp_get_num_procs(void) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 ? (int)processors : 1;
}
int omp_in_parallel(void) { return bobbin_posix_self()->team->active_level > 0; }
int omp_in_final(void) { return bobbin_posix_self()->task->is_final; }
/* OpenMP 6.0; there are none. */
int omp_is_free_agent(void) { return 0; }
int omp_ancestor_is_free_agent(int level) { return 0; }
void omp_set_dynamic(int dynamic) { settings()->dynamic = dynamic != 0; }
int omp_get_dynamic(void) { return settings()->dynamic; }
void omp_set_nested(int nested) { settings()->max_active_levels = nested ? INT_MAX : 1; }
int omp_get_nested(void) { return settings()->max_active_levels > 1; }
void omp_set_max_active_levels(int levels) {
  if (levels >= 0) settings()->max_active_levels = (unsigned)levels;
}
int omp_get_max_active_levels(void) { return (int)settings()->max_active_levels; }
int omp_get_supported_active_levels(void) { return INT_MAX; }
int omp_get_thread_limit(void) { return (int)bobbin_posix_self()->team->thread_limit; }
int omp_get_level(void) { return (int)bobbin_posix_self()->team->level; }
int omp_get_active_level(void) { return (int)bobbin_posix_self()->team->active_level; }

static const struct member* ancestor(int level) {
  const struct member* member = bobbin_posix_self();
  if (level < 0 || level > (int)member->team->level) return NULL;
  while ((int)member->team->level > level) member = member->team->master;
  return member;
}
int omp_get_ancestor_thread_num(int level) {
  const struct member* member = ancestor(level);
  return member != NULL ? (int)member->num : -1;
}
int omp_get_team_size(int level) {
  const struct member* member = ancestor(level);
  return member != NULL ? (int)member->team->size : -1;
}

void omp_set_schedule(omp_sched_t kind, int chunk) {
  const unsigned plain = (unsigned)kind & 0x7fffffff;
  settings()->schedule = plain; /* the numbers of native.h are the same */
  settings()->chunk = chunk > 0 && plain != omp_sched_auto ? (number)chunk : 0;
}
void omp_get_schedule(omp_sched_t* kind, int* chunk) {
  *kind = (omp_sched_t)settings()->schedule;
  *chunk = (int)settings()->chunk;
}
int omp_get_cancellation(void) { return bobbin_posix_environment.cancellation; }
int omp_get_max_task_priority(void) { return bobbin_posix_environment.max_task_priority; }

double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
double omp_get_wtick(void) {
  struct timespec step;
  clock_getres(CLOCK_MONOTONIC, &step);
  return (double)step.tv_sec + 1e-9 * (double)step.tv_nsec;
}

/* Threads are not bound, so there are no places. */
omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
int omp_get_num_places(void) { return 0; }
int omp_get_place_num_procs(int place) { return 0; }
void omp_get_place_proc_ids(int place, int* ids) {}
int omp_get_place_num(void) { return -1; }
int omp_get_partition_num_places(void) { return 0; }
void omp_get_partition_place_nums(int* places) {}

/* The host is the only device, and its number is 0. */
void omp_set_default_device(int device) { settings()->default_device = device; }
int omp_get_default_device(void) { return settings()->default_device; }
int omp_get_num_devices(void) { return 0; }
int omp_get_device_num(void) { return 0; }
int omp_get_initial_device(void) { return 0; }
int omp_is_initial_device(void) { return 1; }
int omp_get_num_teams(void) { return (int)bobbin_posix_self()->team->num_teams; }
int omp_get_team_num(void) { return (int)bobbin_posix_self()->team->team_num; }
void omp_set_num_teams(int teams) {
  if (teams > 0) bobbin_posix_environment.teams = teams;
}
int omp_get_max_teams(void) { return bobbin_posix_environment.teams; }
void omp_set_teams_thread_limit(int limit) {
  if (limit > 0) bobbin_posix_environment.teams_thread_limit = limit;
}
int omp_get_teams_thread_limit(void) { return bobbin_posix_environment.teams_thread_limit; }
void* omp_target_alloc(size_t size, int device) { return malloc(size); }
void omp_target_free(void* memory, int device) { free(memory); }
int omp_target_is_present(const void* memory, int device) { return memory != NULL; }
int omp_target_memcpy(void* to, const void* from, size_t length, size_t to_offset,
                      size_t from_offset, int to_device, int from_device) {
  memcpy((char*)to + to_offset, (const char*)from + from_offset, length);
  return 0;
}
int omp_target_associate_ptr(const void* host, const void* device_memory, size_t size,
                             size_t offset, int device) {
  return EINVAL;
}
int omp_target_disassociate_ptr(const void* host, int device) { return EINVAL; }

int omp_pause_resource(omp_pause_resource_t kind, int device) { return -1; }
int omp_pause_resource_all(omp_pause_resource_t kind) { return -1; }

/* All memory is the same, so the predefined allocators are malloc. Traits are not supported, which
 * the null allocator says. */
omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                          const omp_alloctrait_t traits[]) {
  return omp_null_allocator;
}
void omp_destroy_allocator(omp_allocator_handle_t allocator) {}
static __thread omp_allocator_handle_t default_allocator = omp_default_mem_alloc;
void omp_set_default_allocator(omp_allocator_handle_t allocator) { default_allocator = allocator; }
omp_allocator_handle_t omp_get_default_allocator(void) { return default_allocator; }
void omp_free(void* memory, omp_allocator_handle_t allocator) { free(memory); }
void* omp_alloc(size_t size, omp_allocator_handle_t allocator) {
  return size != 0 ? malloc(size) : NULL;
}
void* omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t allocator) {
  void* memory = NULL;
  if (alignment < sizeof(void*)) alignment = sizeof(void*);
  return size != 0 && posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}
void* bobbin_omp_allocate(unsigned long size, unsigned long alignment, unsigned long minimum,
                          unsigned long allocator) {
  void* memory = omp_aligned_alloc(alignment > minimum ? alignment : minimum, size != 0 ? size : 1,
                                   (omp_allocator_handle_t)allocator);
  if (memory == NULL) bobbin_posix_fatal("out of memory");
  return memory;
}
void bobbin_omp_deallocate(const void* pointer) { free(*(void* const*)pointer); }
void* omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator) {
  return count != 0 && size != 0 ? calloc(count, size) : NULL;
}
void* omp_aligned_calloc(size_t alignment, size_t count, size_t size,
                         omp_allocator_handle_t allocator) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) return NULL;
  void* memory = omp_aligned_alloc(alignment, all, allocator);
  return memory != NULL ? memset(memory, 0, all) : NULL;
}
void* omp_realloc(void* memory, size_t size, omp_allocator_handle_t allocator,
                  omp_allocator_handle_t free_allocator) {
  if (size != 0) return realloc(memory, size);
  free(memory);
  return NULL;
}

int omp_target_memcpy_rect(void* to, const void* from, size_t element_size, int dimensions,
                           const size_t* volume, const size_t* to_offsets,
                           const size_t* from_offsets, const size_t* to_extents,
                           const size_t* from_extents, int to_device, int from_device) {
  if (to == NULL && from == NULL) return INT_MAX; /* a question: how many dimensions? */
  if (dimensions < 1) return EINVAL;
  size_t to_size = element_size; /* of what one index of the first dimension has */
  size_t from_size = element_size;
  for (int i = 1; i < dimensions; ++i) {
    to_size *= to_extents[i];
    from_size *= from_extents[i];
  }
  char* to_at = (char*)to + to_offsets[0] * to_size;
  const char* from_at = (const char*)from + from_offsets[0] * from_size;
  if (dimensions == 1) return memcpy(to_at, from_at, volume[0] * element_size), 0;
  for (size_t i = 0; i < volume[0]; ++i) {
    omp_target_memcpy_rect(to_at + i * to_size, from_at + i * from_size, element_size,
                           dimensions - 1, volume + 1, to_offsets + 1, from_offsets + 1,
                           to_extents + 1, from_extents + 1, to_device, from_device);
  }
  return 0;
}
