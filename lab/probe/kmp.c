// SPDX-License-Identifier: Apache-2.0
//
// The entry points that LLVM's and Intel's compilers call for parallel regions.
#include <alloca.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

#define EXPORT __attribute__((visibility("default")))

typedef void (*Microtask)(int32_t* global, int32_t* local, ...);

enum { kFew = 16, kMost = 1024 };

struct Call {
  Microtask function;
  atomic_uint threads;
  unsigned room;
  void* arguments[];
};

#define FOUR(n) a[n], a[(n) + 1], a[(n) + 2], a[(n) + 3]
#define TIMES4(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define TIMES16(n) TIMES4(n), TIMES4((n) + 16), TIMES4((n) + 32), TIMES4((n) + 48)
#define TIMES64(n) TIMES16(n), TIMES16((n) + 64), TIMES16((n) + 128), TIMES16((n) + 192)
#define TIMES256(n) TIMES64(n), TIMES64((n) + 256), TIMES64((n) + 512), TIMES64((n) + 768)

// More arguments than the function has do no harm, as in runtime/abi/kmp/microtask.cpp.
static void inside(int32_t* global, int32_t* local, struct Call* call) {
  void** a = call->arguments;
  atomic_fetch_add_explicit(&call->threads, 1, memory_order_relaxed);
  if (call->room == kFew) {
    call->function(global, local, TIMES4(0));
  } else {
    call->function(global, local, TIMES256(0));
  }
}

static unsigned room_for(int32_t count) {
  if (count > kMost) {
    fprintf(stderr, "bobbin lab advise: a region with %d shared variables\n", count);
    abort();
  }
  return count <= kFew ? kFew : kMost;
}

static size_t bytes(unsigned room) { return sizeof(struct Call) + room * sizeof(void*); }

static struct Call* make_call(void* place, Microtask function, unsigned room) {
  struct Call* call = memset(place, 0, bytes(room));
  call->function = function;
  call->room = room;
  return call;
}

EXPORT void __kmpc_fork_call(void* where, int32_t count, Microtask function, ...);
void __kmpc_fork_call(void* where, int32_t count, Microtask function, ...) {
  const struct Region region = begin_region(__func__, __builtin_return_address(0));
  const unsigned room = room_for(count);
  struct Call* call = make_call(alloca(bytes(room)), function, room);
  va_list list;
  va_start(list, function);
  for (int32_t i = 0; i < count; i++) call->arguments[i] = va_arg(list, void*);
  va_end(list);
  ((void (*)(void*, int32_t, Microtask, ...))region.entry)(where, 1, (Microtask)inside, call);
  end_region(region, call->threads);
}

// All shared variables are in one block.
EXPORT void __kmpc_fork_call_if(void* where, int32_t count, Microtask function, int32_t condition,
                                void* data);
void __kmpc_fork_call_if(void* where, int32_t count, Microtask function, int32_t condition,
                         void* data) {
  (void)count;
  const struct Region region = begin_region(__func__, __builtin_return_address(0));
  struct Call* call = make_call(alloca(bytes(kFew)), function, kFew);
  call->arguments[0] = data;
  ((void (*)(void*, int32_t, Microtask, int32_t, void*))region.entry)(where, 1, (Microtask)inside,
                                                                      condition, call);
  end_region(region, call->threads);
}

// A false if clause: the caller executes the region itself when this returns.
EXPORT void __kmpc_serialized_parallel(void* where, int32_t thread);
void __kmpc_serialized_parallel(void* where, int32_t thread) {
  const struct Region region = begin_region(__func__, __builtin_return_address(0));
  ((void (*)(void*, int32_t))region.entry)(where, thread);
  end_region(region, 1);
}
