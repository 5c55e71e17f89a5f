// SPDX-License-Identifier: Apache-2.0
#include "env/display.h"

#include <unistd.h>

#include "env/affinity_format.h"
#include "env/environment.h"
#include "env/places.h"
#include "env/settings.h"
#include "platform/diagnostics.h"
#include "platform/memory.h"

namespace bobbin {
namespace {

constexpr int kOpenMpVersion = 202111;        // 5.2
constexpr std::size_t kLongestValue = 4096;   // in a report of rows
constexpr std::size_t kLongestShown = 65536;  // of all values together

struct ProviderNote {
  const char* name = "";
  const char* reason = "";
};
constinit ProviderNote provider_note;

using Value = Text<kLongestValue>;

// Prints the value in force of a row. The default of the format is not in the settings.
void print_value(const Variable& variable, const Settings& settings, TextOut& out) {
  if (variable.name == "OMP_AFFINITY_FORMAT" && settings.icvs.affinity_format == nullptr) {
    out.add(kDefaultAffinityFormat);
  } else {
    variable.print(settings, out);
  }
}

// Facts about this run that no variable names.
struct Fact {
  const char* name;
  void (*print)(const Settings& settings, TextOut& out);
  const char* (*source)(const Settings& settings);
};

void print_processors(const Settings& settings, TextOut& out) {
  out.number(settings.icvs.processors);
}
void print_mask(const Settings& settings, TextOut& out) {
  out.number(settings.icvs.mask_processors);
}
void print_quota(const Settings& settings, TextOut& out) {
  if (settings.icvs.quota == 0) {
    out.add("none");
  } else {
    out.number(settings.icvs.quota);
  }
}
void print_provider(const Settings&, TextOut& out) { out.add(provider_note.name); }

bool fibers_are_refused(const Settings& settings) {
  return settings.icvs.provider == ProviderChoice::Fiber &&
         std::string_view(provider_note.name) == "kernel";
}

const char* source_of_processors(const Settings& settings) {
  const GlobalIcvs& icvs = settings.icvs;
  return icvs.processors < icvs.mask_processors ? "cgroup quota" : "affinity mask";
}
const char* source_is_system(const Settings&) { return "system"; }
const char* source_of_provider(const Settings& settings) {
  const bool asked =
      settings.icvs.provider != ProviderChoice::Auto && !fibers_are_refused(settings);
  return asked ? "BOBBIN_PROVIDER" : "start-up";
}

constexpr Fact kFacts[] = {{"processors", print_processors, source_of_processors},
                           {"affinity mask", print_mask, source_is_system},
                           {"cgroup quota", print_quota, source_is_system},
                           {"provider", print_provider, source_of_provider}};

}  // namespace

void note_provider(const char* name, const char* reason) { provider_note = {name, reason}; }

void print_env(const Settings& settings, EnvDetail detail, TextOut& out) {
  out.add("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n");
  out.format("  _OPENMP='%d'\n", kOpenMpVersion);
  for (const Variable& variable : variable_table()) {
    const bool standard =
        variable.group == VariableGroup::Device || variable.group == VariableGroup::Program;
    if (!standard && detail == EnvDetail::Standard) continue;
    out.add("  [host] ");
    out.add(variable.name);
    out.add("='");
    print_value(variable, settings, out);
    out.add("'\n");
  }
  if (detail == EnvDetail::Verbose) {
    for (const Fact& fact : kFacts) {
      out.format("  [host] %s='", fact.name);
      fact.print(settings, out);
      out.add("'\n");
    }
    if (provider_note.reason[0] != '\0') {
      out.format("  [host] provider chosen because %s\n", provider_note.reason);
    }
  }
  out.add("OPENMP DISPLAY ENVIRONMENT END\n");
}

// The buffer is not on the stack: the first thread to use OpenMP runs this, and its stack may be
// very small.
void display_env(EnvDetail detail) {
  auto* out = make<Text<kLongestShown>>();
  if (out == nullptr) return warn("out of memory for OMP_DISPLAY_ENV");
  print_env(environment_settings(), detail, *out);
  write_stderr(out->view());
  destroy(out);
}

void display_env_if_asked() {
  if (global_icvs().show_version) {
    write_stderr("Bobbin " BOBBIN_VERSION
                 ", for programs of GCC's, LLVM's and Intel's compilers\n");
  }
  switch (global_icvs().display_env) {
    case DisplayEnv::No:
      return;
    case DisplayEnv::Yes:
      return display_env(EnvDetail::Standard);
    case DisplayEnv::Verbose:
      return display_env(EnvDetail::Verbose);
  }
}

namespace {

struct Reporter {
  EnvEmit emit;
  void* user;
};

void report_row(const Settings& settings, unsigned index, const Reporter& to) {
  const Variable& variable = variable_table().rows[index];
  const Settings::Given& from = speaker(settings, variable.name);
  Value value;
  Text<64> source;
  Text<512> detail;
  if (from.accepted()) {
    source.add(name_of(from));
    if (from.result == Parsed::Adjusted) detail.format("'%.200s' was out of range", from.text);
  } else if (from.result == Parsed::Outdone) {
    source.add(from.why);
  } else {
    source.add("default");
    if (from.basis != nullptr) detail.add(from.basis);
  }
  // A variable that is Outdone or Vain has no value in force.
  if (from.result != Parsed::Outdone && from.result != Parsed::Vain) {
    print_value(variable, settings, value);
  }
  to.emit(to.user, variable.name.data(), value.c_str(), source.c_str(), detail.c_str());
}

void report_no_effect(void* reporter, std::string_view name, const char* text, const char* why) {
  const auto& to = *static_cast<const Reporter*>(reporter);
  Text<128> own_name;
  own_name.add(name);
  to.emit(to.user, own_name.c_str(), text, "no effect", why);
}

void report_if_without_effect(const Settings& settings, unsigned index, Reporter& to) {
  const Settings::Given& given = settings.given[index];
  if (given.name == nullptr || given.accepted()) return;
  Text<512> why;
  if (given.result == Parsed::Bad) {
    why.add("it is not understood; expected ");
    why.add(given.why != nullptr ? given.why : variable_table().rows[index].expected);
  } else {
    why.add(given.why);
    if (given.result == Parsed::Outdone) why.add(" comes before it");
  }
  report_no_effect(&to, name_of(given), given.text, why.c_str());
}

}  // namespace

void report_settings(const Settings& settings, const char* const* environment, EnvEmit emit,
                     void* user) {
  const VariableTable table = variable_table();
  Reporter to{emit, user};
  for (unsigned i = 0; i < table.count; ++i) {
    if (table.rows[i].row == Row::Own) report_row(settings, i, to);
  }
  for (const Fact& fact : kFacts) {
    Value value;
    fact.print(settings, value);
    emit(user, fact.name, value.c_str(), fact.source(settings),
         fact.print == print_provider ? provider_note.reason : "");
  }
  for (unsigned i = 0; i < table.count; ++i) report_if_without_effect(settings, i, to);
  if (fibers_are_refused(settings)) {
    report_no_effect(&to, "BOBBIN_PROVIDER", "fiber", provider_note.reason);
  }
  each_unread(environment, report_no_effect, &to);
}

void report_env(EnvEmit emit, void* user) {
  report_settings(environment_settings(), __environ, emit, user);
}

}  // namespace bobbin
