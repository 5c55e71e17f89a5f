// SPDX-License-Identifier: Apache-2.0
#include "env/value.h"

#include <climits>

namespace bobbin::env {
namespace {

struct Unit {
  std::string_view word;
  std::uint64_t factor;
};

// Reads an optional word from a list of units; `factor` keeps its value when there is none.
template <std::size_t N>
bool read_unit(Scanner& scan, const Unit (&units)[N], std::uint64_t& factor) {
  const std::string_view word = scan.word();
  if (word.empty()) return scan.done();
  for (const Unit& unit : units) {
    if (equal_ignoring_case(word, unit.word)) {
      factor = unit.factor;
      return scan.done();
    }
  }
  return false;
}

// Scans a number and its unit; false also on overflow.
template <std::size_t N>
bool read_quantity(std::string_view text, const Unit (&units)[N], std::uint64_t default_factor,
                   std::uint64_t& value) {
  Scanner scan(text);
  std::uint64_t number;
  std::uint64_t factor = default_factor;
  return scan.number(number) && read_unit(scan, units, factor) &&
         !__builtin_mul_overflow(number, factor, &value);
}

constexpr std::uint64_t kKilo = std::uint64_t{1} << 10, kMega = kKilo << 10, kGiga = kMega << 10,
                        kTera = kGiga << 10;
// LLVM's and Intel's runtimes also take the units with the second letter.
constexpr Unit kBinaryUnits[] = {{"b", 1},      {"k", kKilo},  {"m", kMega},
                                 {"g", kGiga},  {"t", kTera},  {"kb", kKilo},
                                 {"mb", kMega}, {"gb", kGiga}, {"tb", kTera}};
constexpr Unit kDecimalUnits[] = {
    {"k", 1000}, {"m", 1000000}, {"g", 1000000000}, {"t", 1000000000000}};
constexpr Unit kTimeUnits[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

// The last words come from Fortran and from scripts for Intel's runtime.
constexpr Choice<bool> kBooleans[] = {
    {"true", true}, {"false", false}, {"1", true},       {"0", false},
    {"yes", true},  {"no", false},    {"on", true},      {"off", false},
    {"t", true},    {"f", false},     {".true.", true},  {".false.", false},
    {".t.", true},  {".f.", false},   {"enabled", true}, {"disabled", false}};

constexpr Choice<ScheduleKind> kKinds[] = {{"STATIC", ScheduleKind::Static},
                                           {"DYNAMIC", ScheduleKind::Dynamic},
                                           {"GUIDED", ScheduleKind::Guided},
                                           {"AUTO", ScheduleKind::Auto}};
constexpr Choice<ScheduleModifier> kModifiers[] = {
    {"MONOTONIC", ScheduleModifier::Monotonic}, {"NONMONOTONIC", ScheduleModifier::Nonmonotonic}};

bool is_infinite(std::string_view text) {
  return equal_ignoring_case(trimmed(text), "infinite") ||
         equal_ignoring_case(trimmed(text), "infinity");
}

}  // namespace

bool read_bool(std::string_view text, bool& value) {
  return read_choice(kBooleans, trimmed(text), value);
}

bool read_size(std::string_view text, std::size_t unit, std::size_t& value) {
  std::uint64_t bytes;
  if (!read_quantity(text, kBinaryUnits, unit, bytes) || bytes > PTRDIFF_MAX) return false;
  value = bytes;
  return true;
}

void print_size(std::size_t bytes, TextOut& out) {
  static constexpr char kLetters[] = {'B', 'K', 'M', 'G', 'T'};
  unsigned letter = 0;
  while (bytes != 0 && bytes % 1024 == 0 && letter + 1 < sizeof kLetters) {
    bytes /= 1024;
    ++letter;
  }
  out.number(std::uint64_t{bytes});
  out.add(kLetters[letter]);
}

bool read_schedule(std::string_view text, Schedule& schedule) {
  Scanner scan(text);
  Schedule result;
  std::string_view word = scan.word();
  if (scan.eat(':')) {
    if (!read_choice(kModifiers, word, result.modifier)) return false;
    word = scan.word();
  }
  if (!read_choice(kKinds, word, result.kind)) return false;
  const bool has_least_chunk =
      result.kind == ScheduleKind::Dynamic || result.kind == ScheduleKind::Guided;
  result.chunk = has_least_chunk ? 1 : 0;
  if (scan.eat(',')) {
    std::uint64_t chunk;
    // omp_get_schedule returns the chunk as an int.
    if (!scan.number(chunk) || chunk > INT_MAX) return false;
    if (result.kind != ScheduleKind::Auto && chunk != 0) result.chunk = static_cast<long>(chunk);
  }
  if (!scan.done()) return false;
  schedule = result;
  return true;
}

void print_schedule(const Schedule& schedule, TextOut& out) {
  if (schedule.modifier != ScheduleModifier::None) {
    out.add(word_of(kModifiers, schedule.modifier));
    out.add(':');
  }
  out.add(word_of(kKinds, schedule.kind));
  const bool plain = schedule.kind == ScheduleKind::Static || schedule.kind == ScheduleKind::Auto
                         ? schedule.chunk == 0
                         : schedule.chunk == 1;
  if (!plain) {
    out.add(',');
    out.number(std::int64_t{schedule.chunk});
  }
}

bool read_spin_count(std::string_view text, std::uint64_t& value) {
  if (is_infinite(text)) {
    value = kSpinInfinite;
    return true;
  }
  std::uint64_t count;
  if (!read_quantity(text, kDecimalUnits, 1, count)) return false;
  value = count < kSpinInfinite ? count : kSpinInfinite;
  return true;
}

bool read_block_time(std::string_view text, std::uint64_t& value) {
  if (is_infinite(text)) {
    value = kSpinInfinite;
    return true;
  }
  std::uint64_t nanoseconds;
  if (!read_quantity(text, kTimeUnits, 1000000, nanoseconds)) return false;
  value = nanoseconds < kSpinInfinite ? nanoseconds : kSpinInfinite;
  return true;
}

}  // namespace bobbin::env
