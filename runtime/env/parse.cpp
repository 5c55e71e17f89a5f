// SPDX-License-Identifier: Apache-2.0
#include "env/settings.h"
#include "platform/diagnostics.h"

namespace bobbin {
namespace {

constexpr std::size_t kDefaultTaskMemory = std::size_t{256} << 20;

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && slice(text, text.size() - suffix.size()) == suffix;
}

std::string_view name_in(const char* entry) {
  std::size_t length = 0;
  while (entry[length] != '\0' && entry[length] != '=') ++length;
  return {entry, length};
}

// Levenshtein's distance; names longer than the row are far from everything.
unsigned edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kLongest = 48;
  if (a.size() > kLongest || b.size() > kLongest) return kLongest;
  unsigned char row[kLongest + 1] = {};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<unsigned char>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    unsigned char diagonal = row[0];
    row[0] = static_cast<unsigned char>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned char substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      const unsigned char gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = substituted < gap ? substituted : gap;
    }
  }
  return row[b.size()];
}

// Only our own prefix is ours to police: OMP_ and the vendors' may belong to another runtime.
void warn_unknown(std::string_view name) {
  constexpr std::string_view kPrefix = "BOBBIN_";
  std::string_view nearest;
  unsigned least = ~0U;
  for (const Variable& variable : variable_table()) {
    if (variable.group != VariableGroup::Own) continue;
    const unsigned distance =
        edit_distance(slice(name, kPrefix.size()), slice(variable.name, kPrefix.size()));
    if (distance < least) {
      least = distance;
      nearest = variable.name;
    }
  }
  warn("there is no variable %.*s; the nearest is %.*s", static_cast<int>(name.size()), name.data(),
       static_cast<int>(nearest.size()), nearest.data());
}

// Notes where in the environment a variable stands. As with getenv, the first of two counts; a
// NAME_ALL (OpenMP 6.0, chapter 4: for all devices and the host) counts when NAME is not there.
void note(const char* entry, std::string_view name, Settings& settings) {
  constexpr std::string_view kAll = "_ALL";
  const VariableTable table = variable_table();
  const bool for_all = ends_with(name, kAll);
  const std::string_view stem =
      for_all ? std::string_view{name.data(), name.size() - kAll.size()} : name;
  for (unsigned i = 0; i < table.count; ++i) {
    const bool exact = name == table.rows[i].name;
    const bool all =
        for_all && table.rows[i].group == VariableGroup::Device && stem == table.rows[i].name;
    if (!exact && !all) continue;
    Settings::Given& given = settings.given[i];
    const bool replaces = given.name == nullptr || (exact && ends_with(name_in(given.name), kAll));
    // An empty value is the shell's way to take a variable back.
    if (replaces && !trimmed(entry + name.size() + 1).empty()) {
      given.name = entry;
      given.text = entry + name.size() + 1;
    }
    return;
  }
  constexpr std::string_view kOfTheLab = "BOBBIN_LAB_";
  if (starts_with(name, "BOBBIN_") && !starts_with(name, kOfTheLab)) warn_unknown(name);
}

// Tuning of LLVM's and Intel's runtimes that has nothing to act on here. One line for all of them.
constexpr std::string_view kNotApplicable[] = {
    "KMP_ABORT_DELAY",
    "KMP_ADAPTIVE_LOCK_PROPS",
    "KMP_ALIGN_ALLOC",
    "KMP_ALL_THREADPRIVATE",
    "KMP_ATOMIC_MODE",
    "KMP_CONSISTENCY_CHECK",
    "KMP_CPUINFO_FILE",
    "KMP_DISP_NUM_BUFFERS",
    "KMP_DYNAMIC_MODE",
    "KMP_ENABLE_TASK_THROTTLING",
    "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE",
    "KMP_FORCE_REDUCTION",
    "KMP_FORKJOIN_BARRIER",
    "KMP_FORKJOIN_BARRIER_PATTERN",
    "KMP_GTID_MODE",
    "KMP_HANDLE_SIGNALS",
    "KMP_HIDDEN_HELPER_AFFINITY",
    "KMP_HOT_TEAMS_MAX_LEVEL",
    "KMP_HOT_TEAMS_MODE",
    "KMP_INHERIT_FP_CONTROL",
    "KMP_INITIAL_THREAD_BIND",
    "KMP_INIT_WAIT",
    "KMP_LOCK_KIND",
    "KMP_MALLOC_POOL_INCR",
    "KMP_MONITOR_STACKSIZE",
    "KMP_MWAIT_HINTS",
    "KMP_NESTING_MODE",
    "KMP_NEXT_WAIT",
    "KMP_NUM_LOCKS_IN_BLOCK",
    "KMP_PLACE_THREADS",
    "KMP_PLAIN_BARRIER",
    "KMP_PLAIN_BARRIER_PATTERN",
    "KMP_REDUCTION_BARRIER",
    "KMP_REDUCTION_BARRIER_PATTERN",
    "KMP_SCHEDULE",
    "KMP_SPIN_BACKOFF_PARAMS",
    "KMP_STACKOFFSET",
    "KMP_STACKPAD",
    "KMP_STORAGE_MAP",
    "KMP_TASKING",
    "KMP_TASKLOOP_MIN_TASKS",
    "KMP_TASK_STEALING_CONSTRAINT",
    "KMP_TEAMS_THREAD_LIMIT",
    "KMP_TEAMS_PROC_BIND",
    "KMP_TOPOLOGY_METHOD",
    "KMP_TPAUSE",
    "KMP_USER_LEVEL_MWAIT",
    "KMP_USE_YIELD",
};

void warn_not_applicable(const char* const* environment) {
  Text<512> names;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view name = name_in(*environment);
    for (const std::string_view known : kNotApplicable) {
      if (name != known) continue;
      if (names.length() != 0) names.add(", ");
      names.add(name);
    }
  }
  if (names.length() != 0) {
    warn("ignoring what tunes LLVM's and Intel's runtimes and has nothing to act on in Bobbin: %s",
         names.c_str());
  }
}

bool concerns_us(const char* entry) {
  switch (entry[0]) {
    case 'O':
      return std::strncmp(entry, "OMP_", 4) == 0;
    case 'G':
      return std::strncmp(entry, "GOMP_", 5) == 0;
    case 'K':
      return std::strncmp(entry, "KMP_", 4) == 0;
    case 'B':
      return std::strncmp(entry, "BOBBIN_", 7) == 0;
    default:
      return false;
  }
}

void set_defaults(const Machine& machine, Settings& settings) {
  settings = Settings{};
  GlobalIcvs& icvs = settings.icvs;
  icvs.processors = machine.processors.count();
  icvs.mask_processors = machine.processors.mask;
  icvs.quota = machine.processors.quota;
  icvs.workers = icvs.processors;
  icvs.stack_size = machine.stack_size;
  icvs.task_memory = kDefaultTaskMemory;
  icvs.initial.nthreads = icvs.processors;
}

Settings::Given& given(Settings& settings, std::string_view name) {
  return settings.given[variable_index(name)];
}

// `winner` was accepted and speaks of the same as `loser`.
void outdo(Settings& settings, const char* winner, std::string_view loser) {
  Settings::Given& given_loser = given(settings, loser);
  if (given_loser.accepted()) given_loser.result = Parsed::Outdone;
  given_loser.derived = winner;
}

// Those who set KMP_* know what they want of LLVM's and Intel's runtimes, where these come before
// OMP_* variables about the same.
void let_kmp_variables_win(Settings& settings) {
  GlobalIcvs& icvs = settings.icvs;
  if (icvs.affinity.decides()) {
    outdo(settings, "KMP_AFFINITY", "OMP_PROC_BIND");
    outdo(settings, "KMP_AFFINITY", "OMP_PLACES");
    outdo(settings, "KMP_AFFINITY", "GOMP_CPU_AFFINITY");
    icvs.places_text = icvs.cpu_affinity_text = nullptr;
    icvs.places_given = false;
    icvs.bind.count = 0;
    const bool spread = icvs.affinity.type == AffinityType::Balanced;
    icvs.initial.bind = spread ? ProcBind::Spread : ProcBind::Close;
    if (icvs.affinity.type == AffinityType::None) icvs.initial.bind = ProcBind::False;
  }
  if (icvs.affinity.verbose && !given(settings, "OMP_DISPLAY_AFFINITY").accepted()) {
    icvs.display_affinity = true;
    given(settings, "OMP_DISPLAY_AFFINITY").derived = "KMP_AFFINITY";
  }
  if (given(settings, "KMP_STACKSIZE").accepted()) {
    outdo(settings, "KMP_STACKSIZE", "OMP_STACKSIZE");
    outdo(settings, "KMP_STACKSIZE", "GOMP_STACKSIZE");
  }
  if (given(settings, "KMP_LIBRARY").accepted()) {
    outdo(settings, "KMP_LIBRARY", "OMP_WAIT_POLICY");
    icvs.wait_policy =
        icvs.library == KmpLibrary::Turnaround ? WaitPolicy::Active : WaitPolicy::Default;
    if (icvs.library == KmpLibrary::Serial) {
      icvs.initial.thread_limit = 1;
      given(settings, "OMP_THREAD_LIMIT").derived = "KMP_LIBRARY";
    }
  }
  if (icvs.device_thread_limit < icvs.initial.thread_limit) {
    icvs.initial.thread_limit = icvs.device_thread_limit;
    outdo(settings, "KMP_DEVICE_THREAD_LIMIT", "OMP_THREAD_LIMIT");
  }
  if (icvs.show_settings && !given(settings, "OMP_DISPLAY_ENV").accepted()) {
    icvs.display_env = DisplayEnv::Verbose;
    given(settings, "OMP_DISPLAY_ENV").derived = "KMP_SETTINGS";
  }
}

// Values that follow from other variables, where the variable itself is silent.
void derive(Settings& settings) {
  GlobalIcvs& icvs = settings.icvs;
  const char* processors = icvs.quota != 0 && icvs.quota < icvs.mask_processors
                               ? "processors of the cgroup quota"
                               : "processors of the affinity mask";
  given(settings, "OMP_NUM_THREADS").derived = processors;
  given(settings, "BOBBIN_WORKERS").derived = processors;

  Settings::Given& levels = given(settings, "OMP_MAX_ACTIVE_LEVELS");
  if (!levels.accepted()) {
    if (given(settings, "OMP_NESTED").accepted()) {
      levels.derived = "OMP_NESTED";
    } else if (icvs.nthreads.count > 1 || icvs.bind.count > 1) {
      // OpenMP 5.1 on: a list for several levels asks for them.
      icvs.initial.max_active_levels = kSupportedActiveLevels;
      levels.derived = "a list with more than one level was given";
    }
  }

  // Section 2.2: with mandatory offloading and no device to offload to.
  Settings::Given& device = given(settings, "OMP_DEFAULT_DEVICE");
  if (!device.accepted() && icvs.target_offload == TargetOffload::Mandatory) {
    icvs.initial.default_device = kNoDevice;
    device.derived = "OMP_TARGET_OFFLOAD";
  }

  Settings::Given& bind = given(settings, "OMP_PROC_BIND");
  if (!bind.accepted() && icvs.places_given) {
    icvs.initial.bind = ProcBind::True;
    bind.derived = icvs.places_text != nullptr ? "OMP_PLACES" : "GOMP_CPU_AFFINITY";
  }
  if (given(settings, "GOMP_STACKSIZE").accepted()) {
    given(settings, "OMP_STACKSIZE").derived = "GOMP_STACKSIZE";
  } else if (!given(settings, "KMP_STACKSIZE").accepted()) {
    given(settings, "OMP_STACKSIZE").derived = "the limit of the main thread's stack";
  }
}

void complain(const Variable& variable, const Settings::Given& given, const Settings& settings) {
  if (given.name == nullptr || given.result == Parsed::Ok || given.result == Parsed::Outdone)
    return;
  Text<256> used;
  variable.print(settings, used);
  const std::string_view name = name_in(given.name);
  const int name_length = static_cast<int>(name.size());
  if (given.result == Parsed::Adjusted) {
    warn("%.*s='%.200s' is out of range; using '%s'", name_length, name.data(), given.text,
         used.c_str());
  } else if (used.view().empty() || used.view() == trimmed(given.text)) {
    // The second: 0 stands for "not set" where it cannot be set.
    warn("%.*s='%.200s' is not understood (expected %s); ignoring it", name_length, name.data(),
         given.text, variable.expected);
  } else {
    warn("%.*s='%.200s' is not understood (expected %s); using '%s'", name_length, name.data(),
         given.text, variable.expected, used.c_str());
  }
}

}  // namespace

void parse_environment(const char* const* environment, const Machine& machine, Settings& settings) {
  set_defaults(machine, settings);
  for (auto entry = environment; entry != nullptr && *entry != nullptr; ++entry) {
    if (!concerns_us(*entry)) continue;
    const std::string_view name = name_in(*entry);
    if ((*entry)[name.size()] == '=') note(*entry, name, settings);
  }
  const VariableTable table = variable_table();
  for (unsigned i = 0; i < table.count; ++i) {
    Settings::Given& given = settings.given[i];
    if (given.name != nullptr) given.result = table.rows[i].parse(given.text, settings);
  }
  derive(settings);
  let_kmp_variables_win(settings);
  if (!settings.icvs.warnings) return;
  warn_not_applicable(environment);
  for (unsigned i = 0; i < table.count; ++i) {
    complain(table.rows[i], settings.given[i], settings);
  }
}

}  // namespace bobbin
