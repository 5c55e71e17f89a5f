// SPDX-License-Identifier: Apache-2.0
#include "env/display.h"

#include "env/affinity_format.h"
#include "env/places.h"
#include "env/settings.h"
#include "platform/diagnostics.h"

namespace bobbin {
namespace {

constexpr int kOpenMpVersion = 202111;  // 5.2
constexpr std::size_t kLongestValue = 4096;

struct ProviderNote {
  const char* name = "";
  const char* reason = "";
};
constinit ProviderNote provider_note;

using Value = Text<kLongestValue>;

std::string_view name_of(const Settings::Given& given) {
  std::string_view entry{given.name};
  std::size_t length = 0;
  while (length < entry.size() && entry[length] != '=') ++length;
  return {entry.data(), length};
}

// The value in force of a row. The format has its default outside of the settings.
void print_value(const Variable& variable, const Settings& settings, TextOut& out) {
  if (variable.name == "OMP_AFFINITY_FORMAT" && settings.icvs.affinity_format == nullptr) {
    out.add(kDefaultAffinityFormat);
  } else {
    variable.print(settings, out);
  }
}

// Facts of this run that no variable names.
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

const char* source_of_processors(const Settings& settings) {
  const GlobalIcvs& icvs = settings.icvs;
  return icvs.processors < icvs.mask_processors ? "cgroup quota" : "affinity mask";
}
const char* source_is_system(const Settings&) { return "system"; }
const char* source_of_provider(const Settings& settings) {
  return settings.icvs.provider == ProviderChoice::Auto ? "start-up" : "BOBBIN_PROVIDER";
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
    Value value;
    print_value(variable, settings, value);
    out.add("  [host] ");
    out.add(variable.name);
    out.add("='");
    out.add(value.view());
    out.add("'\n");
  }
  if (detail == EnvDetail::Verbose) {
    for (const Fact& fact : kFacts) {
      Value value;
      fact.print(settings, value);
      out.format("  [host] %s='%s'\n", fact.name, value.c_str());
    }
    if (provider_note.reason[0] != '\0') {
      out.format("  [host] provider chosen because %s\n", provider_note.reason);
    }
  }
  out.add("OPENMP DISPLAY ENVIRONMENT END\n");
}

void display_env(EnvDetail detail) {
  char buffer[16384];
  TextOut out(buffer, sizeof buffer);
  print_env(environment_settings(), detail, out);
  write_stderr(out.view());
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

void report_settings(const Settings& settings, EnvEmit emit, void* user) {
  const VariableTable table = variable_table();
  for (unsigned i = 0; i < table.count; ++i) {
    const Variable& variable = table.rows[i];
    const Settings::Given& given = settings.given[i];
    Value value;
    print_value(variable, settings, value);
    Text<64> source;
    Text<512> detail;
    if (given.accepted()) {
      source.add(name_of(given));
      if (given.result == Parsed::Adjusted) detail.format("'%.200s' was out of range", given.text);
    } else {
      source.add("default");
      if (given.name != nullptr) {
        detail.add(name_of(given));
        if (given.result == Parsed::Outdone) {
          detail.format("='%.200s' gives way to %s", given.text, given.derived);
        } else {
          detail.format("='%.200s' was not understood", given.text);
        }
      } else if (given.derived != nullptr) {
        detail.add(given.derived);
      }
    }
    emit(user, variable.icv != nullptr ? variable.icv : variable.name.data(), value.c_str(),
         source.c_str(), detail.c_str());
  }
  for (const Fact& fact : kFacts) {
    Value value;
    fact.print(settings, value);
    emit(user, fact.name, value.c_str(), fact.source(settings),
         fact.print == print_provider ? provider_note.reason : "");
  }
}

void report_env(EnvEmit emit, void* user) { report_settings(environment_settings(), emit, user); }

}  // namespace bobbin
