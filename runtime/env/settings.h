// SPDX-License-Identifier: Apache-2.0
//
// All that the environment settles, with where each value came from. The parser fills one of these
// from any list of "NAME=value" strings, so tests feed it their own.
#pragma once

#include <cstddef>
#include <string_view>

#include "env/allocator_traits.h"
#include "env/icv.h"
#include "platform/processors.h"
#include "platform/text.h"

namespace bobbin {

// What the parser needs to know of the machine, for defaults.
struct Machine {
  UsableProcessors processors;
  std::size_t stack_size = std::size_t{8} << 20;  // of a thread, when nobody says otherwise
  const char* hw_subset_problem = nullptr;        // why KMP_HW_SUBSET is not in force
};

enum class Parsed {
  Ok,
  Adjusted,  // understood, but out of range: the nearest possible value was taken
  Bad,       // not understood: the settings are as if it had not been given
  Outdone,   // understood, but another variable, which counts more, speaks of the same
  Vain,      // understood, but nothing here heeds it
};

struct Settings {
  static constexpr unsigned kMaxVariables = 64;

  // One row of the table in variables.cpp, as found in the environment.
  struct Given {
    const char* name = nullptr;  // null: not given. Else NAME or NAME_ALL, up to the '='
    const char* text = nullptr;
    Parsed result = Parsed::Bad;
    // The variable that the value in force is from, if not from this one; null: it is a default.
    const char* origin = nullptr;
    // What a default follows from; null: nothing.
    const char* basis = nullptr;
    // Why what was given has no effect: the variable that counts instead (Outdone), words (Vain),
    // or what was expected there (Bad; null: what the table says).
    const char* why = nullptr;

    bool accepted() const {
      return name != nullptr && (result == Parsed::Ok || result == Parsed::Adjusted);
    }
  };

  GlobalIcvs icvs;
  AllocatorSpec allocator;
  Given given[kMaxVariables];
};

enum class VariableGroup : unsigned char {
  Device,   // of the specification, one value a device: NAME_ALL speaks for the host too
  Program,  // of the specification, one value a program
  Vendor,   // of other runtimes, honoured here; shown by OMP_DISPLAY_ENV=verbose
  Own,      // BOBBIN_*; likewise
};

// Whether a report has a row for the variable's value.
enum class Row : unsigned char { Own, None };

struct Variable {
  std::string_view name;
  const char* icv;  // as section 2 of the specification calls it; null: it has no ICV of its own
  VariableGroup group;
  // `text` is all that follows the '='; blanks around a value are for the reader to skip.
  Parsed (*parse)(std::string_view text, Settings& settings);
  void (*print)(const Settings& settings, TextOut& out);
  const char* expected;  // completes "expected ..."; of what is accepted and ignored, why
  Row row = Row::Own;    // None: the value is that of another variable's row, or there is none
};

struct VariableTable {
  const Variable* rows;
  unsigned count;

  const Variable* begin() const { return rows; }
  const Variable* end() const { return rows + count; }
};

VariableTable variable_table();

// The row of that name; the name must be in the table.
unsigned variable_index(std::string_view name);

// What says the value of a row: the variable itself, or the one that it is from.
const Settings::Given& speaker(const Settings& settings, std::string_view row);

// Its name as it stands in the environment.
std::string_view name_of(const Settings::Given& given);

// Tells of each variable of OpenMP in the environment that is not in the table, and why not.
using UnreadVisit = void (*)(void* user, std::string_view name, const char* text, const char* why);
void each_unread(const char* const* environment, UnreadVisit visit, void* user);

// Reads `environment` (terminated by null, like environ) into fresh settings and warns about what
// it does not understand, one line a variable. The settings keep pointers into the strings.
void parse_environment(const char* const* environment, const Machine& machine, Settings& settings);

}  // namespace bobbin
