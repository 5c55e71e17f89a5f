// SPDX-License-Identifier: Apache-2.0
#include "record.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kMostThreads = 1024 };

// The record of one process, read by bobbin_lab/advice/look.py. A forked child writes into its
// parent's.
struct Record {
  // Outermost regions by their number of threads. The last element counts all larger regions, too.
  _Atomic uint64_t regions[kMostThreads + 1];
  // Another library precedes this one and takes the calls.
  uint64_t hidden;
  char library[1024];      // the runtime's file
  char num_threads[1024];  // OMP_NUM_THREADS
};

static struct Record* record;

static void create_record(void) {
  static struct Record lost;  // for records that cannot be written; it is never read
  record = &lost;
  const char* folder = getenv("BOBBIN_LAB_REGIONS");
  if (folder == NULL) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  // A process that calls exec keeps its process id.
  char path[4096];
  snprintf(path, sizeof path, "%s/%d.%lld%09ld", folder, (int)getpid(), (long long)now.tv_sec,
           now.tv_nsec);
  const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (ftruncate(file, sizeof lost) == 0) {
    void* shared = mmap(NULL, sizeof lost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) record = shared;
  }
  close(file);
  const char* threads = getenv("OMP_NUM_THREADS");
  if (threads != NULL) strncpy(record->num_threads, threads, sizeof record->num_threads - 1);
}

static struct Record* own_record(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_record);
  return record;
}

static void note_library(const void* address) {
  Dl_info file;
  if (own_record()->library[0] != '\0' || dladdr(address, &file) == 0) return;
  strncpy(own_record()->library, file.dli_fname, sizeof own_record()->library - 1);
}

// Wheels rename the libraries that they bundle: libgomp-a34b3233.so.1.0.0.
static bool is_runtime(const char* path) {
  static const char* const kNames[] = {"libbobbin", "libgomp", "libiomp5", "libomp"};
  const char* slash = strrchr(path, '/');
  const char* name = slash != NULL ? slash + 1 : path;
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; i++) {
    const size_t length = strlen(kNames[i]);
    if (strncmp(name, kNames[i], length) == 0 && strchr(".-", name[length]) != NULL) return true;
  }
  return false;
}

struct Search {
  const char* name;
  void* found;
};

static void* function_of_file(const char* path, const char* name) {
  void* handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  void* found = dlsym(handle, name);
  dlclose(handle);
  return found;
}

static int look_into(struct dl_phdr_info* file, size_t size, void* data) {
  (void)size;
  struct Search* search = data;
  if (is_runtime(file->dlpi_name)) search->found = function_of_file(file->dlpi_name, search->name);
  return search->found != NULL;
}

static void* function_of_any_runtime(const char* name) {
  struct Search search = {name, NULL};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

static void* find(const char* name, const void* caller) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found != NULL) return found;
  // A runtime that was loaded by dlopen serves the libraries for which it was loaded, because their
  // neighbours do not see it. Where it serves all of them, any way to find it will do.
  Dl_info file;
  if (dladdr(caller, &file) != 0) found = function_of_file(file.dli_fname, name);
  return found != NULL ? found : function_of_any_runtime(name);
}

void* real_function(const char* name, const void* caller) {
  void* found = find(name, caller);
  if (found == NULL) {
    fprintf(stderr, "bobbin lab advise: no OpenMP runtime that is loaded has %s\n", name);
    abort();
  }
  return found;
}

static bool are_in_one_file(const void* one, const void* other) {
  Dl_info first;
  Dl_info second;
  return dladdr(one, &first) != 0 && dladdr(other, &second) != 0 &&
         first.dli_fbase == second.dli_fbase;
}

struct Region begin_region(const char* name, const void* caller) {
  int (*in_parallel)(void) = (int (*)(void))real_function("omp_in_parallel", caller);
  void* entry = real_function(name, caller);
  // libomp serves GCC's entry points through its own.
  return (struct Region){entry, !in_parallel() && !are_in_one_file(entry, caller)};
}

void end_region(struct Region region, unsigned threads) {
  if (!region.outermost) return;
  note_library(region.entry);
  const unsigned place = threads < kMostThreads ? threads : kMostThreads;
  atomic_fetch_add_explicit(&own_record()->regions[place], 1, memory_order_relaxed);
}

unsigned team_size(const void* caller) {
  return (unsigned)((int (*)(void))real_function("omp_get_num_threads", caller))();
}

// Distinguishes a process that has a runtime but opened no region from one without a runtime.
__attribute__((destructor)) static void note_what_was_loaded(void) {
  void* entry = function_of_any_runtime("GOMP_parallel");
  if (entry == NULL) entry = function_of_any_runtime("__kmpc_fork_call");
  if (entry == NULL) return;
  note_library(entry);
  own_record()->hidden = !are_in_one_file(dlsym(RTLD_DEFAULT, "GOMP_parallel"), &record);
}
