// SPDX-License-Identifier: Apache-2.0
//
// The omp_* routines as the initial thread sees them. The OpenMP programs in tests/omp test their
// results inside of regions.
#include "abi/omp/omp_api.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

#include "construct/regions/target.h"
#include "env/environment.h"
#include "env/icv.h"

extern "C" {
void omp_set_num_threads_8_(const std::int64_t* count);
std::int32_t omp_get_max_threads_();
void omp_get_schedule_(std::int32_t* kind, std::int32_t* chunk);
void omp_get_schedule_8_(std::int32_t* kind, std::int64_t* chunk);
void omp_set_schedule_8_(const std::int32_t* kind, const std::int64_t* chunk);
std::int32_t omp_get_ancestor_thread_num_8_(const std::int64_t* level);
void omp_set_affinity_format_(const char* format, std::size_t length);
std::int32_t omp_get_affinity_format_(char* buffer, std::size_t size);
std::int32_t omp_capture_affinity_(char* buffer, const char* format, std::size_t size,
                                   std::size_t length);
void omp_init_nest_lock_(void** variable);
void omp_set_nest_lock_(void** variable);
std::int32_t omp_test_nest_lock_(void** variable);
void omp_unset_nest_lock_(void** variable);
void omp_destroy_nest_lock_(void** variable);
void omp_set_dynamic_8_(const std::int64_t* on);
void omp_get_interop_name_(const char** result, std::size_t* length, std::uintptr_t interop,
                           int property);
std::int32_t omp_get_device_from_uid_(const char* uid, std::size_t length);
void omp_get_uid_from_device_(const char** result, std::size_t* length, std::int32_t device);
void omp_get_uid_from_device_8_(const char** result, std::size_t* length, std::int64_t device);
void* GOMP_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator);
void GOMP_free(void* memory, std::uintptr_t allocator);
void GOMP_add_alloc(void* memory);
bool GOMP_is_alloc(void* memory);
void GOMP_interop(int device, int init_count, std::uintptr_t** init, const void* kinds,
                  const void* preferences, int use_count, const void* use, int destroy_count,
                  std::uintptr_t** destroy, unsigned flags, void** depend);
void GOMP_taskwait();
}

namespace {

constexpr unsigned kMonotonic = 0x80000000u;

TEST(OmpThreads, OutsideOfRegions) {
  EXPECT_EQ(omp_get_num_threads(), 1);
  EXPECT_EQ(omp_get_thread_num(), 0);
  EXPECT_EQ(omp_in_parallel(), 0);
  EXPECT_EQ(omp_get_level(), 0);
  EXPECT_EQ(omp_get_active_level(), 0);
  EXPECT_EQ(omp_get_ancestor_thread_num(0), 0);
  EXPECT_EQ(omp_get_ancestor_thread_num(-1), -1);
  EXPECT_EQ(omp_get_ancestor_thread_num(1), -1);
  EXPECT_EQ(omp_get_team_size(0), 1);
  EXPECT_EQ(omp_get_team_size(1), -1);
  const std::int64_t far = INT64_MAX;
  EXPECT_EQ(omp_get_ancestor_thread_num_8_(&far), -1);
  EXPECT_EQ(omp_get_num_teams(), 1);
  EXPECT_EQ(omp_get_team_num(), 0);
  EXPECT_GE(omp_get_num_procs(), 1);
  EXPECT_EQ(omp_in_final(), 0);
  EXPECT_EQ(omp_in_explicit_task(), 0);
}

TEST(OmpIcvs, NumberOfThreads) {
  const int before = omp_get_max_threads();
  EXPECT_EQ(before, static_cast<int>(bobbin::initial_icvs().nthreads));
  omp_set_num_threads(7);
  EXPECT_EQ(omp_get_max_threads(), 7);
  EXPECT_EQ(omp_get_max_threads_(), 7);
  omp_set_num_threads(-2);
  EXPECT_EQ(omp_get_max_threads(), 1);
  const std::int64_t wide = std::int64_t{1} << 40;
  omp_set_num_threads_8_(&wide);
  EXPECT_EQ(omp_get_max_threads(), INT_MAX);
  omp_set_num_threads(before);
}

TEST(OmpIcvs, SetAndGet) {
  omp_set_dynamic(5);
  EXPECT_EQ(omp_get_dynamic(), 1);
  omp_set_dynamic(0);
  EXPECT_EQ(omp_get_dynamic(), 0);
  const std::int64_t wide_truth = std::int64_t{1} << 32;
  omp_set_dynamic_8_(&wide_truth);
  EXPECT_EQ(omp_get_dynamic(), 1);
  omp_set_dynamic(0);

  EXPECT_EQ(omp_get_supported_active_levels(), 255);
  omp_set_max_active_levels(4);
  EXPECT_EQ(omp_get_max_active_levels(), 4);
  EXPECT_EQ(omp_get_nested(), 1);
  omp_set_max_active_levels(-1);
  EXPECT_EQ(omp_get_max_active_levels(), 4);
  omp_set_max_active_levels(1000);
  EXPECT_EQ(omp_get_max_active_levels(), 255);
  omp_set_nested(0);
  EXPECT_EQ(omp_get_max_active_levels(), 1);
  EXPECT_EQ(omp_get_nested(), 0);
  omp_set_nested(1);
  EXPECT_EQ(omp_get_max_active_levels(), 255);
  omp_set_max_active_levels(1);

  omp_set_num_teams(3);
  EXPECT_EQ(omp_get_max_teams(), 3);
  omp_set_num_teams(-1);
  EXPECT_EQ(omp_get_max_teams(), 3);
  omp_set_num_teams(0);
  omp_set_teams_thread_limit(5);
  EXPECT_EQ(omp_get_teams_thread_limit(), 5);
  omp_set_teams_thread_limit(0);

  EXPECT_EQ(omp_get_thread_limit(), INT_MAX);
  EXPECT_EQ(omp_get_cancellation(), 0);
  EXPECT_EQ(omp_get_max_task_priority(), 0);
  EXPECT_EQ(omp_get_proc_bind(), 0);
}

struct ScheduleCase {
  unsigned kind;
  int chunk;
  unsigned expected_kind;
  int expected_chunk;
};

TEST(OmpIcvs, Schedule) {
  int kind, chunk;
  const ScheduleCase cases[] = {{1, -3, 1, 0}, {1, 5, 1, 5},
                                {2, 0, 2, 1},  {kMonotonic | 3, 4, kMonotonic | 3, 4},
                                {4, 9, 4, 4},  // auto keeps the previous chunk
                                {9, 1, 4, 4},  // there is no such kind
                                {0, 1, 4, 4}};
  for (const ScheduleCase& c : cases) {
    omp_set_schedule(static_cast<int>(c.kind), c.chunk);
    omp_get_schedule(&kind, &chunk);
    EXPECT_EQ(static_cast<unsigned>(kind), c.expected_kind);
    EXPECT_EQ(chunk, c.expected_chunk);
  }
  // Fortran compares with the plain constants.
  omp_set_schedule(static_cast<int>(kMonotonic | 2), 8);
  std::int32_t kind4, chunk4;
  omp_get_schedule_(&kind4, &chunk4);
  EXPECT_EQ(kind4, 2);
  EXPECT_EQ(chunk4, 8);
  const std::int64_t huge = INT64_MAX;
  omp_set_schedule_8_(&kind4, &huge);
  std::int64_t chunk8;
  omp_get_schedule_8_(&kind4, &chunk8);
  EXPECT_EQ(chunk8, INT_MAX);
  omp_set_schedule(2, 1);
}

TEST(OmpPlaces, NoneWithoutBinding) {
  EXPECT_EQ(omp_get_num_places(), 0);
  EXPECT_EQ(omp_get_place_num(), -1);
  EXPECT_EQ(omp_get_partition_num_places(), 0);
  EXPECT_EQ(omp_get_place_num_procs(0), 0);
  EXPECT_EQ(omp_get_place_num_procs(-1), 0);
  int untouched = 99;
  omp_get_place_proc_ids(0, &untouched);
  omp_get_partition_place_nums(&untouched);
  EXPECT_EQ(untouched, 99);
}

TEST(OmpAffinity, CaptureInC) {
  char buffer[64] = {};
  const std::size_t length = omp_capture_affinity(buffer, sizeof buffer, "%L %n %N %a %t %T|%P");
  EXPECT_EQ(length, std::strlen(buffer));
  EXPECT_EQ(std::string(buffer), "0 0 1 -1 0 1|" + std::to_string(getpid()));
  EXPECT_EQ(omp_capture_affinity(buffer, 4, "abcdef"), 6u);
  EXPECT_STREQ(buffer, "abc");
  EXPECT_EQ(omp_capture_affinity(nullptr, 0, "abcdef"), 6u);
  omp_set_affinity_format("<%n>");
  EXPECT_EQ(omp_capture_affinity(buffer, sizeof buffer, nullptr), 3u);
  EXPECT_STREQ(buffer, "<0>");
  EXPECT_EQ(omp_capture_affinity(buffer, sizeof buffer, ""), 3u);
  omp_set_affinity_format(nullptr);
  EXPECT_EQ(omp_get_affinity_format(buffer, sizeof buffer), 4u);
  EXPECT_STREQ(buffer, "<%n>");
}

TEST(OmpAffinity, FortranStringsAreBlankPadded) {
  omp_set_affinity_format_("n=%nxxx", 4);
  char buffer[8];
  EXPECT_EQ(omp_get_affinity_format_(buffer, sizeof buffer), 4);
  EXPECT_EQ(std::string(buffer, 8), "n=%n    ");
  EXPECT_EQ(omp_capture_affinity_(buffer, "thread %n", 8, 9), 8);
  EXPECT_EQ(std::string(buffer, 8), "thread 0");
  EXPECT_EQ(omp_capture_affinity_(buffer, "thread number %n", 8, 16), 15);
  EXPECT_EQ(std::string(buffer, 8), "thread n");
  EXPECT_EQ(omp_capture_affinity_(buffer, "", 8, 0), 3);
  EXPECT_EQ(std::string(buffer, 8), "n=0     ");
  EXPECT_EQ(omp_get_affinity_format_(nullptr, 0), 4);
}

TEST(OmpAffinity, Display) {
  testing::internal::CaptureStderr();
  omp_display_affinity("thread %n of %N");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "thread 0 of 1\n");
}

TEST(OmpEnvironment, Display) {
  testing::internal::CaptureStderr();
  omp_display_env(0);
  const std::string plain = testing::internal::GetCapturedStderr();
  EXPECT_NE(plain.find("_OPENMP='202111'"), std::string::npos);
  EXPECT_EQ(plain.find("BOBBIN_PROVIDER"), std::string::npos);
  testing::internal::CaptureStderr();
  omp_display_env(1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("BOBBIN_PROVIDER"), std::string::npos);
}

TEST(OmpEnvironment, TimeGoesForward) {
  const double first = omp_get_wtime();
  EXPECT_GE(omp_get_wtime(), first);
  EXPECT_GT(omp_get_wtick(), 0.0);
  EXPECT_LT(omp_get_wtick(), 0.1);
}

TEST(OmpEnvironment, PauseResource) {
  constexpr int kSoft = 1, kHard = 2;
  EXPECT_EQ(omp_pause_resource(kSoft, omp_get_initial_device()), 0);
  EXPECT_EQ(omp_pause_resource(kHard, -1), 0);
  EXPECT_EQ(omp_pause_resource(kSoft, 5), -1);
  EXPECT_EQ(omp_pause_resource(7, 0), -1);
  EXPECT_EQ(omp_pause_resource_all(kSoft), 0);
  EXPECT_EQ(omp_pause_resource_all(0), -1);
  EXPECT_EQ(omp_control_tool(1, 0, nullptr), -2);
}

TEST(OmpLocks, Simple) {
  omp_lock_t lock;
  std::memset(&lock, 0xff, sizeof lock);
  omp_init_lock(&lock);
  EXPECT_EQ(omp_test_lock(&lock), 1);
  EXPECT_EQ(omp_test_lock(&lock), 0);
  omp_unset_lock(&lock);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  omp_init_lock_with_hint(&lock, 4);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
}

TEST(OmpLocks, Nestable) {
  omp_nest_lock_t lock;
  std::memset(&lock, 0xff, sizeof lock);
  omp_init_nest_lock(&lock);
  omp_set_nest_lock(&lock);
  EXPECT_EQ(omp_test_nest_lock(&lock), 2);
  omp_set_nest_lock(&lock);
  EXPECT_EQ(omp_test_nest_lock(&lock), 4);
  for (int i = 0; i < 4; ++i) omp_unset_nest_lock(&lock);
  EXPECT_EQ(omp_test_nest_lock(&lock), 1);
  omp_unset_nest_lock(&lock);
  omp_destroy_nest_lock(&lock);

  void* variable = nullptr;
  omp_init_nest_lock_(&variable);
  omp_set_nest_lock_(&variable);
  EXPECT_EQ(omp_test_nest_lock_(&variable), 2);
  omp_unset_nest_lock_(&variable);
  omp_unset_nest_lock_(&variable);
  omp_destroy_nest_lock_(&variable);
  EXPECT_EQ(variable, nullptr);
}

TEST(OmpMemory, NullAllocatorIsTheDefaultOfTheTask) {
  EXPECT_EQ(omp_get_default_allocator(), 1u);
  const bobbin::AllocTraitItem trait{bobbin::AllocTrait::Alignment, 4096};
  const std::uintptr_t made = omp_init_allocator(0, 1, &trait);
  ASSERT_NE(made, 0u);
  omp_set_default_allocator(made);
  EXPECT_EQ(omp_get_default_allocator(), made);
  void* memory = omp_alloc(10, 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 4096, 0u);
  memory = omp_realloc(memory, 20000, 0, 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 4096, 0u);
  omp_free(memory, 0);
  void* variable = GOMP_alloc(8, 24, 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(variable) % 4096, 0u);
  GOMP_free(variable, 0);
  omp_set_default_allocator(0);
  EXPECT_EQ(omp_get_default_allocator(), 1u);
  omp_destroy_allocator(made);
  auto* zeroed = static_cast<char*>(omp_aligned_calloc(64, 4, 4, 0));
  EXPECT_EQ(std::string(zeroed, 16), std::string(16, '\0'));
  omp_free(zeroed, 0);
  omp_free(omp_calloc(3, 3, 8), 8);
  omp_free(omp_aligned_alloc(32, 3, 8), 8);
}

TEST(OmpMemory, DefaultSpaceUnderEitherNumber) {
  for (std::uintptr_t space : {0, 99}) {
    std::uintptr_t mine = omp_init_allocator(space, 0, nullptr);
    EXPECT_NE(mine, bobbin::kNullAllocator) << space;
    omp_destroy_allocator(mine);
  }
  EXPECT_EQ(omp_init_allocator(98, 0, nullptr), bobbin::kNullAllocator);
}

TEST(OmpMemory, MarkedBlocksAreFoundOnce) {
  constexpr int kBlocks = 1000;
  void* blocks[kBlocks];
  GOMP_add_alloc(nullptr);
  EXPECT_FALSE(GOMP_is_alloc(nullptr));
  for (void*& block : blocks) GOMP_add_alloc(block = GOMP_alloc(16, 24, 0));
  int variable;
  EXPECT_FALSE(GOMP_is_alloc(&variable));
  for (int i = kBlocks; i-- > 0;) EXPECT_TRUE(GOMP_is_alloc(blocks[i]));
  for (void* block : blocks) {
    EXPECT_FALSE(GOMP_is_alloc(block));
    GOMP_free(block, 0);
  }
}

TEST(OmpDevicesDeathTest, WhereToRun) {
  using namespace bobbin;
  constexpr int kBeyond = 5;
  const auto ends = ::testing::ExitedWithCode(1);
  check_device(kDefaultDevice);
  check_device(kBeyond);
  EXPECT_EXIT(check_device(kNoDevice), ends, "omp_invalid_device");
  omp_set_default_device(kNoDevice);
  EXPECT_EXIT(check_device(kDefaultDevice), ends, "omp_invalid_device");
  changeable_icvs().target_offload = TargetOffload::Mandatory;
  EXPECT_EXIT(check_device(kDefaultDevice), ends, "no device beside the host");
  EXPECT_EXIT(check_device(kBeyond), ends, "no device 5");
  check_device(kHostByClause);
  check_device(omp_get_initial_device());
  omp_set_default_device(0);
  check_device(kDefaultDevice);
  changeable_icvs().target_offload = TargetOffload::Default;
}

TEST(OmpDevices, OnlyTheHost) {
  EXPECT_EQ(omp_get_num_devices(), 0);
  EXPECT_EQ(omp_get_initial_device(), 0);
  EXPECT_EQ(omp_is_initial_device(), 1);
  EXPECT_EQ(omp_get_device_num(), 0);
  omp_set_default_device(3);
  EXPECT_EQ(omp_get_default_device(), 3);
  omp_set_default_device(bobbin::kNoDevice);
  EXPECT_EQ(omp_get_default_device(), bobbin::kNoDevice);
  omp_set_default_device(-3);
  EXPECT_EQ(omp_get_default_device(), 0);

  void* memory = omp_target_alloc(16, 0);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(omp_target_alloc(16, 1), nullptr);
  EXPECT_EQ(omp_target_is_present(memory, 0), 1);
  EXPECT_EQ(omp_target_is_present(memory, 1), 0);
  EXPECT_EQ(omp_target_is_present(nullptr, 0), 1);
  EXPECT_EQ(omp_target_is_accessible(memory, 16, -1), 1);
  EXPECT_EQ(omp_target_is_accessible(memory, 0, 0), 0);
  EXPECT_EQ(omp_target_is_accessible(nullptr, 16, 0), 0);
  EXPECT_EQ(omp_get_mapped_ptr(memory, 0), memory);
  EXPECT_EQ(omp_get_mapped_ptr(memory, 2), nullptr);
  EXPECT_EQ(omp_target_associate_ptr(memory, memory, 4, 0, 0), EINVAL);
  EXPECT_EQ(omp_target_disassociate_ptr(memory, 0), EINVAL);
  EXPECT_EQ(omp_target_memset(memory, 7, 16, 0), memory);
  char copy[16] = {};
  EXPECT_EQ(omp_target_memcpy(copy, memory, 4, 2, 3, 0, -1), 0);
  EXPECT_EQ(copy[1], 0);
  EXPECT_EQ(copy[2], 7);
  EXPECT_EQ(copy[5], 7);
  EXPECT_EQ(copy[6], 0);
  EXPECT_EQ(omp_target_memcpy(copy, memory, 4, 0, 0, 0, 9), EINVAL);
  constexpr int kDefaultDevice = -5;  // omp_default_device
  EXPECT_EQ(omp_get_mapped_ptr(memory, kDefaultDevice), memory);
  EXPECT_EQ(omp_target_is_present(memory, kDefaultDevice), 1);
  EXPECT_STREQ(omp_get_uid_from_device(kDefaultDevice), omp_get_uid_from_device(0));
  EXPECT_EQ(omp_pause_resource(1, kDefaultDevice), omp_pause_resource(1, 0));
  omp_set_default_device(3);
  EXPECT_EQ(omp_get_mapped_ptr(memory, kDefaultDevice), nullptr);
  omp_set_default_device(kDefaultDevice);
  EXPECT_EQ(omp_get_default_device(), 3);
  omp_set_default_device(0);

  omp_target_free(memory, 0);
  EXPECT_EQ(omp_target_memcpy_rect(nullptr, nullptr, 1, 1, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, 0, 0),
            INT_MAX);
  EXPECT_EQ(omp_get_device_from_uid(omp_get_uid_from_device(0)), 0);
  EXPECT_EQ(omp_get_device_from_uid("GPU-1"), -4);

  const char* uid = nullptr;
  std::size_t length = 0;
  omp_get_uid_from_device_(&uid, &length, 0);
  EXPECT_EQ(omp_get_device_from_uid_(uid, length), 0);
  const std::string padded = std::string(uid, length) + "  ";
  EXPECT_EQ(omp_get_device_from_uid_(padded.data(), padded.size()), 0);
  EXPECT_EQ(omp_get_device_from_uid_(uid, length - 1), -4);
  omp_get_uid_from_device_(&uid, &length, 7);
  EXPECT_EQ(uid, nullptr);
  EXPECT_EQ(length, 0U);
  omp_get_uid_from_device_8_(&uid, &length, INT64_MAX);
  EXPECT_EQ(uid, nullptr);
}

TEST(OmpDevices, AsynchronousCopiesHappen) {
  int from[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, to[9] = {};
  EXPECT_EQ(omp_target_memcpy_async(to, from, sizeof(int), 4, 8, 0, 0, 0, nullptr), 0);
  GOMP_taskwait();
  EXPECT_EQ(to[1], 2);
  const std::size_t volume[] = {2, 2}, offsets[] = {1, 1}, dimensions[] = {3, 3};
  EXPECT_EQ(omp_target_memcpy_rect_async(to, from, sizeof(int), 2, volume, offsets, offsets,
                                         dimensions, dimensions, 0, 0, 0, nullptr),
            0);
  GOMP_taskwait();
  EXPECT_EQ(to[4], 4);
  EXPECT_EQ(to[5], 5);
  EXPECT_EQ(to[7], 7);
  EXPECT_EQ(to[8], 8);
  EXPECT_EQ(to[3], 0);
  EXPECT_EQ(omp_target_memcpy_async(to, from, 4, 0, 0, 3, 0, 0, nullptr), EINVAL);
  EXPECT_EQ(omp_target_memset_async(to, 0, sizeof to, 0, 0, nullptr), to);
  GOMP_taskwait();
  EXPECT_EQ(to[8], 0);
}

TEST(OmpInterop, ConstructMakesNone) {
  std::uintptr_t first = 7;
  std::uintptr_t second = 8;
  std::uintptr_t gone = 9;
  std::uintptr_t* init[] = {&first, &second};
  std::uintptr_t* destroy[] = {&gone};
  GOMP_interop(0, 2, init, nullptr, nullptr, 0, nullptr, 1, destroy, 0, nullptr);
  EXPECT_EQ(first + second + gone, 0u);
}

TEST(OmpInterop, NothingToInteroperateWith) {
  int result = 77;
  EXPECT_EQ(omp_get_num_interop_properties(0), 0);
  EXPECT_EQ(omp_get_interop_int(0, -1, &result), 0);
  EXPECT_EQ(result, -1);
  EXPECT_EQ(omp_get_interop_ptr(0, 0, &result), nullptr);
  EXPECT_EQ(result, -2);
  EXPECT_EQ(omp_get_interop_str(0, -10, nullptr), nullptr);
  EXPECT_STREQ(omp_get_interop_name(0, -1), "fr_id");
  EXPECT_STREQ(omp_get_interop_name(0, -9), "targetsync");
  EXPECT_EQ(omp_get_interop_name(0, -10), nullptr);
  EXPECT_STREQ(omp_get_interop_rc_desc(0, 0), "success");
  EXPECT_EQ(omp_get_interop_rc_desc(0, 2), nullptr);
  EXPECT_EQ(omp_get_interop_rc_desc(0, -7), nullptr);
  const char* text;
  std::size_t length;
  omp_get_interop_name_(&text, &length, 0, -3);
  EXPECT_EQ(std::string(text, length), "vendor");
}

}  // namespace
