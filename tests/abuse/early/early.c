// SPDX-License-Identifier: Apache-2.0
// Code that runs before main: a function that runs before any library is initialised, as sanitizers
// have one, and the program's own allocator, which asks for a key of thread-specific data at its
// first use, as jemalloc does. Both call functions that the runtime interposes.
#include <stddef.h>

#include "../common/abuse.h"

static pthread_key_t g_early_key, g_allocator_key;
static int g_early_result = -1;

// This memory is never freed. The size lies before each block, for realloc.
static void* take(size_t bytes, size_t alignment) {
  static char memory[64 << 20];
  static size_t used;
  static int initialised;
  if (!initialised) {
    initialised = 1;
    pthread_key_create(&g_allocator_key, NULL);
  }
  if (alignment < 16) alignment = 16;
  const size_t whole = bytes + alignment + 16;
  const size_t from = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);
  if (from + whole > sizeof memory) return NULL;
  uintptr_t at = (uintptr_t)memory + from + 16;
  at = (at + alignment - 1) / alignment * alignment;
  memcpy((char*)at - sizeof bytes, &bytes, sizeof bytes);
  return (void*)at;
}

void* malloc(size_t bytes) { return take(bytes, 16); }
void free(void* block) { (void)block; }
void* calloc(size_t count, size_t size) { return take(count * size, 16); }
void* memalign(size_t alignment, size_t bytes) { return take(bytes, alignment); }
void* aligned_alloc(size_t alignment, size_t bytes) { return take(bytes, alignment); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  *out = take(bytes, alignment);
  return *out != NULL ? 0 : ENOMEM;
}
void* realloc(void* block, size_t bytes) {
  size_t before = 0;
  void* grown = take(bytes, 16);
  if (block == NULL || grown == NULL) return grown;
  memcpy(&before, (char*)block - sizeof before, sizeof before);
  return memcpy(grown, block, before < bytes ? before : bytes);
}

static void before_all(void) { g_early_result = pthread_key_create(&g_early_key, NULL); }
__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = before_all;

static void environment(void) {
  int team = 0;
  CHECK(g_early_result == 0);
  CHECK(getenv("PATH") != NULL);
  all_regions();
#pragma omp parallel
#pragma omp single
  team = omp_get_num_threads();
  CHECK(team == 5);
}

static void with_five_threads(void) {
  char* argv[] = {(char*)"environment", NULL};
  const char* env[] = {"OMP_NUM_THREADS=5", "PATH=/bin", NULL};
  struct outcome out;
  run_self(argv, env, NULL, &out);
  if (out.status != 0) dprintf(2, "%s\n", out.err);
  CHECK(out.status == 0 && out.err[0] == '\0');
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"allocator-and-preinit", with_five_threads},
      {"environment", environment},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
