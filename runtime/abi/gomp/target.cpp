// SPDX-License-Identifier: Apache-2.0
// target and its data constructs, on the host.
#include "construct/target.h"

#include <climits>
#include <cstdint>
#include <cstring>

#include "abi/export.h"
#include "abi/gomp/depend.h"
#include "platform/memory.h"
#include "task/depend.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

using Function = void (*)(void*);

// Low byte of a map kind.
constexpr unsigned kFirstprivate = 12;
constexpr unsigned kAttach = 80;

void wait_for(void** depend) {
  if (depend_count(depend) == 0) return;
  const DecodedDepend decoded(depend);
  wait_for_dependences(self(), decoded.list());
}

// The items that a target region has copies of; alignment: the upper byte of the kind, as a power
// of two.
struct Firstprivate {
  size_t count;
  void** addresses;
  size_t* sizes;
  unsigned short* kinds;

  bool is_one(size_t i) const {
    return (kinds[i] & 0xff) == kFirstprivate && addresses[i] != nullptr;
  }
  static uintptr_t aligned(uintptr_t at, unsigned kind) {
    return round_up(at, uintptr_t{1} << (kind >> 8));
  }

  // Enough for copy_to(), wherever it is.
  size_t room() const {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
      if (is_one(i)) bytes += sizes[i] + (size_t{1} << (kinds[i] >> 8)) - 1;
    }
    return bytes;
  }

  void copy_to(char* place) {
    auto at = reinterpret_cast<uintptr_t>(place);
    for (size_t i = 0; i < count; i++) {
      if (!is_one(i)) continue;
      at = aligned(at, kinds[i]);
      void* copy = reinterpret_cast<void*>(at);
      memcpy(copy, addresses[i], sizes[i]);
      at += sizes[i];
      addresses[i] = copy;
      // A pointer to the item, `sizes` bytes from the address given.
      if (i + 1 < count && (kinds[i + 1] & 0xff) == kAttach) {
        auto* pointer = *static_cast<char**>(addresses[i + 1]) + sizes[i + 1];
        memcpy(pointer, &copy, sizeof copy);
        i++;
      }
    }
  }
};

// The clauses of the construct: words, each with device (7 bits), whether the value is the next
// word (1), identifier (8), value; a zero ends them.
unsigned thread_limit_of(void** arguments) {
  constexpr uintptr_t kDevice = 0x7f;
  constexpr uintptr_t kInNextWord = 0x80;
  constexpr uintptr_t kIdentifier = 0xff00;
  constexpr uintptr_t kThreadLimit = 0x200;
  if (arguments == nullptr) return 0;
  while (*arguments != nullptr) {
    auto word = reinterpret_cast<uintptr_t>(*arguments++);
    auto value = static_cast<intptr_t>(word) >> 16;
    if ((word & kInNextWord) != 0) value = reinterpret_cast<intptr_t>(*arguments++);
    if ((word & kDevice) != 0 || (word & kIdentifier) != kThreadLimit) continue;
    if (value <= 0) return 0;
    return value < INT_MAX ? static_cast<unsigned>(value) : INT_MAX;
  }
  return 0;
}

}  // namespace

BOBBIN_ENTRY void GOMP_target(int device, Function function, const void*, size_t, void** addresses,
                              size_t*, unsigned char*) {
  check_device(device);
  run_target(function, addresses, 0);
}

// nowait allows to run the region at once.
BOBBIN_ENTRY void GOMP_target_ext(int device, Function function, size_t count, void** addresses,
                                  size_t* sizes, unsigned short* kinds, unsigned, void** depend,
                                  void** arguments) {
  check_device(device);
  Firstprivate items{count, addresses, sizes, kinds};
  if (size_t room = items.room()) items.copy_to(static_cast<char*>(__builtin_alloca(room)));
  wait_for(depend);
  run_target(function, addresses, thread_limit_of(arguments));
}

BOBBIN_ENTRY void GOMP_target_data(int device, const void*, size_t, void**, size_t*,
                                   unsigned char*) {
  check_device(device);
}

BOBBIN_ENTRY void GOMP_target_data_ext(int device, size_t, void**, size_t*, unsigned short*) {
  check_device(device);
}

BOBBIN_ENTRY void GOMP_target_end_data() {}

BOBBIN_ENTRY void GOMP_target_update(int device, const void*, size_t, void**, size_t*,
                                     unsigned char*) {
  check_device(device);
}

BOBBIN_ENTRY void GOMP_target_update_ext(int device, size_t, void**, size_t*, unsigned short*,
                                         unsigned, void** depend) {
  check_device(device);
  wait_for(depend);
}

BOBBIN_ENTRY void GOMP_target_enter_exit_data(int device, size_t, void**, size_t*, unsigned short*,
                                              unsigned, void** depend) {
  check_device(device);
  wait_for(depend);
}

// Device code that programs bring along.
BOBBIN_ENTRY void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
BOBBIN_ENTRY void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
BOBBIN_ENTRY void GOMP_offload_register(const void*, int, const void*) {}
BOBBIN_ENTRY void GOMP_offload_unregister(const void*, int, const void*) {}

// GCC 14: the address of a device function for a host function.
BOBBIN_ENTRY void* GOMP_target_map_indirect_ptr(void* pointer) { return pointer; }
