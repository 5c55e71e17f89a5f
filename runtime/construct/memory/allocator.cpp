// SPDX-License-Identifier: Apache-2.0
#include "construct/memory/allocator.h"

#include <bit>
#include <cstdlib>
#include <cstring>

#include "construct/memory/pinned_memory.h"
#include "env/environment.h"
#include "platform/atomic.h"
#include "platform/diagnostics.h"
#include "platform/memory.h"

namespace bobbin {
namespace {

constexpr std::size_t kUnlimited = ~std::size_t{0};

struct Allocator {
  std::size_t alignment = 1;
  std::size_t pool_size = kUnlimited;
  AllocValue fallback = AllocValue::DefaultMemFb;
  AllocatorHandle fallback_allocator = kNullAllocator;
  bool pinned = false;
  // Bytes of a limited pool that the program holds. Written by every thread that allocates.
  Atomic<std::size_t> used{0};

  bool limited() const { return pool_size != kUnlimited; }

  bool reserve(std::size_t size) {
    if (!limited()) return true;
    std::size_t before = used.load(relaxed);
    do {
      if (size > pool_size || before > pool_size - size) return false;
    } while (!used.compare_exchange_weak(before, before + size, relaxed, relaxed));
    return true;
  }
  // Changes `from` reserved bytes to `to`.
  bool resize(std::size_t from, std::size_t to) {
    if (to > from) return reserve(to - from);
    release_bytes(from - to);
    return true;
  }
  // This always succeeds: if others have reserved bytes meanwhile, the pool is overdrawn until they
  // give some back.
  void undo_resize(std::size_t from, std::size_t to) { used.fetch_add(from - to, relaxed); }
  void release_bytes(std::size_t size) {
    if (limited()) used.fetch_sub(size, relaxed);
  }
};

// Lies directly before every block that is handed out.
struct BlockHeader {
  void* base;            // start of the heap block or pinned block that contains it
  std::size_t size;      // the size that the program asked for
  Allocator* allocator;  // null: an allocator without traits
  std::size_t pinned;    // bytes of the pinned block; 0: from the heap
};
constexpr std::size_t kHeader = sizeof(BlockHeader);
constexpr std::size_t kHeapAlignment = alignof(std::max_align_t);
static_assert(kHeader % kHeapAlignment == 0);

enum class Fill { None, Zero };

constexpr AllocatorHandle kLowestPointer = 4096;

// After this many fallbacks the allocators form a circle, and memory has run out.
constexpr int kMostFallbacks = 64;

// The allocator that OMP_ALLOCATOR describes. It lives as long as the process.
constinit Allocator environment_allocator;

// ompx_gnu_pinned_mem_alloc of GCC 15 and later.
constinit Allocator pinned_allocator{.fallback = AllocValue::NullFb, .pinned = true};

// Null for the other predefined allocators, whose traits do not matter here, and for handles of
// other runtimes' extensions.
Allocator* find_allocator(AllocatorHandle handle) {
  if (handle == kEnvironmentAllocator) return &environment_allocator;
  if (handle == kPinnedMemAlloc) return &pinned_allocator;
  return handle < kLowestPointer ? nullptr : reinterpret_cast<Allocator*>(handle);
}

BlockHeader& header_of(void* memory) { return static_cast<BlockHeader*>(memory)[-1]; }

void* place_block(void* base, std::size_t alignment, std::size_t size, std::size_t pinned,
                  Allocator* allocator) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(base) + kHeader;
  if (alignment > kHeapAlignment) address = round_up(address, alignment);
  void* memory = reinterpret_cast<void*>(address);
  header_of(memory) = {base, size, allocator, pinned};
  return memory;
}

void* take(std::size_t alignment, std::size_t size, Fill fill, Allocator* allocator) {
  std::size_t total;
  const std::size_t slack = alignment > kHeapAlignment ? alignment : 0;
  if (__builtin_add_overflow(size, kHeader, &total) ||
      __builtin_add_overflow(total, slack, &total) || total > PTRDIFF_MAX) {
    return nullptr;
  }
  if (allocator != nullptr && allocator->pinned) {
    const PinnedBlock block = take_pinned(total);  // zeroed
    if (block.base == nullptr) return nullptr;
    return place_block(block.base, alignment, size, block.length, allocator);
  }
  void* base = fill == Fill::Zero ? std::calloc(1, total) : std::malloc(total);
  return base == nullptr ? nullptr : place_block(base, alignment, size, 0, allocator);
}

// `alignment` is the request's. Each allocator that is tried adds its own.
void* allocate_or_fall_back(std::size_t alignment, std::size_t size, Fill fill,
                            AllocatorHandle handle) {
  if (!std::has_single_bit(alignment)) return nullptr;
  for (int hops = 0; hops < kMostFallbacks; ++hops) {
    Allocator* allocator = find_allocator(handle);
    if (allocator == nullptr) return take(alignment, size, fill, nullptr);
    if (allocator->reserve(size)) {
      const std::size_t larger =
          alignment > allocator->alignment ? alignment : allocator->alignment;
      void* memory = take(larger, size, fill, allocator);
      if (memory != nullptr) return memory;
      allocator->release_bytes(size);
    }
    switch (allocator->fallback) {
      case AllocValue::NullFb:
        return nullptr;
      case AllocValue::AbortFb:
        fatal("out of memory: an allocator with fallback abort_fb was asked for %zu bytes", size);
      case AllocValue::AllocatorFb:
        handle = allocator->fallback_allocator;
        break;
      default:
        // The default space keeps the alignment that the program relies on.
        if (alignment < allocator->alignment) alignment = allocator->alignment;
        handle = kDefaultMemAlloc;
        break;
    }
  }
  return nullptr;
}

void give_back(const BlockHeader& block) {
  if (block.pinned != 0) {
    give_back_pinned({block.base, block.pinned});
  } else {
    std::free(block.base);
  }
}

bool is_fallback(std::uintptr_t value) {
  const AllocValue fallback = static_cast<AllocValue>(value);
  return fallback == AllocValue::DefaultMemFb || fallback == AllocValue::NullFb ||
         fallback == AllocValue::AbortFb || fallback == AllocValue::AllocatorFb;
}

// False when the value does not belong to the trait.
bool apply_trait(const AllocTraitItem& item, Allocator& allocator) {
  const AllocValue value = static_cast<AllocValue>(item.value);
  const bool is_default = value == AllocValue::Default;
  switch (item.key) {
    case AllocTrait::SyncHint:
      return is_default || (value >= AllocValue::Contended && value <= AllocValue::Private);
    case AllocTrait::Access:
      return is_default || (value >= AllocValue::All && value <= AllocValue::Cgroup) ||
             (value >= AllocValue::NewerAll && value <= AllocValue::Memspace);
    case AllocTrait::Partition:
      return is_default || (value >= AllocValue::Environment && value <= AllocValue::Interleaved);
    case AllocTrait::Alignment:
      allocator.alignment = is_default ? 1 : item.value;
      return std::has_single_bit(allocator.alignment);
    case AllocTrait::PoolSize:
      allocator.pool_size = is_default ? kUnlimited : item.value;
      return allocator.pool_size != 0;
    case AllocTrait::Fallback:
      allocator.fallback = is_default ? AllocValue::DefaultMemFb : value;
      return is_default || is_fallback(item.value);
    case AllocTrait::FbData:
      allocator.fallback_allocator = is_default ? kNullAllocator : item.value;
      return true;
    case AllocTrait::Pinned:
      allocator.pinned = value == AllocValue::True;
      return is_default || value == AllocValue::True || value == AllocValue::False;
    case AllocTrait::PinDevice:
    case AllocTrait::PreferredDevice:
    case AllocTrait::DeviceAccess:
    case AllocTrait::TargetAccess:
    case AllocTrait::AtomicScope:
    case AllocTrait::PartSize:
      return true;  // device access to the memory: all memory is the host's
  }
  return false;
}

bool configure(MemSpace space, int trait_count, const AllocTraitItem* traits,
               Allocator& allocator) {
  if (static_cast<std::uintptr_t>(space) >= kMemSpaces && space != MemSpace::Managed) return false;
  for (int i = 0; i < trait_count; ++i) {
    if (!apply_trait(traits[i], allocator)) return false;
  }
  return true;
}

}  // namespace

void init_allocators() {
  const AllocatorSpec& spec = environment_settings().allocator;
  // The parser has checked the traits.
  configure(spec.space, spec.trait_count, spec.traits, environment_allocator);
}

AllocatorHandle make_allocator(MemSpace space, int trait_count, const AllocTraitItem* traits) {
  if (trait_count < 0) return kNullAllocator;
  Allocator* allocator = make<Allocator>();
  if (allocator == nullptr) return kNullAllocator;
  if (!configure(space, trait_count, traits, *allocator)) {
    destroy(allocator);
    return kNullAllocator;
  }
  return reinterpret_cast<AllocatorHandle>(allocator);
}

void destroy_allocator(AllocatorHandle handle) {
  if (handle >= kLowestPointer) destroy(reinterpret_cast<Allocator*>(handle));
}

void* allocate(std::size_t alignment, std::size_t size, AllocatorHandle handle) {
  if (size == 0) return nullptr;
  return allocate_or_fall_back(alignment == 0 ? 1 : alignment, size, Fill::None, handle);
}

void* allocate_zeroed(std::size_t alignment, std::size_t count, std::size_t size,
                      AllocatorHandle handle) {
  std::size_t bytes;
  if (count == 0 || size == 0) return nullptr;
  // A size that does not fit the address space fails like memory that has run out.
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = kUnlimited;
  return allocate_or_fall_back(alignment == 0 ? 1 : alignment, bytes, Fill::Zero, handle);
}

void* reallocate(void* memory, std::size_t size, AllocatorHandle handle) {
  if (memory == nullptr) return allocate(1, size, handle);
  if (size == 0) {
    deallocate(memory);
    return nullptr;
  }
  const BlockHeader old = header_of(memory);
  Allocator* allocator = handle == kNullAllocator ? old.allocator : find_allocator(handle);

  // The usual case: heap memory without special alignment may grow where it is.
  const bool plain = allocator == nullptr && old.allocator == nullptr && old.pinned == 0 &&
                     static_cast<char*>(memory) - static_cast<char*>(old.base) == kHeader;
  std::size_t total;
  if (plain) {
    if (__builtin_add_overflow(size, kHeader, &total)) return nullptr;
    void* base = std::realloc(old.base, total);
    return base == nullptr ? nullptr : place_block(base, 1, size, 0, nullptr);
  }
  // Within one pool the new block reuses the old one's bytes: only the difference has to fit.
  if (allocator != nullptr && allocator == old.allocator && allocator->limited() &&
      allocator->resize(old.size, size)) {
    void* fresh = take(allocator->alignment, size, Fill::None, allocator);
    if (fresh != nullptr) {
      std::memcpy(fresh, memory, size < old.size ? size : old.size);
      give_back(old);
      return fresh;
    }
    // The heap has run out. The reservation is undone, and then the allocator's fallback is tried.
    allocator->undo_resize(old.size, size);
  }
  if (handle == kNullAllocator) {
    handle = old.allocator == nullptr ? kDefaultMemAlloc
                                      : reinterpret_cast<AllocatorHandle>(old.allocator);
  }
  void* fresh = allocate(1, size, handle);
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, memory, size < old.size ? size : old.size);
  deallocate(memory);
  return fresh;
}

void deallocate(void* memory) {
  if (memory == nullptr) return;
  const BlockHeader header = header_of(memory);
  if (header.allocator != nullptr) header.allocator->release_bytes(header.size);
  give_back(header);
}

}  // namespace bobbin
