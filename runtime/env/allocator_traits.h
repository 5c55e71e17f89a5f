// SPDX-License-Identifier: Apache-2.0
//
// Memory allocator handles and traits as <omp.h> numbers them, and the allocator that OMP_ALLOCATOR
// describes (section 21.5.1 of OpenMP 5.2). The allocators themselves are in
// construct/memory/allocator.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/text.h"

namespace bobbin {

enum class MemSpace : std::uintptr_t {
  Default = 0,
  LargeCap,
  Const,
  HighBw,
  LowLat,
  Managed = 200  // ompx_gnu_managed_mem_space of GCC 16: of the host and its devices
};
inline constexpr unsigned kMemSpaces = 5;

// Predefined allocators; 0 is omp_null_allocator. Any other handle is the address of an allocator.
inline constexpr std::uintptr_t kNullAllocator = 0;
// The one that OMP_ALLOCATOR builds from a memory space and traits.
inline constexpr std::uintptr_t kEnvironmentAllocator = 9;
// Extensions of GCC: ompx_gnu_pinned_mem_alloc and ompx_gnu_managed_mem_alloc.
inline constexpr std::uintptr_t kPinnedMemAlloc = 200;
inline constexpr std::uintptr_t kManagedMemAlloc = 201;

enum class AllocTrait : int {
  SyncHint = 1,
  Alignment,
  Access,
  PoolSize,
  Fallback,
  FbData,
  Pinned,
  Partition,
  // OpenMP 6.0, as LLVM's <omp.h> numbers them
  PinDevice,
  PreferredDevice,
  DeviceAccess,
  TargetAccess,
  AtomicScope,
  PartSize
};

enum class AllocValue : std::uintptr_t {
  Default = ~std::uintptr_t{0},
  False = 0,
  True = 1,
  Contended = 3,
  Uncontended = 4,
  Serialized = 5,
  Private = 6,
  All = 7,
  Thread = 8,
  Pteam = 9,
  Cgroup = 10,
  DefaultMemFb = 11,
  NullFb = 12,
  AbortFb = 13,
  AllocatorFb = 14,
  Environment = 15,
  Nearest = 16,
  Blocked = 17,
  Interleaved = 18,
  // Of LLVM's <omp.h> for OpenMP 6.0, where 7 is omp_atv_device.
  NewerAll = 19,
  Memspace = 22
};

// The layout of omp_alloctrait_t.
struct AllocTraitItem {
  AllocTrait key;
  std::uintptr_t value;
};

struct AllocatorSpec {
  static constexpr int kMaxTraits = 8;

  std::uintptr_t handle = 1;  // predefined, or kEnvironmentAllocator: then the rest counts
  MemSpace space = MemSpace::Default;
  int trait_count = 0;
  AllocTraitItem traits[kMaxTraits] = {};
};

// omp_..._mem_alloc | omp_..._mem_space[:trait=value,...]. False and `spec` untouched when bad.
bool parse_allocator(std::string_view text, AllocatorSpec& spec);
void print_allocator(const AllocatorSpec& spec, TextOut& out);

}  // namespace bobbin
