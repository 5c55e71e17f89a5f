// SPDX-License-Identifier: Apache-2.0
// target and its data constructs, on the host.
#include "construct/regions/target.h"

#include <climits>
#include <cstdint>
#include <cstring>
#include <new>

#include "abi/export.h"
#include "abi/gomp/depend.h"
#include "platform/memory.h"
#include "task/create/create.h"
#include "task/depend/dependences.h"
#include "task/wait/depend_wait.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

using Function = void (*)(void*);

// The low byte of a map kind.
constexpr unsigned kFirstprivate = 12;
constexpr unsigned kAttach = 80;

// The flags of a construct.
constexpr unsigned kNowait = 1;

// For a construct whose only duty on the host is to keep the order of its dependences.
void keep_order(unsigned flags, void** depend) {
  if (depend_count(depend) == 0) return;
  const DecodedDepend decoded(depend);
  if ((flags & kNowait) != 0) {
    create_empty_task(self(), decoded.list());
  } else {
    wait_for_dependences(self(), decoded.list());
  }
}

// The items of which a target region has copies. Their alignment, as a power of two, is in the
// upper byte of the kind.
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

  // Enough room for copy_to(), wherever it begins.
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
      // The pointer to the item lies `sizes` bytes behind the given address. It is set to the copy.
      if (i + 1 < count && (kinds[i + 1] & 0xff) == kAttach) {
        auto* pointer = *static_cast<char**>(addresses[i + 1]) + sizes[i + 1];
        memcpy(pointer, &copy, sizeof copy);
        i++;
      }
    }
  }
};

struct TargetCall {
  Function function;
  unsigned thread_limit;
  Firstprivate items;

  size_t addresses_size() const { return items.count * sizeof(void*); }
};

void run_call(void* data) {
  auto* call = static_cast<TargetCall*>(data);
  run_target(call->function, call->items.addresses, call->thread_limit);
}

// Copies into the data of a task: the call, its addresses, its copies.
void copy_call(void* to, void* from) {
  auto* call = new (to) TargetCall(*static_cast<TargetCall*>(from));
  auto** addresses = reinterpret_cast<void**>(call + 1);
  memcpy(addresses, call->items.addresses, call->addresses_size());
  call->items.addresses = addresses;
  call->items.copy_to(reinterpret_cast<char*>(addresses + call->items.count));
}

// A target task that may be deferred (section 13.8), because its dependences may wait for something
// that the encountering thread does next.
void create_target_task(TargetCall& call, void** depend) {
  const DecodedDepend decoded(depend);
  TaskSpec spec;
  spec.function = run_call;
  spec.data = &call;
  spec.copy = copy_call;
  spec.size = sizeof call + call.addresses_size() + call.items.room();
  spec.alignment = alignof(TargetCall);
  if (depend != nullptr) spec.depend = decoded.list();
  create_task(self(), spec);
}

// The clauses of the construct are words. Each has device (7 bits), whether the value is the next
// word (1), identifier (8), value. A zero ends them.
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

BOBBIN_ENTRY void GOMP_target_ext(int device, Function function, size_t count, void** addresses,
                                  size_t* sizes, unsigned short* kinds, unsigned flags,
                                  void** depend, void** arguments) {
  check_device(device);
  TargetCall call{function, thread_limit_of(arguments), {count, addresses, sizes, kinds}};
  if ((flags & kNowait) != 0) return create_target_task(call, depend);
  if (size_t room = call.items.room()) {
    call.items.copy_to(static_cast<char*>(__builtin_alloca(room)));
  }
  keep_order(flags, depend);
  run_call(&call);
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
                                         unsigned flags, void** depend) {
  check_device(device);
  keep_order(flags, depend);
}

BOBBIN_ENTRY void GOMP_target_enter_exit_data(int device, size_t, void**, size_t*, unsigned short*,
                                              unsigned flags, void** depend) {
  check_device(device);
  keep_order(flags, depend);
}

// Registers device code that programs contain.
BOBBIN_ENTRY void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
BOBBIN_ENTRY void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
BOBBIN_ENTRY void GOMP_offload_register(const void*, int, const void*) {}
BOBBIN_ENTRY void GOMP_offload_unregister(const void*, int, const void*) {}

// GCC 14: the address of the device function for a host function.
BOBBIN_ENTRY void* GOMP_target_map_indirect_ptr(void* pointer) { return pointer; }
