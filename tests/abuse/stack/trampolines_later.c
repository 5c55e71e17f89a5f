// SPDX-License-Identifier: Apache-2.0
// A library with nested functions that is loaded when stacks already exist.
#include <dlfcn.h>

#include "../common/abuse.h"

// usage: trampolines_later LIBRARY
int main(int argc, char** argv) {
  CHECK(argc == 2);
  for (int i = 0; i < 5; i++) region(8);
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) return kSkip;  // glibc 2.41 and later refuse it
  int (*in_library)(int) = (int (*)(int))dlsym(library, "in_library");
  CHECK(in_library != NULL);
  for (int i = 0; i < 10; i++) CHECK(in_library(8) == 2 * (8 + 2 * 28));
  return 0;
}
