// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>

namespace bobbin::mpi {
namespace {

#ifdef OPEN_MPI
constexpr bool kIsOpenMpi = true;
constexpr const char* kFamily = "Open MPI";
#else
constexpr bool kIsOpenMpi = false;
constexpr const char* kFamily = "MPICH";
#endif

constexpr const char* kOneOfAll = "PMPI_Init";

const Dl_info& file_of(const void* address, Dl_info& file) {
  if (dladdr(address, &file) == 0) file = {};
  return file;
}

bool is_in_layer(const void* address) {
  Dl_info own;
  Dl_info other;
  return file_of(address, other).dli_fbase == file_of(kOneOfAll, own).dli_fbase;
}

// A library of MPI's standard ABI, which some installations have beside the MPI library, has other
// types.
bool has_standard_abi(const void* function) {
  Dl_info file;
  const char* path = file_of(function, file).dli_fname;
  return path != nullptr && strstr(path, "libmpi_abi.") != nullptr;
}

// Is there an MPI library behind the handle that the layer was built for?
bool has_library(void* handle) {
  const void* function = dlsym(handle, kOneOfAll);
  return function != nullptr && !is_in_layer(function) && !has_standard_abi(function) &&
         (dlsym(handle, "ompi_mpi_comm_world") != nullptr) == kIsOpenMpi;
}

// A loaded file: the one after so many others.
struct Search {
  unsigned left;
  char path[PATH_MAX];
};

int take_path(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (search.left-- != 0) return 0;
  snprintf(search.path, sizeof search.path, "%s", info->dlpi_name);
  return 1;
}

// A library that a module of an interpreter has brought is in no scope but the module's. The loader
// is not asked for a handle while it lists its files, because it holds a lock then.
void* find_among_loaded_files() {
  Search search;
  for (unsigned number = 0; search.left = number, dl_iterate_phdr(take_path, &search) != 0;
       number++) {
    if (search.path[0] == '\0') continue;
    void* handle = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (has_library(handle)) return handle;
    dlclose(handle);
  }
  return nullptr;
}

pthread_once_t looked = PTHREAD_ONCE_INIT;
void* library = nullptr;

void look() { library = has_library(RTLD_NEXT) ? RTLD_NEXT : find_among_loaded_files(); }

}  // namespace

void* function_of_library(const char* name) {
  pthread_once(&looked, look);
  if (library == nullptr) {
    fprintf(stderr,
            "Bobbin: the program calls MPI, and %s is not loaded, for which this layer is: choose "
            "the layer of the program's library, by bobbin run --mpi=openmpi or --mpi=mpich, or "
            "run without --mpi\n",
            kFamily);
    _exit(1);
  }
  void* found = dlsym(library, name);
  if (found == nullptr) {
    fprintf(stderr, "Bobbin: this %s has no %s, which the layer for MPI needs: run without --mpi\n",
            kFamily, name);
    _exit(1);
  }
  return found;
}

void* object_of_library(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  return found != nullptr ? found : function_of_library(name);
}

}  // namespace bobbin::mpi
