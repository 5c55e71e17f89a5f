// SPDX-License-Identifier: Apache-2.0
#include "construct/memory/allocator.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "construct/worksharing/rectangle.h"
#include "env/icv.h"

// These tests request impossible allocations, and check the answers.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace bobbin {
namespace {

constexpr std::uintptr_t value(AllocValue v) { return static_cast<std::uintptr_t>(v); }

class Made {
 public:
  explicit Made(std::vector<AllocTraitItem> traits, MemSpace space = MemSpace::Default)
      : handle_(make_allocator(space, static_cast<int>(traits.size()), traits.data())) {}
  ~Made() { destroy_allocator(handle_); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  AllocatorHandle get() const { return handle_; }

 private:
  AllocatorHandle handle_;
};

bool aligned(const void* memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

TEST(Allocate, PredefinedAllocators) {
  for (AllocatorHandle handle = 0; handle <= 8; ++handle) {
    void* memory = allocate(1, 100, handle);
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(aligned(memory, 16));
    std::memset(memory, 0xab, 100);
    deallocate(memory);
  }
  // Handles of another runtime's extensions act as the default.
  void* memory = allocate(1, 100, 102);
  ASSERT_NE(memory, nullptr);
  deallocate(memory);
}

TEST(Allocate, EverySpace) {
  for (MemSpace space : {MemSpace::Default, MemSpace::LargeCap, MemSpace::Const, MemSpace::HighBw,
                         MemSpace::LowLat, MemSpace::Managed}) {
    const Made made({{AllocTrait::Alignment, 256}}, space);
    void* memory = allocate(1, 100, made.get());
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(aligned(memory, 256));
    deallocate(memory);
  }
}

TEST(Allocate, Nothing) {
  EXPECT_EQ(allocate(1, 0, 1), nullptr);
  EXPECT_EQ(allocate_zeroed(1, 0, 8, 1), nullptr);
  EXPECT_EQ(allocate_zeroed(1, 8, 0, 1), nullptr);
  EXPECT_EQ(allocate(24, 8, 1), nullptr);
  deallocate(nullptr);
}

TEST(Allocate, Alignments) {
  for (std::size_t alignment = 1; alignment <= 1 << 21; alignment *= 2) {
    void* memory = allocate(alignment, 33, 1);
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(aligned(memory, alignment)) << alignment;
    std::memset(memory, 1, 33);
    deallocate(memory);
    memory = allocate_zeroed(alignment, 11, 3, 1);
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(aligned(memory, alignment)) << alignment;
    for (int i = 0; i < 33; ++i) EXPECT_EQ(static_cast<char*>(memory)[i], 0);
    deallocate(memory);
  }
  void* memory = allocate(0, 8, 1);
  EXPECT_NE(memory, nullptr);
  deallocate(memory);
}

TEST(Allocate, ImpossibleSizes) {
  EXPECT_EQ(allocate(1, ~std::size_t{0}, 1), nullptr);
  EXPECT_EQ(allocate(4096, ~std::size_t{0} - 100, 1), nullptr);
  EXPECT_EQ(allocate_zeroed(1, ~std::size_t{0} / 2, 3, 1), nullptr);
  EXPECT_EQ(allocate(std::size_t{1} << 63, 8, 1), nullptr);
}

TEST(Traits, Alignment) {
  const Made made({{AllocTrait::Alignment, 256}});
  void* memory = allocate(8, 10, made.get());
  EXPECT_TRUE(aligned(memory, 256));
  deallocate(memory);
  memory = allocate(1024, 10, made.get());
  EXPECT_TRUE(aligned(memory, 1024));
  deallocate(memory);
}

TEST(Traits, BadOnesMakeNoAllocator) {
  for (const AllocTraitItem& trait :
       std::vector<AllocTraitItem>{{AllocTrait::Alignment, 0},
                                   {AllocTrait::Alignment, 24},
                                   {AllocTrait::PoolSize, 0},
                                   {AllocTrait::Fallback, value(AllocValue::All)},
                                   {AllocTrait::Pinned, 2},
                                   {AllocTrait::Access, value(AllocValue::Nearest)},
                                   {AllocTrait::SyncHint, 99},
                                   {AllocTrait::Partition, value(AllocValue::True)},
                                   {static_cast<AllocTrait>(0), 1},
                                   {static_cast<AllocTrait>(77), 1}}) {
    EXPECT_EQ(make_allocator(MemSpace::Default, 1, &trait), kNullAllocator)
        << static_cast<int>(trait.key) << " " << trait.value;
  }
  EXPECT_EQ(make_allocator(static_cast<MemSpace>(5), 0, nullptr), kNullAllocator);
  EXPECT_EQ(make_allocator(MemSpace::Default, -1, nullptr), kNullAllocator);
}

TEST(Traits, DefaultValuesEverywhere) {
  std::vector<AllocTraitItem> traits;
  for (int key = 1; key <= 8; ++key) {
    traits.push_back({static_cast<AllocTrait>(key), value(AllocValue::Default)});
  }
  const Made made(traits, MemSpace::LargeCap);
  ASSERT_NE(made.get(), kNullAllocator);
  void* memory = allocate(1, 10, made.get());
  EXPECT_NE(memory, nullptr);
  deallocate(memory);
}

TEST(Traits, OfNewerHeaders) {
  std::vector<AllocTraitItem> traits{{AllocTrait::Alignment, 256}};
  for (AllocValue access = AllocValue::NewerAll; access <= AllocValue::Memspace;
       access = static_cast<AllocValue>(value(access) + 1)) {
    traits.push_back({AllocTrait::Access, value(access)});
  }
  for (AllocTrait key = AllocTrait::PinDevice; key <= AllocTrait::PartSize;
       key = static_cast<AllocTrait>(static_cast<int>(key) + 1)) {
    traits.push_back({key, 1});
  }
  const Made made(traits);
  ASSERT_NE(made.get(), kNullAllocator);
  void* memory = allocate(1, 10, made.get());
  EXPECT_TRUE(aligned(memory, 256));
  deallocate(memory);
}

TEST(Traits, PoolSizeIsALimitThatFreeingLifts) {
  const Made made(
      {{AllocTrait::PoolSize, 1000}, {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  void* a = allocate(1, 600, made.get());
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(allocate(1, 401, made.get()), nullptr);
  void* b = allocate(64, 400, made.get());
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(allocate(1, 1, made.get()), nullptr);
  deallocate(a);
  a = allocate_zeroed(1, 6, 100, made.get());
  EXPECT_NE(a, nullptr);
  deallocate(a);
  deallocate(b);
  EXPECT_EQ(allocate(1, 1001, made.get()), nullptr);
  EXPECT_EQ(allocate(1, ~std::size_t{0}, made.get()), nullptr);
}

TEST(Traits, FallBackToDefaultMemory) {
  const Made made({{AllocTrait::PoolSize, 10}, {AllocTrait::Alignment, 512}});
  void* memory = allocate(1, 5000, made.get());
  ASSERT_NE(memory, nullptr);
  EXPECT_TRUE(aligned(memory, 512));
  // It does not count against the pool.
  void* small = allocate(1, 10, made.get());
  ASSERT_NE(small, nullptr);
  deallocate(memory);
  deallocate(small);
}

TEST(Traits, FallBackToAnotherAllocator) {
  const Made second({{AllocTrait::PoolSize, 100},
                     {AllocTrait::Alignment, 128},
                     {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  const Made first({{AllocTrait::PoolSize, 10},
                    {AllocTrait::Fallback, value(AllocValue::AllocatorFb)},
                    {AllocTrait::FbData, second.get()}});
  void* memory = allocate(1, 60, first.get());
  ASSERT_NE(memory, nullptr);
  EXPECT_TRUE(aligned(memory, 128));
  EXPECT_EQ(allocate(1, 60, first.get()), nullptr);
  deallocate(memory);
  memory = allocate(1, 60, first.get());
  EXPECT_NE(memory, nullptr);
  deallocate(memory);
}

TEST(TraitsDeathTest, AbortFallback) {
  const Made made({{AllocTrait::PoolSize, 10}, {AllocTrait::Fallback, value(AllocValue::AbortFb)}});
  EXPECT_EXIT(allocate(1, 11, made.get()), ::testing::ExitedWithCode(1), "bobbin: out of memory");
}

// A process may be forbidden to lock memory. The trait is tested where locking is allowed.
bool may_lock_memory() {
  void* memory = allocate(1, 1, kPinnedMemAlloc);
  if (memory != nullptr) deallocate(memory);
  return memory != nullptr;
}

// In KiB.
long locked_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmLck:")) return std::stol(line.substr(6));
  }
  return -1;
}

TEST(Traits, PinnedMemoryIsLockedAndReturned) {
  if (!may_lock_memory()) GTEST_SKIP() << "mlock is not allowed here";
  const Made made({{AllocTrait::Pinned, value(AllocValue::True)},
                   {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  ASSERT_NE(made.get(), kNullAllocator);
  void* memory = allocate(64, 3000, made.get());
  ASSERT_NE(memory, nullptr);
  EXPECT_TRUE(aligned(memory, 64));
  std::memset(memory, 7, 3000);
  memory = reallocate(memory, 9000, made.get());
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(static_cast<char*>(memory)[2999], 7);
  deallocate(memory);
}

TEST(Pinned, SmallBlocksShareAPage) {
  if (!may_lock_memory()) GTEST_SKIP() << "mlock is not allowed here";
  std::vector<void*> blocks{allocate(1, 10, kPinnedMemAlloc)};
  const long locked = locked_memory();
  if (locked == 0) GTEST_SKIP() << "a sanitizer leaves mlock out";
  for (int i = 1; i < 30; ++i) blocks.push_back(allocate(1, 10, kPinnedMemAlloc));
  EXPECT_EQ(locked_memory(), locked);
  for (void* block : blocks) std::memset(block, 0xab, 10);
  for (void* block : blocks) deallocate(block);
  EXPECT_EQ(locked_memory(), locked);
  auto* zeroed = static_cast<char*>(allocate_zeroed(1, 10, 1, kPinnedMemAlloc));
  EXPECT_EQ(std::count(zeroed, zeroed + 10, 0), 10);
  deallocate(zeroed);
}

// Locks are not inherited. A block that the parent had allocated is not locked in the child, until
// it is freed there and allocated again.
TEST(Pinned, GivenBackInTheChildOfAFork) {
  if (!may_lock_memory()) GTEST_SKIP() << "mlock is not allowed here";
  void* block = allocate(1, 10, kPinnedMemAlloc);
  if (locked_memory() == 0) GTEST_SKIP() << "a sanitizer leaves mlock out";
  const pid_t child = fork();
  if (child == 0) {
    deallocate(block);
    const void* next = allocate(1, 10, kPinnedMemAlloc);
    _exit(next != nullptr && locked_memory() > 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  deallocate(block);
}

TEST(Pinned, EverySizeAndAlignment) {
  if (!may_lock_memory()) GTEST_SKIP() << "mlock is not allowed here";
  for (std::size_t alignment : {1, 64, 512, 4096, 8192}) {
    std::vector<std::pair<char*, std::size_t>> blocks;
    for (std::size_t size = 1; size < 10'000; size += 1 + size / 3) {
      auto* block = static_cast<char*>(allocate(alignment, size, kPinnedMemAlloc));
      ASSERT_NE(block, nullptr);
      EXPECT_TRUE(aligned(block, alignment));
      std::memset(block, static_cast<char>(size), size);
      blocks.emplace_back(block, size);
    }
    for (auto [block, size] : blocks) {
      EXPECT_EQ(std::count(block, block + size, static_cast<char>(size)), std::ptrdiff_t(size));
      deallocate(block);
    }
  }
}

TEST(Pinned, TakenAndGivenBackByManyThreads) {
  if (!may_lock_memory()) GTEST_SKIP() << "mlock is not allowed here";
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (std::size_t round = 0; round < 2'000; ++round) {
        const std::size_t size = 1 + round * 37 % 3'000;
        auto* block = static_cast<char*>(allocate(1, size, kPinnedMemAlloc));
        ASSERT_NE(block, nullptr);
        block[0] = block[size - 1] = 1;
        deallocate(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Traits, PinnedBeyondTheLimitFallsBack) {
  if (geteuid() == 0) GTEST_SKIP() << "root has no limit";
  rlimit limit;
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const Made made({{AllocTrait::Pinned, value(AllocValue::True)}});
  void* memory = allocate(1, limit.rlim_cur + 1, made.get());
  EXPECT_NE(memory, nullptr);
  deallocate(memory);
}

TEST(Reallocate, KeepsContents) {
  const Made aligned64({{AllocTrait::Alignment, 64}});
  const Made pool(
      {{AllocTrait::PoolSize, 100000}, {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  const AllocatorHandle handles[] = {kDefaultMemAlloc, 8, aligned64.get(), pool.get()};
  for (AllocatorHandle from : handles) {
    for (AllocatorHandle to : handles) {
      auto* memory = static_cast<unsigned char*>(allocate(1, 100, from));
      for (int i = 0; i < 100; ++i) memory[i] = static_cast<unsigned char>(i);
      memory = static_cast<unsigned char*>(reallocate(memory, 5000, to));
      ASSERT_NE(memory, nullptr);
      EXPECT_TRUE(to != aligned64.get() || aligned(memory, 64));
      for (int i = 0; i < 100; ++i) ASSERT_EQ(memory[i], i);
      memory = static_cast<unsigned char*>(reallocate(memory, 50, kNullAllocator));
      ASSERT_NE(memory, nullptr);
      for (int i = 0; i < 50; ++i) ASSERT_EQ(memory[i], i);
      EXPECT_EQ(reallocate(memory, 0, kNullAllocator), nullptr);
    }
  }
  // All of it has been returned to the pool.
  void* whole = allocate(1, 100000, pool.get());
  EXPECT_NE(whole, nullptr);
  deallocate(whole);
}

TEST(Reallocate, FailureLeavesTheBlock) {
  const Made pool({{AllocTrait::PoolSize, 100}, {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  auto* memory = static_cast<char*>(allocate(1, 60, pool.get()));
  memory[59] = 'x';
  EXPECT_EQ(reallocate(memory, 101, kNullAllocator), nullptr);
  EXPECT_EQ(memory[59], 'x');
  deallocate(memory);
  void* fresh = reallocate(nullptr, 10, kDefaultMemAlloc);
  EXPECT_NE(fresh, nullptr);
  EXPECT_EQ(reallocate(fresh, ~std::size_t{0}, kDefaultMemAlloc), nullptr);
  deallocate(fresh);
}

// A block may become as large as the pool: its own bytes count as available.
TEST(Reallocate, WithinAPool) {
  const Made pool({{AllocTrait::PoolSize, 1024},
                   {AllocTrait::Alignment, 64},
                   {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  auto* memory = static_cast<unsigned char*>(allocate(1, 600, pool.get()));
  ASSERT_NE(memory, nullptr);
  std::memset(memory, 7, 600);
  for (std::size_t size : {800, 1024, 700, 1024}) {
    memory = static_cast<unsigned char*>(reallocate(memory, size, pool.get()));
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(aligned(memory, 64));
    EXPECT_EQ(memory[599], 7);
    void* rest = allocate(1, 1024 - size, pool.get());
    EXPECT_EQ(rest != nullptr, size < 1024);
    EXPECT_EQ(allocate(1, 1, pool.get()), nullptr);
    deallocate(rest);
  }
  EXPECT_EQ(reallocate(memory, 1025, pool.get()), nullptr);
  // A request that the heap cannot satisfy is refused without any effect.
  const Made large({{AllocTrait::PoolSize, ~std::size_t{0} - 1},
                    {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  void* small = allocate(1, 10, large.get());
  EXPECT_EQ(reallocate(small, std::size_t{1} << 62, large.get()), nullptr);
  small = reallocate(small, 20, large.get());
  EXPECT_NE(small, nullptr);
  deallocate(small);
  deallocate(memory);
  void* whole = allocate(1, 1024, pool.get());
  EXPECT_NE(whole, nullptr);
  deallocate(whole);
}

TEST(Pool, ExactUnderContention) {
  const Made pool(
      {{AllocTrait::PoolSize, 64 * 4}, {AllocTrait::Fallback, value(AllocValue::NullFb)}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) {
        void* memory = allocate(1, 64, pool.get());
        EXPECT_NE(memory, nullptr);
        deallocate(memory);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  void* whole = allocate(1, 256, pool.get());
  EXPECT_NE(whole, nullptr);
  EXPECT_EQ(allocate(1, 1, pool.get()), nullptr);
  deallocate(whole);
}

TEST(Rectangle, ThreeDimensions) {
  int from[3][4][5], to[4][5][6] = {};
  int n = 0;
  for (auto& plane : from)
    for (auto& row : plane)
      for (int& cell : row) cell = ++n;
  const std::size_t volume[] = {2, 2, 3}, to_offsets[] = {1, 2, 3}, from_offsets[] = {1, 1, 2};
  const std::size_t to_dimensions[] = {4, 5, 6}, from_dimensions[] = {3, 4, 5};
  ASSERT_TRUE(copy_rectangle({to, from, sizeof(int), 3, volume, to_offsets, from_offsets,
                              to_dimensions, from_dimensions}));
  int copied = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t k = 0; k < 6; ++k) {
        const bool inside = i >= 1 && i < 3 && j >= 2 && j < 4 && k >= 3;
        EXPECT_EQ(to[i][j][k], inside ? from[i][j - 1][k - 1] : 0);
        copied += to[i][j][k] != 0 ? 1 : 0;
      }
  EXPECT_EQ(copied, 12);
}

TEST(Rectangle, Impossible) {
  char byte = 0;
  const std::size_t huge[] = {~std::size_t{0}, ~std::size_t{0}}, zero[] = {0, 0};
  EXPECT_FALSE(copy_rectangle({&byte, &byte, 1, 0, zero, zero, zero, zero, zero}));
  EXPECT_FALSE(copy_rectangle({&byte, &byte, 8, 2, zero, huge, zero, huge, huge}));
  EXPECT_FALSE(copy_rectangle({&byte, &byte, 8, 1, huge, zero, zero, zero, zero}));
  EXPECT_TRUE(copy_rectangle({&byte, &byte, 8, 2, zero, zero, zero, zero, zero}));
}

}  // namespace
}  // namespace bobbin
