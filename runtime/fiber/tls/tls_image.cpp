// SPDX-License-Identifier: Apache-2.0
#include "fiber/tls/tls_image.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "fiber/context/context.h"
#include "fiber/tls/control_block.h"
#include "fiber/tls/thread_db.h"
#include "platform/loader/loaded_file.h"
#include "platform/loader/loader.h"
#include "platform/locks/spinlock.h"

namespace bobbin {
namespace {

const void* c_library_base;
size_t static_size;
uint32_t offset_in_link_map;  // of l_tls_offset

bool is_c_library(const dl_phdr_info* info) {
  return reinterpret_cast<void*>(info->dlpi_addr) == c_library_base;
}

bool tls_image_of(const dl_phdr_info* info, TlsImage* image) {
  if (info->dlpi_tls_modid == 0) return false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    *image = TlsImage{reinterpret_cast<const void*>(info->dlpi_addr + header.p_vaddr),
                      header.p_filesz, header.p_memsz, 0};
    return true;
  }
  return false;
}

// dl_iterate_phdr visits objects in the order of loading, but an unloaded object leaves no hole. So
// known objects are remembered by module number and address. There are few modules, so a bounded
// table suffices. An image that does not fit into the table is treated as known. Then no variable
// in use loses its value, but existing blocks do not get the image.
struct Known {
  size_t module;
  uintptr_t address;
};
constexpr size_t kKnown = 1024;
SpinLock lock;        // taken while the loader's lock is held, see look_through()
Known known[kKnown];  // guarded by lock
size_t known_count;   // guarded by lock
bool stock_taken;     // guarded by lock

// Calls visit(const dl_phdr_info&) for each object, then finish(), all under `lock`.
template <class Visit, class Finish>
void look_through(Visit&& visit, Finish&& finish) {
  struct Pass {
    Visit& visit;
    bool begun = false;
  };
  Pass pass{visit};
  AskingLoader asking;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& self = *static_cast<Pass*>(data);
        if (!self.begun) lock.lock();
        self.begun = true;
        self.visit(*info);
        return 0;
      },
      &pass);
  // At least one object, the program, has been visited, so `lock` is held.
  finish();
  lock.unlock();
}

bool already_known(size_t module, uintptr_t address) {
  for (size_t i = 0; i < known_count; i++) {
    if (known[i].module == module) {
      bool same = known[i].address == address;
      known[i].address = address;
      return same;
    }
  }
  if (known_count == kKnown) return true;
  known[known_count++] = Known{module, address};
  return false;
}

link_map* map_of(const dl_phdr_info* info) {
  ElfW(Addr) dynamic = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_DYNAMIC) dynamic = info->dlpi_addr + header.p_vaddr;
  }
  link_map* map = _r_debug.r_map;
  while (map != nullptr && reinterpret_cast<ElfW(Addr)>(map->l_ld) != dynamic) map = map->l_next;
  return map;
}

// The offset from the thread pointer to the object's variables; 0: they are not in the static area.
// Also objects that do not need a place in the static area may have one: the loader gives them a
// place as long as there is room, because TLS descriptors are faster then.
ptrdiff_t static_offset(const link_map* map) {
  constexpr auto kForcedDynamic = static_cast<size_t>(-1);
  if (map == nullptr) return 0;
  const auto* place = reinterpret_cast<const char*>(map) + offset_in_link_map;
  const size_t offset = *reinterpret_cast<const size_t*>(place);
  return offset == kForcedDynamic ? 0 : from_thread_pointer(offset);
}

// Was the object built to need a place in the static area? If it has none, another thread is just
// loading it: the loader lists an object before it relocates it, and gives it a place when it
// relocates it.
bool needs_static_place(const link_map* map) {
  if (map == nullptr) return false;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_FLAGS) return (entry->d_un.d_val & DF_STATIC_TLS) != 0;
  }
  return false;
}

// Finds an image in the static area that was not there before.
bool find_new_image(const dl_phdr_info& info, TlsImage* image, bool* places_to_come) {
  if (!tls_image_of(&info, image)) return false;
  const link_map* map = map_of(&info);
  image->offset = static_offset(map);
  if (image->offset == 0) {
    if (needs_static_place(map)) *places_to_come = true;
    return false;
  }
  return !already_known(info.dlpi_tls_modid, info.dlpi_addr) && stock_taken;
}

// The address of the object's variables in the block outside the static area; nullptr: there are
// none yet. The loader answers for the thread whose pointer is current. The block's vector is not
// used: until its thread asks for a variable again, the vector may still hold the variables of an
// unloaded library whose module number this object has now. dl_iterate_phdr's answer is not used
// either: under the block's pointer the calling thread would wait for itself if it already holds
// the loader's lock.
void* dynamic_variables(link_map* map, ThreadPointer block) {
  if (map == nullptr) return nullptr;
  void* where = nullptr;
  ThreadPointer mine = current_thread_pointer();
  set_thread_pointer(block);
  if (dlinfo(map, RTLD_DI_TLS_DATA, &where) != 0) where = nullptr;
  set_thread_pointer(mine);
  return where;
}

int reset_one(dl_phdr_info* info, size_t, void* block) {
  TlsImage image;
  if (is_c_library(info) || !tls_image_of(info, &image)) return 0;
  link_map* map = map_of(info);
  image.offset = static_offset(map);
  void* where =
      image.offset != 0 ? static_cast<char*>(block) + image.offset : dynamic_variables(map, block);
  if (where != nullptr) image.initialise(where);
  return 0;
}

int count_one(dl_phdr_info* info, size_t, void* data) {
  *static_cast<unsigned long long*>(data) = info->dlpi_adds;
  return 1;
}

}  // namespace

void init_tls_images() {
  c_library_base = base_of_file_defining("__call_tls_dtors");
  void (*info)(size_t*, size_t*);
  info = reinterpret_cast<decltype(info)>(dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info"));
  size_t align = 0;
  if (info != nullptr) info(&static_size, &align);
}

bool static_tls_described() {
  offset_in_link_map = thread_db_offset("_thread_db_link_map_l_tls_offset", sizeof(size_t));
  return offset_in_link_map != 0;
}

size_t static_tls_size() { return static_size; }

void TlsImage::initialise(void* where) const {
  memcpy(where, initialised, file_size);
  memset(static_cast<char*>(where) + file_size, 0, memory_size - file_size);
}

unsigned long long count_loaded_images() {
  unsigned long long adds = 0;
  AskingLoader asking;
  dl_iterate_phdr(count_one, &adds);
  return adds;
}

bool for_new_static_images(void (*visit)(const TlsImage& image)) {
  bool places_to_come = false;
  look_through(
      [&](const dl_phdr_info& info) {
        TlsImage image;
        if (find_new_image(info, &image, &places_to_come)) visit(image);
      },
      [] { stock_taken = true; });
  return !places_to_come;
}

void forget_unloaded_images() {
  bool present[kKnown] = {};
  look_through(
      [&](const dl_phdr_info& info) {
        for (size_t i = 0; i < known_count; i++) {
          const bool same =
              known[i].module == info.dlpi_tls_modid && known[i].address == info.dlpi_addr;
          if (same) present[i] = true;
        }
      },
      [&] {
        size_t kept = 0;
        for (size_t i = 0; i < known_count; i++) {
          if (present[i]) known[kept++] = known[i];
        }
        known_count = kept;
      });
}

void reset_tls_images(ThreadPointer block) {
  AskingLoader asking;
  dl_iterate_phdr(reset_one, block);
}

}  // namespace bobbin
