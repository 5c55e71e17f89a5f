// SPDX-License-Identifier: Apache-2.0
// A program with its own hwloc, linked statically and exported, as an old version might be. The
// runtime uses hwloc where threads are bound, and must not call the program's copy.
#include "../common/abuse.h"

#define FOREIGN(name)                                           \
  void* name(void);                                             \
  void* name(void) {                                            \
    dprintf(2, "the runtime called the program's " #name "\n"); \
    abort();                                                    \
  }

FOREIGN(hwloc_topology_init)
FOREIGN(hwloc_topology_load)
FOREIGN(hwloc_topology_destroy)
FOREIGN(hwloc_get_type_depth)
FOREIGN(hwloc_get_obj_by_depth)
FOREIGN(hwloc_alloc_setup_object)
FOREIGN(hwloc_bitmap_alloc)
FOREIGN(hwloc_bitmap_alloc_full)
FOREIGN(hwloc_bitmap_dup)
FOREIGN(hwloc_bitmap_first)
FOREIGN(hwloc_bitmap_free)
FOREIGN(hwloc_bitmap_set)
FOREIGN(hwloc_bitmap_zero)

static int is_mapped(const char* library) {
  char line[1024];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
    found |= strstr(line, library) != NULL;
  if (maps != NULL) fclose(maps);
  return found;
}

static void child(void) {
  all_regions();
  CHECK(omp_get_num_places() >= 1);
}

static void bound(void) {
  static const char* const places[] = {"threads", "cores", "sockets", "ll_caches"};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    char text[64];
    snprintf(text, sizeof text, "OMP_PLACES=%s", places[i]);
    const char* env[] = {"OMP_PROC_BIND=close", "BOBBIN_PROVIDER=auto", text, NULL};
    char* argv[] = {(char*)"child", NULL};
    struct outcome out;
    run_self(argv, env, NULL, &out);
    if (out.status != 0 || out.err[0] != '\0') dprintf(2, "%s: %s", text, out.err);
    CHECK(out.status == 0 && out.err[0] == '\0');
  }
}

// Threads that are not bound need no topology, so hwloc is not loaded at all.
static void not_needed(void) {
  all_regions();
  nested_region(4, 33);
  CHECK(!is_mapped("libhwloc"));
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"bound", bound},
      {"not-needed", not_needed},
      {"child", child},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
