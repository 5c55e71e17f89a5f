// SPDX-License-Identifier: Apache-2.0
//
// The internal control variables of OpenMP 5.2, section 2. Icvs holds those of a data environment
// (tasks share one until they change it). GlobalIcvs holds those of the device and of the program,
// which are fixed once init_env() has read the environment.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "env/syntax/kmp_affinity.h"
#include "env/syntax/task_policy.h"

namespace bobbin {

// The values are those of omp_sched_t.
enum class ScheduleKind : std::uint8_t { Static = 1, Dynamic = 2, Guided = 3, Auto = 4 };

enum class ScheduleModifier : std::uint8_t { None, Monotonic, Nonmonotonic };

struct Schedule {
  ScheduleKind kind = ScheduleKind::Dynamic;
  ScheduleModifier modifier = ScheduleModifier::None;
  long chunk = 1;  // 0: none given (static: one block a thread; dynamic, guided: 1)

  bool operator==(const Schedule&) const = default;
};

// The values are those of omp_proc_bind_t.
enum class ProcBind : std::uint8_t { False = 0, True = 1, Primary = 2, Close = 3, Spread = 4 };

inline constexpr unsigned kNoThreadLimit = INT_MAX;
inline constexpr unsigned kMostFreeAgents =
    63;  // of a contention group: team/regions/free_agents.h
inline constexpr unsigned kSupportedActiveLevels = 255;
inline constexpr std::uintptr_t kDefaultMemAlloc = 1;  // omp_default_mem_alloc
inline constexpr int kNoDevice = -4;                   // omp_invalid_device

// The clause num_threads with a list (OpenMP 6.0, section 12.1.2). The first number is for the
// region itself. Each next number is for the next nesting level in it, and the last one is for all
// further levels.
struct ThreadsList {
  static constexpr unsigned kMost = 8;

  unsigned level = 0;  // level of the region
  unsigned count = 0;
  unsigned items[kMost] = {};

  // The number for a region that is met in a region of level `outer`.
  unsigned within(unsigned outer) const {
    unsigned index = outer - level + 1;
    return items[index < count ? index : count - 1];
  }
};

struct Icvs {
  Schedule run_sched;
  std::uintptr_t default_allocator = kDefaultMemAlloc;  // omp_allocator_handle_t
  unsigned nthreads = 1;                                // of the next parallel region
  unsigned thread_limit = kNoThreadLimit;
  unsigned max_active_levels = 1;
  int default_device = 0;  // kNoDevice: see env/precedence.cpp
  bool dyn = false;
  ProcBind bind = ProcBind::False;            // of the next parallel region
  TaskPolicy task_policy;                     // likewise: BOBBIN_TASK_POLICY
  const ThreadsList* threads_list = nullptr;  // the list that gave `nthreads`; an enclosing team's

  bool operator==(const Icvs&) const = default;
};
static_assert(std::is_trivially_copyable_v<Icvs> && sizeof(Icvs) <= 64);

// OMP_THREADS_RESERVE (OpenMP 6.0, section 4.3.10).
struct ThreadsReserve {
  unsigned structured = 1;
  unsigned free_agent = 0;
};

enum class WaitPolicy : std::uint8_t { Default, Active, Passive };
enum class ProviderChoice : std::uint8_t { Auto, Fiber, Kernel };

// How dynamic loops distribute their iterations.
enum class DynamicOrder : std::uint8_t { Batches, Ascending };
enum class Share : std::uint8_t { Full, Fair };
enum class KmpLibrary : std::uint8_t { NotGiven, Throughput, Turnaround, Serial };
enum class DisplayEnv : std::uint8_t { No, Yes, Verbose };
enum class TargetOffload : std::uint8_t { Default, Mandatory, Disabled };
enum class ToolState : std::uint8_t { Enabled, Disabled };

// A value for each nesting level: item k is for regions k levels deep. Lists longer than the inline
// room are in one block that is never freed (they come from the environment, once).
template <class T>
struct LevelList {
  static constexpr unsigned kInline = 8;

  unsigned count = 0;
  T inline_items[kInline] = {};
  T* spilled = nullptr;

  const T* items() const { return spilled != nullptr ? spilled : inline_items; }
  T operator[](unsigned level) const { return items()[level]; }
};

inline constexpr std::uint64_t kSpinUnset = ~std::uint64_t{0};
inline constexpr std::uint64_t kSpinInfinite = kSpinUnset - 1;

// A stack below the least has no room for a signal frame on a machine with wide vector registers.
inline constexpr std::size_t kLeastStack = std::size_t{16} << 10;
inline constexpr std::size_t kMostStack = std::size_t{1} << 40;

struct GlobalIcvs {
  LevelList<unsigned> nthreads;  // empty unless OMP_NUM_THREADS was given
  LevelList<ProcBind> bind;      // empty unless OMP_PROC_BIND was given

  unsigned processors = 1;       // usable: the lesser of affinity mask and cgroup quota
  unsigned mask_processors = 1;  // by the affinity mask alone
  unsigned quota = 0;            // by the cgroup alone, rounded up; 0: none
  unsigned workers = 1;          // BOBBIN_WORKERS, by default `processors`
  bool workers_given = false;    // the number stays if processors come or go

  std::size_t stack_size = 0;   // bytes of a thread's stack; within the bounds, after init_env
  std::size_t task_memory = 0;  // bytes deferred tasks may take; beyond it new tasks run in place

  std::uint64_t spin_count = kSpinUnset;     // GOMP_SPINCOUNT: rounds, kSpinInfinite, or unset
  std::uint64_t block_time_ns = kSpinUnset;  // KMP_BLOCKTIME: likewise, in nanoseconds
  WaitPolicy wait_policy = WaitPolicy::Default;

  ProviderChoice provider = ProviderChoice::Auto;
  bool soft_binding = false;  // BOBBIN_BIND, see sched/places/soft_binding.h
  Share share = Share::Full;
  DisplayEnv display_env = DisplayEnv::No;
  TargetOffload target_offload = TargetOffload::Default;
  ToolState tool = ToolState::Enabled;
  bool cancellation = false;
  bool display_affinity = false;
  bool debug = false;         // OMP_DEBUG: third-party debuggers (OMPD)
  bool places_given = false;  // OMP_PLACES or GOMP_CPU_AFFINITY: places.h has them
  KmpLibrary library = KmpLibrary::NotGiven;
  bool warnings = true;        // KMP_WARNINGS
  bool show_settings = false;  // KMP_SETTINGS
  bool show_version = false;   // KMP_VERSION
  bool deterministic_reduction = false;
  DynamicOrder dynamic_order = DynamicOrder::Batches;
  KmpAffinity affinity;  // replaces OMP_PROC_BIND and places
  int max_task_priority = 0;
  std::uint32_t heuristics_off = 0;  // BOBBIN_TUNING: env/tuning.h
  bool count_heuristics = false;     // and reports the counts
  ThreadsReserve threads_reserve;
  unsigned free_agents = 0;  // so many a contention group may have
  unsigned structured_thread_limit = kNoThreadLimit;
  unsigned nteams = 0;                            // of the host; 0: not set
  unsigned teams_thread_limit = 0;                // of the host; 0: not set
  unsigned device_thread_limit = kNoThreadLimit;  // KMP_DEVICE_THREAD_LIMIT

  // Text as it stands in the environment block; null when not given.
  const char* places_text = nullptr;
  const char* cpu_affinity_text = nullptr;
  const char* hw_subset_text = nullptr;
  const char* tool_libraries = nullptr;
  const char* tool_verbose_init = "disabled";
  const char* affinity_format = nullptr;

  Icvs initial;  // of the initial task

  bool binds_threads() const { return initial.bind != ProcBind::False; }
};

namespace detail {
[[gnu::visibility("hidden")]] extern GlobalIcvs global_icvs_storage;
}

inline const GlobalIcvs& global_icvs() { return detail::global_icvs_storage; }

inline Icvs initial_icvs() { return global_icvs().initial; }

// The ICVs that the implicit tasks of a new parallel region start with (section 2.4): those of the
// parent task, except those that the environment gives per nesting level. `level` is that of the
// new region: 1 for an outermost one.
inline Icvs inherit_icvs(const Icvs& parent, unsigned level) {
  Icvs icvs = parent;
  const GlobalIcvs& global = global_icvs();
  if (parent.threads_list != nullptr) {
    icvs.nthreads = parent.threads_list->within(level);
  } else if (level < global.nthreads.count) {
    icvs.nthreads = global.nthreads[level];
  }
  if (level < global.bind.count) icvs.bind = global.bind[level];
  return icvs;
}

}  // namespace bobbin
