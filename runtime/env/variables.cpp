// SPDX-License-Identifier: Apache-2.0
//
// The table of variables. A new variable is one more row here (and a field in icv.h): reading,
// warnings, OMP_DISPLAY_ENV and `bobbin env` all use the table. Rows are read from the last to the
// first, so if two variables set one field, the one that counts stands first.
#include <algorithm>
#include <climits>

#include "env/field.h"
#include "env/settings.h"
#include "env/syntax/hw_subset.h"
#include "env/syntax/place_syntax.h"
#include "env/threads_reserve.h"
#include "env/tuning.h"
#include "env/value.h"

namespace bobbin {
namespace {

using namespace env;

constexpr std::uint64_t kMostWorkers = 4096;

constexpr Choice<WaitPolicy> kWaitPolicies[] = {{"ACTIVE", WaitPolicy::Active},
                                                {"PASSIVE", WaitPolicy::Passive},
                                                {"DEFAULT", WaitPolicy::Default}};
constexpr Choice<DisplayEnv> kDisplayEnvs[] = {{"FALSE", DisplayEnv::No},
                                               {"TRUE", DisplayEnv::Yes},
                                               {"VERBOSE", DisplayEnv::Verbose},
                                               {"0", DisplayEnv::No},
                                               {"1", DisplayEnv::Yes}};
constexpr Choice<TargetOffload> kOffloads[] = {{"DEFAULT", TargetOffload::Default},
                                               {"MANDATORY", TargetOffload::Mandatory},
                                               {"DISABLED", TargetOffload::Disabled}};
constexpr Choice<ToolState> kToolStates[] = {{"ENABLED", ToolState::Enabled},
                                             {"DISABLED", ToolState::Disabled}};
constexpr Choice<bool> kDebugStates[] = {{"DISABLED", false}, {"ENABLED", true}, {"FALSE", false},
                                         {"TRUE", true},      {"0", false},      {"1", true}};
constexpr Choice<ProviderChoice> kProviders[] = {{"AUTO", ProviderChoice::Auto},
                                                 {"FIBER", ProviderChoice::Fiber},
                                                 {"KERNEL", ProviderChoice::Kernel}};
constexpr Choice<bool> kBindings[] = {{"STRICT", false}, {"SOFT", true}};
constexpr Choice<DynamicOrder> kDynamicOrders[] = {{"BATCHES", DynamicOrder::Batches},
                                                   {"ASCENDING", DynamicOrder::Ascending}};
constexpr Choice<KmpLibrary> kLibraries[] = {{"THROUGHPUT", KmpLibrary::Throughput},
                                             {"TURNAROUND", KmpLibrary::Turnaround},
                                             {"MULTIUSER", KmpLibrary::Throughput},
                                             {"DEDICATED", KmpLibrary::Turnaround},
                                             {"SERIAL", KmpLibrary::Serial}};
constexpr Choice<Share> kShares[] = {{"FULL", Share::Full}, {"FAIR", Share::Fair}};
constexpr Choice<ProcBind> kBindWords[] = {
    {"PRIMARY", ProcBind::Primary}, {"MASTER", ProcBind::Primary}, {"CLOSE", ProcBind::Close},
    {"SPREAD", ProcBind::Spread},   {"TRUE", ProcBind::True},      {"FALSE", ProcBind::False}};

Parsed parse_num_threads(std::string_view text, Settings& settings) {
  Parsed result = Parsed::Ok;
  const bool good = read_list(text, settings.icvs.nthreads, [&](Scanner& scan, unsigned& threads) {
    std::uint64_t value;
    scan.eat('+');
    if (!scan.number(value) || value == 0) return false;
    if (value > INT_MAX) result = Parsed::Adjusted;
    threads = static_cast<unsigned>(value > INT_MAX ? INT_MAX : value);
    return true;
  });
  if (!good) return Parsed::Bad;
  settings.icvs.initial.nthreads = settings.icvs.nthreads[0];
  return result;
}

void print_num_threads(const Settings& settings, TextOut& out) {
  const LevelList<unsigned>& list = settings.icvs.nthreads;
  if (list.count == 0) out.number(settings.icvs.initial.nthreads);
  for (unsigned i = 0; i < list.count; ++i) {
    if (i != 0) out.add(',');
    out.number(list[i]);
  }
}

// "true" and "false" stand alone; a list contains policies only.
Parsed parse_proc_bind(std::string_view text, Settings& settings) {
  bool value;
  if (read_bool(text, value)) {
    settings.icvs.initial.bind = value ? ProcBind::True : ProcBind::False;
    return Parsed::Ok;
  }
  const bool good = read_list(text, settings.icvs.bind, [](Scanner& scan, ProcBind& bind) {
    return read_choice(kBindWords, scan.word(), bind) && bind != ProcBind::True &&
           bind != ProcBind::False;
  });
  if (!good) return Parsed::Bad;
  settings.icvs.initial.bind = settings.icvs.bind[0];
  return Parsed::Ok;
}

void print_proc_bind(const Settings& settings, TextOut& out) {
  const LevelList<ProcBind>& list = settings.icvs.bind;
  if (list.count == 0) out.add(word_of(kBindWords, settings.icvs.initial.bind));
  for (unsigned i = 0; i < list.count; ++i) {
    if (i != 0) out.add(',');
    out.add(word_of(kBindWords, list[i]));
  }
}

Parsed parse_run_schedule(std::string_view text, Settings& settings) {
  return read_schedule(text, settings.icvs.initial.run_sched) ? Parsed::Ok : Parsed::Bad;
}
void print_run_schedule(const Settings& settings, TextOut& out) {
  print_schedule(settings.icvs.initial.run_sched, out);
}

// OMP_NESTED has no field of its own. It sets max-active-levels when no other variable does.
Parsed parse_nested(std::string_view text, Settings& settings) {
  bool nested;
  if (!read_bool(text, nested)) return Parsed::Bad;
  settings.icvs.initial.max_active_levels = nested ? kSupportedActiveLevels : 1;
  return Parsed::Ok;
}
void print_nested(const Settings& settings, TextOut& out) {
  out.add(settings.icvs.initial.max_active_levels > 1 ? "TRUE" : "FALSE");
}

// A number above the supported levels means "no limit" and is no mistake.
Parsed parse_max_active_levels(std::string_view text, Settings& settings) {
  const Parsed result =
      parse_number<&Icvs::max_active_levels, 0, kSupportedActiveLevels>(text, settings);
  return result == Parsed::Adjusted ? Parsed::Ok : result;
}

Parsed parse_stack_size(std::string_view text, Settings& settings, std::size_t unit) {
  std::size_t bytes;
  if (!read_size(text, unit, bytes)) return Parsed::Bad;
  settings.icvs.stack_size = std::clamp(bytes, kLeastStack, kMostStack);
  return settings.icvs.stack_size == bytes ? Parsed::Ok : Parsed::Adjusted;
}
Parsed parse_stack_size(std::string_view text, Settings& settings) {
  return parse_stack_size(text, settings, 1024);
}
// Unlike OMP_STACKSIZE, a number without a unit is in bytes.
Parsed parse_kmp_stack_size(std::string_view text, Settings& settings) {
  return parse_stack_size(text, settings, 1);
}
void print_stack_size(const Settings& settings, TextOut& out) {
  print_size(settings.icvs.stack_size, out);
}

Parsed parse_task_memory(std::string_view text, Settings& settings) {
  std::size_t bytes;
  if (!read_size(text, std::size_t{1} << 20, bytes) || bytes == 0) return Parsed::Bad;
  settings.icvs.task_memory = bytes;
  return Parsed::Ok;
}
void print_task_memory(const Settings& settings, TextOut& out) {
  print_size(settings.icvs.task_memory, out);
}

Parsed parse_workers(std::string_view text, Settings& settings) {
  const Parsed result = parse_number<&GlobalIcvs::workers, 1, kMostWorkers>(text, settings);
  if (result != Parsed::Bad) settings.icvs.workers_given = true;
  return result;
}

Parsed parse_tuning(std::string_view text, Settings& settings) {
  return read_tuning(text, settings.icvs) ? Parsed::Ok : Parsed::Bad;
}
void print_tuning_row(const Settings& settings, TextOut& out) { print_tuning(settings.icvs, out); }

Parsed parse_places(std::string_view text, Settings& settings) {
  if (!places_are_valid(text)) return Parsed::Bad;
  settings.icvs.places_text = text.data();
  settings.icvs.places_given = true;
  return Parsed::Ok;
}
void print_places(const Settings& settings, TextOut& out) {
  if (settings.icvs.places_text != nullptr) out.add(trimmed(settings.icvs.places_text));
}

Parsed parse_affinity_list(std::string_view text, Settings& settings) {
  if (!cpu_affinity_is_valid(text)) return Parsed::Bad;
  settings.icvs.cpu_affinity_text = text.data();
  settings.icvs.places_given = true;
  return Parsed::Ok;
}
void print_affinity_list(const Settings& settings, TextOut& out) {
  if (settings.icvs.cpu_affinity_text != nullptr) out.add(trimmed(settings.icvs.cpu_affinity_text));
}

Parsed parse_default_allocator(std::string_view text, Settings& settings) {
  if (!parse_allocator(text, settings.allocator)) return Parsed::Bad;
  settings.icvs.initial.default_allocator = settings.allocator.handle;
  return Parsed::Ok;
}
void print_default_allocator(const Settings& settings, TextOut& out) {
  print_allocator(settings.allocator, out);
}

Parsed parse_spin_count(std::string_view text, Settings& settings) {
  return read_spin_count(text, settings.icvs.spin_count) ? Parsed::Ok : Parsed::Bad;
}
Parsed parse_block_time(std::string_view text, Settings& settings) {
  return read_block_time(text, settings.icvs.block_time_ns) ? Parsed::Ok : Parsed::Bad;
}

void print_spins(std::uint64_t value, TextOut& out) {
  if (value == kSpinInfinite) {
    out.add("INFINITE");
  } else if (value != kSpinUnset) {
    out.number(value);
  }
}
void print_spin_count(const Settings& settings, TextOut& out) {
  print_spins(settings.icvs.spin_count, out);
}
void print_block_time(const Settings& settings, TextOut& out) {
  print_spins(settings.icvs.block_time_ns, out);
  if (settings.icvs.block_time_ns < kSpinInfinite) out.add("ns");
}

Parsed parse_affinity(std::string_view text, Settings& settings) {
  const char*& expected = settings.given[variable_index("KMP_AFFINITY")].why;
  switch (parse_kmp_affinity(text, settings.icvs.affinity)) {
    case AffinityFault::None:
      return Parsed::Ok;
    case AffinityFault::Syntax:
      break;
    case AffinityFault::ListMissing:
      expected = "processors beside the type explicit, as in proclist=[0-3],explicit";
      break;
    case AffinityFault::ListUnused:
      expected = "the type explicit beside processors, as in proclist=[0-3],explicit";
      break;
  }
  return Parsed::Bad;
}
void print_affinity(const Settings& settings, TextOut& out) {
  const KmpAffinity& affinity = settings.icvs.affinity;
  if (affinity.type == AffinityType::NotGiven) return;
  if (affinity.verbose) out.add("verbose,");
  if (!affinity.processors.empty()) {
    out.add("proclist=[");
    out.add(affinity.processors);
    out.add("],");
  }
  out.add("granularity=");
  // The word for the unit, without the plural of OMP_PLACES.
  const std::string_view unit = place_unit_name(affinity.granularity);
  out.add({unit.data(), unit.size() - 1});
  out.add(',');
  out.add(affinity_type_name(affinity.type));
  if (affinity.permute != 0 || affinity.offset != 0) {
    out.format(",%u,%u", affinity.permute, affinity.offset);
  }
}

Parsed parse_subset(std::string_view text, Settings& settings) {
  HwSubset subset;
  if (!parse_hw_subset(text, subset)) return Parsed::Bad;
  settings.icvs.hw_subset_text = text.data();
  return Parsed::Ok;
}
void print_subset(const Settings& settings, TextOut& out) {
  if (settings.icvs.hw_subset_text != nullptr) out.add(trimmed(settings.icvs.hw_subset_text));
}

Parsed parse_task_policy(std::string_view text, Settings& settings) {
  TaskPolicy& policy = settings.icvs.initial.task_policy;
  return read_task_policy(text, PolicyPart::All, policy) ? Parsed::Ok : Parsed::Bad;
}
void print_policy(const Settings& settings, TextOut& out) {
  print_task_policy(settings.icvs.initial.task_policy, out);
}

// Variables of other runtimes that set nothing in Bobbin. They are accepted, so that they are not
// reported as unknown.
Parsed parse_ignored(std::string_view, Settings&) { return Parsed::Vain; }
void print_nothing(const Settings&, TextOut&) {}

constexpr VariableGroup kDevice = VariableGroup::Device;
constexpr VariableGroup kProgram = VariableGroup::Program;
constexpr VariableGroup kVendor = VariableGroup::Vendor;
constexpr VariableGroup kOwn = VariableGroup::Own;
constexpr const char* kBool = "true, yes, on, 1 or false, no, off, 0";
constexpr const char* kCount = "a positive whole number";
constexpr const char* kWhole = "a whole number, 0 or more";
constexpr const char* kEnabled = "enabled or disabled";
constexpr const char* kSize = "a number, also with B, K, M, G or T, from 16K to 1T";

// clang-format off
constexpr Variable kVariables[] = {
  {"OMP_DYNAMIC", kDevice, parse_bool<&Icvs::dyn>, print_bool<&Icvs::dyn>, kBool},
  {"OMP_MAX_ACTIVE_LEVELS", kDevice, parse_max_active_levels,
   print_number<&Icvs::max_active_levels>, kWhole},
  {"OMP_NESTED", kDevice, parse_nested, print_nested, kBool, Row::None},
  {"OMP_NUM_THREADS", kDevice, parse_num_threads, print_num_threads,
   "positive whole numbers, one a nesting level, with commas"},
  {"OMP_SCHEDULE", kDevice, parse_run_schedule, print_run_schedule,
   "[monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]"},
  {"OMP_PROC_BIND", kDevice, parse_proc_bind, print_proc_bind,
   "true, false or another truth value, or primary|master|close|spread, one a nesting level, with "
   "commas"},
  {"OMP_PLACES", kDevice, parse_places, print_places,
   "threads|cores|ll_caches|numa_domains|sockets[(count)], or a list like {0:4}:2:4"},
  {"KMP_STACKSIZE", kVendor, parse_kmp_stack_size, print_stack_size, kSize, Row::None},
  {"OMP_STACKSIZE", kDevice, parse_stack_size, print_stack_size, kSize},
  {"OMP_WAIT_POLICY", kDevice, parse_choice<&GlobalIcvs::wait_policy, kWaitPolicies>,
   print_choice<&GlobalIcvs::wait_policy, kWaitPolicies>, "active, passive or default"},
  {"OMP_THREAD_LIMIT", kDevice, parse_number<&Icvs::thread_limit, 1, kNoThreadLimit>,
   print_number<&Icvs::thread_limit>, kCount},
  {"OMP_THREADS_RESERVE", kDevice, parse_threads_reserve, print_threads_reserve,
   "a whole number, structured or free_agent, or structured(n),free_agent(m)"},
  {"OMP_NUM_TEAMS", kDevice, parse_number<&GlobalIcvs::nteams, 1, INT_MAX>,
   print_number<&GlobalIcvs::nteams>, kCount},
  {"OMP_TEAMS_THREAD_LIMIT", kDevice, parse_number<&GlobalIcvs::teams_thread_limit, 1, INT_MAX>,
   print_number<&GlobalIcvs::teams_thread_limit>, kCount},
  {"OMP_CANCELLATION", kProgram, parse_bool<&GlobalIcvs::cancellation>,
   print_bool<&GlobalIcvs::cancellation>, kBool},
  {"OMP_DEFAULT_DEVICE", kProgram, parse_number<&Icvs::default_device, 0, INT_MAX>,
   print_number<&Icvs::default_device>, kWhole},
  {"OMP_MAX_TASK_PRIORITY", kProgram, parse_number<&GlobalIcvs::max_task_priority, 0, INT_MAX>,
   print_number<&GlobalIcvs::max_task_priority>, kWhole},
  {"OMP_DISPLAY_ENV", kProgram, parse_choice<&GlobalIcvs::display_env, kDisplayEnvs>,
   print_choice<&GlobalIcvs::display_env, kDisplayEnvs>, "true, 1, false, 0 or verbose"},
  {"OMP_DISPLAY_AFFINITY", kProgram, parse_bool<&GlobalIcvs::display_affinity>,
   print_bool<&GlobalIcvs::display_affinity>, kBool},
  {"OMP_AFFINITY_FORMAT", kDevice, parse_text<&GlobalIcvs::affinity_format>,
   print_text<&GlobalIcvs::affinity_format>, "a format"},
  {"OMP_ALLOCATOR", kDevice, parse_default_allocator, print_default_allocator,
   "omp_..._mem_alloc, or omp_..._mem_space[:trait=value,...], as of default, large_cap, const, "
   "high_bw, low_lat"},
  {"OMP_TARGET_OFFLOAD", kProgram, parse_choice<&GlobalIcvs::target_offload, kOffloads>,
   print_choice<&GlobalIcvs::target_offload, kOffloads>, "default, mandatory or disabled"},
  {"OMP_TOOL", kProgram, parse_choice<&GlobalIcvs::tool, kToolStates>,
   print_choice<&GlobalIcvs::tool, kToolStates>, kEnabled},
  {"OMP_TOOL_LIBRARIES", kProgram, parse_text<&GlobalIcvs::tool_libraries>,
   print_text<&GlobalIcvs::tool_libraries>, "paths with colons"},
  {"OMP_TOOL_VERBOSE_INIT", kProgram, parse_text<&GlobalIcvs::tool_verbose_init>,
   print_text<&GlobalIcvs::tool_verbose_init>, "disabled, stdout, stderr or a file"},
  {"OMP_DEBUG", kProgram, parse_choice<&GlobalIcvs::debug, kDebugStates>,
   print_choice<&GlobalIcvs::debug, kDebugStates>, "enabled, true, 1 or disabled, false, 0"},
  {"GOMP_CPU_AFFINITY", kVendor, parse_affinity_list, print_affinity_list,
   "processors like 0 3 4-15:2, with blanks or commas"},
  {"GOMP_STACKSIZE", kVendor, parse_stack_size, print_stack_size, kSize, Row::None},
  {"GOMP_SPINCOUNT", kVendor, parse_spin_count, print_spin_count,
   "a number, also with k, M, G or T, or infinite (infinity)"},
  {"GOMP_DEBUG", kVendor, parse_ignored, print_nothing,
   "Bobbin has none of libgomp's debugging messages", Row::None},
  {"KMP_BLOCKTIME", kVendor, parse_block_time, print_block_time,
   "milliseconds, a time with ns, us, ms or s, or infinite (infinity)"},
  {"KMP_AFFINITY", kVendor, parse_affinity, print_affinity,
   "[modifier,...]none|disabled|compact|scatter|balanced|explicit[,permute][,offset], or "
   "logical|physical[,offset]"},
  {"KMP_HW_SUBSET", kVendor, parse_subset, print_subset,
   "[:] and numbers or * of s (sockets), n (numa_domains), l3 (ll_caches, tiles), c (cores), "
   "t (threads), each also with @offset, like 1s,4c@2,1t"},
  {"KMP_DEVICE_THREAD_LIMIT", kVendor, parse_number<&GlobalIcvs::device_thread_limit, 1, kNoThreadLimit>,
   print_number<&GlobalIcvs::device_thread_limit>, kCount, Row::None},
  {"KMP_ALL_THREADS", kVendor, parse_number<&GlobalIcvs::device_thread_limit, 1, kNoThreadLimit>,
   print_number<&GlobalIcvs::device_thread_limit>, kCount, Row::None},
  {"KMP_LIBRARY", kVendor, parse_choice<&GlobalIcvs::library, kLibraries>,
   print_choice<&GlobalIcvs::library, kLibraries>, "throughput (multiuser), turnaround (dedicated) or serial"},
  {"KMP_SETTINGS", kVendor, parse_bool<&GlobalIcvs::show_settings>, print_bool<&GlobalIcvs::show_settings>, kBool},
  {"KMP_VERSION", kVendor, parse_bool<&GlobalIcvs::show_version>, print_bool<&GlobalIcvs::show_version>, kBool},
  {"KMP_DETERMINISTIC_REDUCTION", kVendor, parse_bool<&GlobalIcvs::deterministic_reduction>,
   print_bool<&GlobalIcvs::deterministic_reduction>, kBool},
  {"KMP_WARNINGS", kVendor, parse_bool<&GlobalIcvs::warnings>,
   print_bool<&GlobalIcvs::warnings>, kBool},
  {"KMP_DUPLICATE_LIB_OK", kVendor, parse_ignored, print_nothing,
   "there is one runtime in a process, whatever brings it along", Row::None},
  {"KMP_INIT_AT_FORK", kVendor, parse_ignored, print_nothing,
   "the child of a fork works in any case", Row::None},
  {"BOBBIN_PROVIDER", kOwn, parse_choice<&GlobalIcvs::provider, kProviders>,
   print_choice<&GlobalIcvs::provider, kProviders>, "auto, fiber or kernel"},
  {"BOBBIN_BIND", kOwn, parse_choice<&GlobalIcvs::soft_binding, kBindings>,
   print_choice<&GlobalIcvs::soft_binding, kBindings>, "strict or soft"},
  {"BOBBIN_DYNAMIC", kOwn, parse_choice<&GlobalIcvs::dynamic_order, kDynamicOrders>,
   print_choice<&GlobalIcvs::dynamic_order, kDynamicOrders>, "batches or ascending"},
  {"BOBBIN_WORKERS", kOwn, parse_workers, print_number<&GlobalIcvs::workers>, "a whole number from 1 to 4096"},
  {"BOBBIN_SHARE", kOwn, parse_choice<&GlobalIcvs::share, kShares>,
   print_choice<&GlobalIcvs::share, kShares>, "full or fair"},
  {"BOBBIN_TASK_MEMORY", kOwn, parse_task_memory, print_task_memory,
   "a number from 1, also with B, K, M, G or T; without a unit in MiB"},
  {"BOBBIN_TASK_POLICY", kOwn, parse_task_policy, print_policy, kTaskPolicySyntax},
  {"BOBBIN_TUNING", kOwn, parse_tuning, print_tuning_row, kTuningSyntax},
};
// clang-format on

constexpr unsigned kVariableCount = sizeof kVariables / sizeof kVariables[0];
static_assert(kVariableCount <= Settings::kMaxVariables);

}  // namespace

VariableTable variable_table() { return {kVariables, kVariableCount}; }

unsigned variable_index(std::string_view name) {
  unsigned i = 0;
  while (i + 1 < kVariableCount && kVariables[i].name != name) ++i;
  return i;
}

}  // namespace bobbin
