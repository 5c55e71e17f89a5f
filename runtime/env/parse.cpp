// SPDX-License-Identifier: Apache-2.0
#include "env/precedence.h"
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

// Levenshtein's distance. Names that are longer than the row have a large distance to all names.
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

struct Nearest {
  std::string_view name;
  unsigned distance = ~0U;
};

// `group`: only variables of that group.
Nearest nearest_variable(std::string_view name, const VariableGroup* group = nullptr) {
  Nearest nearest;
  for (const Variable& variable : variable_table()) {
    if (group != nullptr && variable.group != *group) continue;
    const unsigned distance = edit_distance(name, variable.name);
    if (distance < nearest.distance) nearest = {variable.name, distance};
  }
  return nearest;
}

constexpr std::string_view kAll = "_ALL";

// The row that a name belongs to, directly or as NAME_ALL. The table's count if it belongs to none.
struct Match {
  unsigned row;
  bool exact;
};

Match match(std::string_view name) {
  const VariableTable table = variable_table();
  const bool for_all = ends_with(name, kAll);
  const std::string_view stem =
      for_all ? std::string_view{name.data(), name.size() - kAll.size()} : name;
  for (unsigned i = 0; i < table.count; ++i) {
    if (name == table.rows[i].name) return {i, true};
    if (for_all && table.rows[i].group == VariableGroup::Device && stem == table.rows[i].name) {
      return {i, false};
    }
  }
  return {table.count, false};
}

// Read by the lab and by the instruments, not by the runtime.
bool is_of_other_parts(std::string_view name) {
  return starts_with(name, "BOBBIN_LAB_") || name == "BOBBIN_RECORD" ||
         name == "BOBBIN_RECORD_GRAPH" || name == "BOBBIN_TRACE_BUFFER";
}

// Notes where in the environment a variable is. As with getenv, the first of two entries counts. A
// NAME_ALL (OpenMP 6.0, chapter 4: for all devices and the host) counts when NAME is not there.
void note(const char* entry, std::string_view name, bool users, Settings& settings) {
  const Match found = match(name);
  if (found.row == variable_table().count) return;
  Settings::Given& given = settings.given[found.row];
  const bool replaces = given.name == nullptr || (found.exact && ends_with(name_of(given), kAll));
  // An empty value counts as not given: a shell uses it to cancel a variable.
  if (replaces && !trimmed(entry + name.size() + 1).empty()) {
    given.name = entry;
    given.text = entry + name.size() + 1;
    given.users = users;
  }
}

// Tuning variables of LLVM's and Intel's runtimes that have nothing to act on here. One warning
// covers all of them.
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

bool is_not_applicable(std::string_view name) {
  for (const std::string_view known : kNotApplicable) {
    if (name == known) return true;
  }
  return false;
}

void warn_not_applicable(const char* const* environment) {
  Text<512> names;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view name = name_in(*environment);
    if (!is_not_applicable(name)) continue;
    if (names.length() != 0) names.add(", ");
    names.add(name);
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

// Warns about names that no variable has. A name with our own prefix is always a mistake. One with
// OMP_ or a vendor's prefix may belong to another runtime, so it has to be almost a name that
// counts here.
void warn_of_unknown_ones(const char* const* environment) {
  constexpr VariableGroup kOurs = VariableGroup::Own;
  constexpr unsigned kAlmost = 2;        // a letter too many, or two letters that changed places
  constexpr std::size_t kTooShort = 10;  // two letters are a large part of such a name
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view name = name_in(*environment);
    if ((*environment)[name.size()] != '=' || !concerns_us(*environment)) continue;
    if (is_of_other_parts(name) || is_not_applicable(name)) continue;
    if (match(name).row != variable_table().count) continue;
    const bool own = starts_with(name, "BOBBIN_");
    const Nearest nearest = nearest_variable(name, own ? &kOurs : nullptr);
    if (!own && nearest.distance > (name.size() < kTooShort ? 1 : kAlmost)) continue;
    warn("there is no variable %.*s; the nearest is %.*s", static_cast<int>(name.size()),
         name.data(), static_cast<int>(nearest.name.size()), nearest.name.data());
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

void complain(const Variable& variable, const Settings::Given& given, const Settings& settings) {
  const bool wrong = given.result == Parsed::Bad || given.result == Parsed::Adjusted;
  if (given.name == nullptr || !wrong) return;
  Text<256> used;
  variable.print(settings, used);
  const std::string_view name = name_of(given);
  const char* expected = given.why != nullptr ? given.why : variable.expected;
  const int name_length = static_cast<int>(name.size());
  if (given.result == Parsed::Adjusted) {
    warn("%.*s='%.200s' is out of range; using '%s'", name_length, name.data(), given.text,
         used.c_str());
  } else if (used.view().empty() || used.view() == trimmed(given.text)) {
    // In the second case the default prints like the bad value: 0 means "not set" but cannot be
    // given.
    warn("%.*s='%.200s' is not understood (expected %s); ignoring it", name_length, name.data(),
         given.text, expected);
  } else {
    warn("%.*s='%.200s' is not understood (expected %s); using '%s'", name_length, name.data(),
         given.text, expected, used.c_str());
  }
}

void warn_of_hw_subset(const Machine& machine, const Settings& settings) {
  const Settings::Given& subset = settings.given[variable_index("KMP_HW_SUBSET")];
  if (subset.name == nullptr || subset.result != Parsed::Vain) return;
  warn("KMP_HW_SUBSET='%.200s' has no effect: %s", subset.text, machine.hw_subset_problem);
}

// Of variables that write the same field, the one that counts must come last: what the user has
// given comes after what the program has set, and each in the reverse order of the table.
void parse_noted(bool users, Settings& settings) {
  const VariableTable table = variable_table();
  for (unsigned i = table.count; i-- != 0;) {
    Settings::Given& given = settings.given[i];
    if (given.name == nullptr || given.users != users) continue;
    given.result = table.rows[i].parse(given.text, settings);
    if (given.result == Parsed::Vain) given.why = table.rows[i].expected;
  }
}

}  // namespace

std::string_view name_of(const Settings::Given& given) { return name_in(given.name); }

void each_unread(const char* const* environment, UnreadVisit visit, void* user) {
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view name = name_in(*environment);
    if ((*environment)[name.size()] != '=' || !concerns_us(*environment)) continue;
    const char* text = *environment + name.size() + 1;
    if (trimmed(text).empty()) continue;
    if (is_of_other_parts(name) || match(name).row != variable_table().count) continue;
    visit(user, name, text,
          is_not_applicable(name)
              ? "it tunes LLVM's and Intel's runtimes, and has nothing to act on"
              : "there is no such variable in Bobbin");
  }
}

void parse_environment(const char* const* environment, const Machine& machine, Settings& settings) {
  set_defaults(machine, settings);
  for (unsigned i = 0; environment != nullptr && environment[i] != nullptr; ++i) {
    const char* entry = environment[i];
    if (!concerns_us(entry)) continue;
    const std::string_view name = name_in(entry);
    if (entry[name.size()] == '=') note(entry, name, machine.start.hold(entry, i), settings);
  }
  parse_noted(false, settings);
  parse_noted(true, settings);
  settle_precedence(machine, settings);
  if (!settings.icvs.warnings) return;
  const VariableTable table = variable_table();
  warn_of_unknown_ones(environment);
  warn_not_applicable(environment);
  warn_of_hw_subset(machine, settings);
  for (unsigned i = 0; i < table.count; ++i) {
    complain(table.rows[i], settings.given[i], settings);
  }
}

}  // namespace bobbin
