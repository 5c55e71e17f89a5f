// SPDX-License-Identifier: Apache-2.0
#include "construct/memory/threadprivate.h"

#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <cstring>

#include "platform/diagnostics.h"
#include "platform/hash.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "sched/workers/worker.h"

// From the C library: calls function(argument) when the calling thread ends.
extern "C" int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* library);
extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;

namespace bobbin {
namespace {

// The program sees the slots. Code of Intel's classic compilers reads the slot at its number from
// __kmpc_global_thread_num() and does not check how many slots there are. So the first table
// already has more slots than threads are likely to live at a time. Pages that are never written
// cost nothing.
constexpr size_t kFewestSlots = size_t{1} << 14;

struct Table {
  size_t capacity;
  size_t copy_size;
  Table* older;

  Atomic<void*>* slots() { return reinterpret_cast<Atomic<void*>*>(this + 1); }
  static Table* of(void** slots) { return reinterpret_cast<Table*>(slots) - 1; }
};

struct Variable {
  void* original;
  size_t size = 0;
  ThreadprivateMaker maker;
  void* initial_value = nullptr;  // a copy of the original's value; null: not used yet
  bool original_used = false;
  Table* table = nullptr;
  Variable* next = nullptr;
};

// The work that remains when a thread ends.
struct Copy {
  Variable* variable;
  uint32_t slot;
  void* memory;
};

constexpr unsigned kBucketBits = 8;

SpinLock lock;
Variable* variables[1u << kBucketBits];  // guarded by lock

[[noreturn]] void out_of_memory() { fatal("out of memory for a threadprivate variable"); }

Variable& find_variable(void* original) {
  Variable*& first = variables[fibonacci_hash(original, kBucketBits)];
  for (Variable* variable = first; variable != nullptr; variable = variable->next) {
    if (variable->original == original) return *variable;
  }
  auto* made = make<Variable>();
  if (made == nullptr) out_of_memory();
  made->original = original;
  made->next = first;
  first = made;
  return *made;
}

Table& table_with(Variable& variable, uint32_t slot) {
  Table* old = variable.table;
  if (old != nullptr && slot < old->capacity) return *old;
  size_t capacity = std::bit_ceil(slot + size_t{1});
  if (capacity < kFewestSlots) capacity = kFewestSlots;
  auto* table = static_cast<Table*>(calloc(1, sizeof(Table) + capacity * sizeof(void*)));
  if (table == nullptr) out_of_memory();
  table->capacity = capacity;
  table->copy_size = variable.size;
  table->older = old;
  if (old != nullptr) memcpy(table + 1, old + 1, old->capacity * sizeof(void*));
  variable.table = table;
  return *table;
}

void end_copy(void* argument) {
  auto* copy = static_cast<Copy*>(argument);
  const Variable& variable = *copy->variable;
  bool own = copy->memory != variable.original;
  if (own && variable.maker.destroy_array != nullptr) {
    variable.maker.destroy_array(copy->memory, variable.maker.length);
  } else if (own && variable.maker.destroy != nullptr) {
    variable.maker.destroy(copy->memory);
  }
  {
    SpinGuard guard(lock);
    for (Table* table = variable.table; table != nullptr; table = table->older) {
      if (copy->slot < table->capacity) table->slots()[copy->slot].store(nullptr, relaxed);
    }
  }
  if (own) free(copy->memory);
  free(copy);
}

void* make_copy(const Variable& variable) {
  void* memory = allocate_lines(variable.size != 0 ? variable.size : 1);
  if (memory == nullptr) out_of_memory();
  const ThreadprivateMaker& maker = variable.maker;
  if (maker.construct_array != nullptr) {
    maker.construct_array(memory, maker.length);
  } else if (maker.construct != nullptr) {
    maker.construct(memory);
  } else if (maker.copy != nullptr) {
    maker.copy(memory, variable.initial_value);
  } else {
    memcpy(memory, variable.initial_value, variable.size);
  }
  return memory;
}

void end_with_thread(Variable& variable, uint32_t slot, void* memory) {
  auto* copy = make<Copy>();
  if (copy == nullptr) out_of_memory();
  *copy = {&variable, slot, memory};
  __cxa_thread_atexit_impl(end_copy, copy, &__dso_handle);
}

// Adds the thread's copy; the thread has none yet.
void* add_copy(Thread& thread, Variable& variable, bool use_original) {
  const uint32_t slot = thread_index(thread);
  void* memory = use_original ? variable.original : make_copy(variable);
  // The main thread, whichever kernel thread runs it now, may still need the original after this,
  // in other functions that exit() calls. Only roots get originals.
  if (!use_original || thread.home->kernel_thread != getpid()) {
    end_with_thread(variable, slot, memory);
  }
  SpinGuard guard(lock);
  table_with(variable, slot).slots()[slot].store(memory, release);
  return memory;
}

// A Fortran common block may be declared shorter in one file than in another.
void check_size(const Variable& variable, size_t size, const void* copy) {
  if (copy == variable.original || size <= variable.size) return;
  fatal("a threadprivate variable of %zu bytes had only %zu where it was used first", size,
        variable.size);
}

// Called under the lock.
bool begin_use(Thread& thread, Variable& variable, size_t size) {
  if (variable.initial_value == nullptr) {
    variable.size = size;
    variable.initial_value = malloc(size != 0 ? size : 1);
    if (variable.initial_value == nullptr) out_of_memory();
    memcpy(variable.initial_value, variable.original, size);
  }
  if (variable.original_used || !is_root(thread)) return false;
  return variable.original_used = true;
}

}  // namespace

void register_threadprivate(void* original, const ThreadprivateMaker& maker) {
  SpinGuard guard(lock);
  find_variable(original).maker = maker;
}

void* threadprivate(Thread& thread, void* original, size_t size, void*** table) {
  const uint32_t slot = thread_index(thread);
  auto* known = reinterpret_cast<Atomic<void**>*>(table);
  if (known != nullptr) {
    if (void** slots = known->load(acquire)) {
      Table* found = Table::of(slots);
      void* copy = slot < found->capacity ? found->slots()[slot].load(relaxed) : nullptr;
      if (copy != nullptr && size <= found->copy_size) return copy;
    }
  }
  Variable* variable;
  void* copy = nullptr;
  bool use_original = false;
  {
    SpinGuard guard(lock);
    variable = &find_variable(original);
    if (variable->table != nullptr && slot < variable->table->capacity) {
      copy = variable->table->slots()[slot].load(relaxed);
    }
    if (copy == nullptr) use_original = begin_use(thread, *variable, size);
  }
  check_size(*variable, size, use_original ? original : copy);
  if (copy == nullptr) copy = add_copy(thread, *variable, use_original);
  if (known != nullptr) {
    SpinGuard guard(lock);
    known->store(reinterpret_cast<void**>(variable->table->slots()), release);
  }
  return copy;
}

void init_threadprivate() { add_fork_lock(held_across_fork<lock>); }

}  // namespace bobbin
