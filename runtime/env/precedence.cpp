// SPDX-License-Identifier: Apache-2.0
#include "env/precedence.h"

#include <initializer_list>

#include "env/settings.h"
#include "env/threads_reserve.h"

namespace bobbin {
namespace {

Settings::Given& given(Settings& settings, std::string_view name) {
  return settings.given[variable_index(name)];
}

bool accepted(Settings& settings, std::string_view name) {
  return given(settings, name).accepted();
}

// Marks `loser` as outdone by `winner`, an accepted variable with the same subject.
void outdo(Settings& settings, const char* winner, std::string_view loser) {
  Settings::Given& given_loser = given(settings, loser);
  if (!given_loser.accepted()) return;
  given_loser.result = Parsed::Outdone;
  given_loser.why = winner;
}

// The first of these that the user has given, else the first that the program has set; null: none.
const char* first_of(Settings& settings, std::initializer_list<const char*> names) {
  const char* of_program = nullptr;
  for (const char* name : names) {
    if (!accepted(settings, name)) continue;
    if (given(settings, name).users) return name;
    if (of_program == nullptr) of_program = name;
  }
  return of_program;
}

// That one counts, and is returned.
const char* let_first_win(Settings& settings, std::initializer_list<const char*> names) {
  const char* winner = first_of(settings, names);
  for (const char* name : names) {
    if (name != winner) outdo(settings, winner, name);
  }
  return winner;
}

void ignore(Settings& settings, std::string_view name, const char* why) {
  Settings::Given& ignored = given(settings, name);
  if (!ignored.accepted()) return;
  ignored.result = Parsed::Vain;
  ignored.why = why;
}

void settle_binding(Settings& settings) {
  GlobalIcvs& icvs = settings.icvs;
  Settings::Given& bind = given(settings, "OMP_PROC_BIND");
  const char* places = first_of(settings, {"OMP_PLACES", "GOMP_CPU_AFFINITY"});
  const char* winner =
      first_of(settings, {"KMP_AFFINITY", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"});
  if (icvs.affinity.decides() && std::string_view(winner) != "KMP_AFFINITY") {
    outdo(settings, winner, "KMP_AFFINITY");
    icvs.affinity.type = AffinityType::NotGiven;
  }
  if (icvs.affinity.decides()) {
    let_first_win(settings, {"KMP_AFFINITY", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"});
    bind.origin = "KMP_AFFINITY";
    icvs.places_text = icvs.cpu_affinity_text = nullptr;
    icvs.places_given = false;
    icvs.bind.count = 0;
    const bool spread = icvs.affinity.type == AffinityType::Balanced;
    icvs.initial.bind = spread ? ProcBind::Spread : ProcBind::Close;
    if (icvs.affinity.type == AffinityType::None) icvs.initial.bind = ProcBind::False;
  } else {
    let_first_win(settings, {"OMP_PLACES", "GOMP_CPU_AFFINITY"});
    if (places != nullptr && !bind.accepted()) {
      icvs.initial.bind = ProcBind::True;
      bind.origin = places;
    }
    if (places != nullptr && !icvs.binds_threads()) {
      ignore(settings, places, "with OMP_PROC_BIND=false no thread is bound to a place");
    }
  }
  if (icvs.affinity.verbose && !accepted(settings, "OMP_DISPLAY_AFFINITY")) {
    icvs.display_affinity = true;
    given(settings, "OMP_DISPLAY_AFFINITY").origin = "KMP_AFFINITY";
  }
}

void settle_levels(Settings& settings) {
  GlobalIcvs& icvs = settings.icvs;
  Settings::Given& levels = given(settings, "OMP_MAX_ACTIVE_LEVELS");
  const char* winner = let_first_win(settings, {"OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED"});
  if (winner != nullptr) {
    levels.origin = winner;
  } else if (icvs.nthreads.count > 1 || icvs.bind.count > 1) {
    // From OpenMP 5.1 on, a list for several levels requests nested active levels.
    icvs.initial.max_active_levels = kSupportedActiveLevels;
    levels.origin = icvs.nthreads.count > 1 ? "OMP_NUM_THREADS" : "OMP_PROC_BIND";
  }
}

void settle_waiting(Settings& settings) {
  GlobalIcvs& icvs = settings.icvs;
  // Libraries set LLVM's default without knowing which runtime serves them (ggml). So they ask for
  // a default, and it is Bobbin's that counts.
  constexpr std::uint64_t kLlvmsDefault = 200'000'000;
  if (!given(settings, "KMP_BLOCKTIME").users && icvs.block_time_ns == kLlvmsDefault) {
    ignore(settings, "KMP_BLOCKTIME", "the program sets LLVM's default, and Bobbin has its own");
  }
  // `serial` says nothing about waiting.
  if (icvs.library == KmpLibrary::Serial) {
    let_first_win(settings, {"KMP_BLOCKTIME", "GOMP_SPINCOUNT"});
    outdo(settings, "KMP_LIBRARY", "OMP_WAIT_POLICY");
  } else {
    let_first_win(settings, {"KMP_BLOCKTIME", "GOMP_SPINCOUNT", "KMP_LIBRARY", "OMP_WAIT_POLICY"});
  }
  if (!accepted(settings, "KMP_BLOCKTIME")) icvs.block_time_ns = kSpinUnset;
  if (!accepted(settings, "GOMP_SPINCOUNT")) icvs.spin_count = kSpinUnset;
  if (icvs.library != KmpLibrary::NotGiven && !accepted(settings, "OMP_WAIT_POLICY")) {
    icvs.wait_policy =
        icvs.library == KmpLibrary::Turnaround ? WaitPolicy::Active : WaitPolicy::Default;
    given(settings, "OMP_WAIT_POLICY").origin = "KMP_LIBRARY";
  }
}

void settle_thread_limit(Settings& settings) {
  GlobalIcvs& icvs = settings.icvs;
  Settings::Given& limit = given(settings, "OMP_THREAD_LIMIT");
  const char* device = let_first_win(settings, {"KMP_DEVICE_THREAD_LIMIT", "KMP_ALL_THREADS"});
  if (icvs.library == KmpLibrary::Serial) {
    icvs.initial.thread_limit = 1;
    limit.origin = "KMP_LIBRARY";
    let_first_win(settings, {"KMP_LIBRARY", "OMP_THREAD_LIMIT", "KMP_DEVICE_THREAD_LIMIT",
                             "KMP_ALL_THREADS"});
  } else if (icvs.device_thread_limit < icvs.initial.thread_limit) {
    icvs.initial.thread_limit = icvs.device_thread_limit;
    limit.origin = device;
    outdo(settings, device, "OMP_THREAD_LIMIT");
  } else if (device != nullptr && limit.accepted()) {
    outdo(settings, "OMP_THREAD_LIMIT", device);
  }
}

}  // namespace

void settle_precedence(const Machine& machine, Settings& settings) {
  GlobalIcvs& icvs = settings.icvs;
  const char* processors = icvs.quota != 0 && icvs.quota < icvs.mask_processors
                               ? "processors of the cgroup quota"
                               : "processors of the affinity mask";
  given(settings, "OMP_NUM_THREADS").basis = processors;
  given(settings, "BOBBIN_WORKERS").basis = processors;

  Settings::Given& stack = given(settings, "OMP_STACKSIZE");
  stack.origin = let_first_win(settings, {"KMP_STACKSIZE", "OMP_STACKSIZE", "GOMP_STACKSIZE"});
  stack.basis = "the limit of the main thread's stack";

  settle_binding(settings);
  settle_levels(settings);
  settle_waiting(settings);
  settle_thread_limit(settings);
  if (!settle_threads_reserve(icvs)) {
    ignore(settings, "OMP_THREADS_RESERVE", "the thread limit leaves no room for so many");
  }

  if (icvs.show_settings) {
    const char* winner = let_first_win(settings, {"OMP_DISPLAY_ENV", "KMP_SETTINGS"});
    if (std::string_view(winner) == "KMP_SETTINGS") icvs.display_env = DisplayEnv::Verbose;
    given(settings, "OMP_DISPLAY_ENV").origin = winner;
  }
  if (icvs.cancellation && icvs.deterministic_reduction) {
    outdo(settings, "OMP_CANCELLATION", "KMP_DETERMINISTIC_REDUCTION");
  }
  // Section 2.2: mandatory offloading, and there is no device.
  Settings::Given& device = given(settings, "OMP_DEFAULT_DEVICE");
  if (!device.accepted() && icvs.target_offload == TargetOffload::Mandatory) {
    icvs.initial.default_device = kNoDevice;
    device.origin = "OMP_TARGET_OFFLOAD";
  }
  if (machine.hw_subset_problem != nullptr && accepted(settings, "KMP_HW_SUBSET")) {
    ignore(settings, "KMP_HW_SUBSET", machine.hw_subset_problem);
    icvs.hw_subset_text = nullptr;
  }
}

const Settings::Given& speaker(const Settings& settings, std::string_view row) {
  const Settings::Given& own = settings.given[variable_index(row)];
  if (own.accepted() || own.origin == nullptr) return own;
  return settings.given[variable_index(own.origin)];
}

}  // namespace bobbin
