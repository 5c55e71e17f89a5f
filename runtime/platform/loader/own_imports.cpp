// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/own_imports.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "platform/loader/loaded_object.h"
#include "platform/raw_syscall.h"

// A name of the C library that no program can take.
extern "C" unsigned long __getauxval(unsigned long);

namespace bobbin {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// The sanitizers' own functions must see the library's calls.
void bind_own_imports() {}
void bind_imports_of(const link_map&) {}

#else

namespace {

bool is(const char* name, const char* other) { return std::strcmp(name, other) == 0; }

const char* file_name(const link_map& object) {
  const char* slash = std::strrchr(object.l_name, '/');
  return slash != nullptr ? slash + 1 : object.l_name;
}

// Only one thread exists when libraries are initialised, or it holds the loader's lock.
const link_map* loaded_object(const char* file) {
  for (const link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
    if (is(file_name(*object), file)) return object;
  }
  return nullptr;
}

// Null in another namespace (dlmopen), which has a C library of its own that this list lacks.
const link_map* own_object() {
  for (const link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
    if (object->l_ld == _DYNAMIC) return object;
  }
  return nullptr;
}

bool has_sanitizer() {
  for (const link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next) {
    const LoadedObject symbols(object->l_addr, object->l_ld);
    for (const char* name : {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"}) {
      if (symbols.function(name, nullptr) != 0) return true;
    }
  }
  return false;
}

bool is_function_slot(unsigned type) {
#if defined(__x86_64__)
  return type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT || type == R_X86_64_64;
#elif defined(__aarch64__)
  return type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_ABS64;
#endif
}

// Binds the imports of one object.
class Binding {
 public:
  explicit Binding(const link_map& object) : object_(object.l_addr, object.l_ld) {
    const char* last = nullptr;  // a file's versions follow each other
    object_.needed_versions([&](const char* file, unsigned, const char*) {
      if (file != last) accept(file);
      last = file;
    });
    // What Bobbin interposes is meant for Bobbin's other libraries, too.
    accept("libbobbin.so.1");
  }

  void run() {
    bool any = false;
    visit_taken([&](ElfW(Addr)*, const char* name, unsigned) {
      any |= !may_be_taken(name);
      if (is(name, "free")) free_is_taken_ = true;
    });
    if (!any || has_sanitizer() || !protect(PROT_READ | PROT_WRITE)) return;
    visit_taken([&](ElfW(Addr) * slot, const char* name, unsigned version) {
      if (!may_be_taken(name)) bind(*slot, name, version);
    });
    protect(PROT_READ);
  }

 private:
  static constexpr size_t kObjects = 8;  // the C library, the loader, before glibc 2.34 two more

  // Functions in this object are not taken.
  void accept(const char* file) {
    const link_map* object = loaded_object(file);
    if (object == nullptr || objects_ == kObjects) return;
    for (size_t i = 0; i < objects_; i++) {
      if (bases_[i] == object->l_addr) return;
    }
    bases_[objects_++] = object->l_addr;
  }

  // Calls visit(slot, name, version) for each imported function that another object defines.
  template <class Visit>
  void visit_taken(Visit&& visit) const {
    object_.imports([&](const ElfW(Rela) & place, const char* name, unsigned version) {
      if (!is_function_slot(ELF64_R_TYPE(place.r_info)) || place.r_addend != 0) return;
      auto* slot = reinterpret_cast<ElfW(Addr)*>(object_.base() + place.r_offset);
      if (is_taken(*slot)) visit(slot, name, version);
    });
  }

  bool is_taken(ElfW(Addr) function) const {
    if (function == 0) return false;  // a weak import that nobody defines
    for (size_t i = 0; i < objects_; i++) {
      if (LoadedObject::holds(bases_[i], function)) return false;
    }
    return true;
  }

  bool may_be_taken(const char* name) const {
    for (const char* one : {"malloc", "calloc", "realloc", "free", "pthread_create"}) {
      if (is(name, one)) return true;
    }
    return free_is_taken_ && (is(name, "aligned_alloc") || is(name, "posix_memalign"));
  }

  void bind(ElfW(Addr) & slot, const char* name, unsigned version) const {
    object_.needed_versions([&](const char* file, unsigned index, const char* version_name) {
      const link_map* object = index == version ? loaded_object(file) : nullptr;
      if (object == nullptr) return;
      const auto function = LoadedObject(object->l_addr, object->l_ld).function(name, version_name);
      if (function != 0) slot = function;
    });
  }

  // The part that the loader made read-only after it had written the slots.
  bool protect(int access) const {
    const ElfW(Addr) base = object_.base();
    const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(base);
    const auto* segments = reinterpret_cast<const ElfW(Phdr)*>(base + header.e_phoff);
    for (unsigned i = 0; i < header.e_phnum; i++) {
      const ElfW(Phdr)& segment = segments[i];
      if (segment.p_type != PT_GNU_RELRO) continue;
      const ElfW(Addr) page = __getauxval(AT_PAGESZ);
      const ElfW(Addr) begin = (base + segment.p_vaddr) & -page;
      const ElfW(Addr) end = (base + segment.p_vaddr + segment.p_memsz) & -page;
      if (raw_syscall(SYS_mprotect, static_cast<long>(begin), static_cast<long>(end - begin),
                      access) != 0) {
        return false;
      }
    }
    return true;
  }

  LoadedObject object_;
  std::array<ElfW(Addr), kObjects> bases_{};
  size_t objects_ = 0;
  bool free_is_taken_ = false;
};

}  // namespace

[[gnu::constructor(101)]] void bind_own_imports() {
  static bool bound = false;
  if (bound) return;
  bound = true;
  const link_map* own = own_object();
  // A program linked to a fixed address may contain this code, too (the unit tests).
  if (own != nullptr && own->l_addr != 0) Binding(*own).run();
}

void bind_imports_of(const link_map& object) { Binding(object).run(); }

#endif

}  // namespace bobbin
