/* SPDX-License-Identifier: Apache-2.0 */
/* A program that has, in another file, functions of its own with the names that Bobbin's libraries
   import from the C library. That file defines `own_functions`, where they lie, and ends the
   process when one is called. This one prints how many slots of the loaded libraries point to them.
   It calls no function of these names itself. */
#include <link.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

extern const char __start_own_functions[], __stop_own_functions[];

static int slots_in(const struct link_map* object, ElfW(Sxword) table_tag, ElfW(Sxword) size_tag) {
  const ElfW(Rela)* table = NULL;
  size_t bytes = 0;
  for (const ElfW(Dyn)* entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == table_tag) table = (const ElfW(Rela)*)entry->d_un.d_ptr;
    if (entry->d_tag == size_tag) bytes = entry->d_un.d_val;
  }
  int found = 0;
  for (size_t i = 0; i < bytes / sizeof *table; i++) {
    if (ELF64_R_SYM(table[i].r_info) == 0) continue;
    const char* target = *(const char**)(object->l_addr + table[i].r_offset);
    found += target >= __start_own_functions && target < __stop_own_functions;
  }
  return found;
}

static void work(void) {
  double sum = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  int chain = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) sum += i;
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : chain)
      chain++;
    }
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp critical
    sum += 1;
  }
  void* memory = omp_alloc(1000, omp_default_mem_alloc);
  omp_free(memory, omp_default_mem_alloc);
  omp_destroy_lock(&lock);
  printf("sum %g chain %d\n", sum, chain);
}

int main(void) {
  work();
  int libraries = 0;
  int taken = 0;
  for (const struct link_map* object = _r_debug.r_map; object != NULL; object = object->l_next) {
    if (strstr(object->l_name, "/libbobbin") == NULL && strstr(object->l_name, "/libhwloc") == NULL)
      continue;
    libraries++;
    taken += slots_in(object, DT_RELA, DT_RELASZ) + slots_in(object, DT_JMPREL, DT_PLTRELSZ);
  }
  printf("%d libraries, %d slots taken\n", libraries, taken);
  return taken != 0;
}
