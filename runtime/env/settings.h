// SPDX-License-Identifier: Apache-2.0
//
// All settings that result from the environment, and the source of each value. The parser fills
// this structure from any list of "NAME=value" strings, so tests pass their own.
#pragma once

#include <cstddef>
#include <string_view>

#include "env/allocator_traits.h"
#include "env/icv.h"
#include "platform/processors/processors.h"
#include "platform/text.h"

namespace bobbin {

// Where the strings of the environment lie with which the process was started.
struct StartStrings {
  const char* first = nullptr;
  const char* last = nullptr;
  // The first so many of the entries that are parsed come from the environment. The others are
  // defaults that the program has set by a call, which says what it wants of this runtime.
  unsigned of_environment = ~0U;

  bool hold(const char* entry, unsigned number) const {
    return first == nullptr || number >= of_environment || (entry >= first && entry <= last);
  }
};

// The facts about the machine and the process that the parser needs.
struct Machine {
  UsableProcessors processors;
  std::size_t stack_size = std::size_t{8} << 20;  // default of a thread's stack
  const char* hw_subset_problem = nullptr;        // why KMP_HW_SUBSET is not in force
  // What the process was started with. Other strings are the program's own: it has set them later.
  // All are the user's if this is empty.
  StartStrings start = {};
};

enum class Parsed {
  Ok,
  Adjusted,  // understood, but out of range: the nearest possible value was taken
  Bad,       // not understood: the variable counts as not given
  Outdone,   // understood, but another variable with the same subject takes precedence
  Vain,      // understood, but has no effect here
};

struct Settings {
  static constexpr unsigned kMaxVariables = 64;

  // The data of one row of the table in variables.cpp, as found in the environment.
  struct Given {
    const char* name = nullptr;  // null: not given. Else NAME or NAME_ALL, up to the '='
    const char* text = nullptr;
    Parsed result = Parsed::Bad;
    bool users = true;  // false: the program has set it
    // The variable that gave the value in force, if not this one; null: the value is a default.
    const char* origin = nullptr;
    // The source of a default; null: there is none.
    const char* basis = nullptr;
    // Why the given value has no effect: the variable that counts instead (Outdone), or a text
    // (Vain); for Bad, what was expected there (null: see the table).
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
  Device,   // of the specification, one value for each device: NAME_ALL includes the host
  Program,  // of the specification, one value for the program
  Vendor,   // of other runtimes, honoured here; shown by OMP_DISPLAY_ENV=verbose
  Own,      // BOBBIN_*; shown by OMP_DISPLAY_ENV=verbose
};

// Does a report have a row for the variable's value?
enum class Row : unsigned char { Own, None };

struct Variable {
  std::string_view name;
  VariableGroup group;
  // `text` is all that follows the '='. The reader must skip blanks around a value.
  Parsed (*parse)(std::string_view text, Settings& settings);
  void (*print)(const Settings& settings, TextOut& out);
  const char* expected;  // completes "expected ..."; if accepted and ignored, the reason
  Row row = Row::Own;    // None: another variable's row has the value, or there is no value
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

// The variable that gave the value of a row: the row's own variable or another one.
const Settings::Given& speaker(const Settings& settings, std::string_view row);

// The variable's name as it stands in the environment.
std::string_view name_of(const Settings::Given& given);

// Visits each variable of OpenMP in the environment that is not in the table, with the reason.
using UnreadVisit = void (*)(void* user, std::string_view name, const char* text, const char* why);
void each_unread(const char* const* environment, UnreadVisit visit, void* user);

// Reads `environment` (terminated by null, like environ) into fresh settings. Warns about text that
// it does not understand, one line a variable. The settings keep pointers into the strings.
void parse_environment(const char* const* environment, const Machine& machine, Settings& settings);

}  // namespace bobbin
