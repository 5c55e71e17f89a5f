// SPDX-License-Identifier: Apache-2.0
#include "env/syntax/place_syntax.h"

#include "env/syntax/choice.h"
#include "platform/text.h"

namespace bobbin {
namespace {

constexpr Choice<PlaceUnit> kUnits[] = {{"threads", PlaceUnit::Threads},
                                        {"cores", PlaceUnit::Cores},
                                        {"ll_caches", PlaceUnit::LlCaches},
                                        {"numa_domains", PlaceUnit::NumaDomains},
                                        {"sockets", PlaceUnit::Sockets}};

// The optional ":length[:stride]" after a processor or a place.
struct Interval {
  std::uint64_t length = 1;
  std::int64_t stride = 1;
};

bool read_interval(Scanner& scan, Interval& interval) {
  if (!scan.eat(':')) return true;
  if (!scan.number(interval.length) || interval.length == 0 || interval.length > kMaxCpus) {
    return false;
  }
  if (!scan.eat(':')) return true;
  return scan.integer(interval.stride) && interval.stride >= -std::int64_t{kMaxCpus} &&
         interval.stride <= std::int64_t{kMaxCpus};
}

bool add_cpus(CpuSet& set, std::uint64_t first, const Interval& interval) {
  for (std::uint64_t i = 0; i < interval.length; ++i) {
    const std::int64_t cpu =
        static_cast<std::int64_t>(first) + static_cast<std::int64_t>(i) * interval.stride;
    if (cpu < 0 || cpu >= std::int64_t{kMaxCpus}) return false;
    set.add(static_cast<unsigned>(cpu));
  }
  return true;
}

// The text between braces. Exclusions count wherever they stand: "{!3,0:8}" is {0:8} without 3.
bool read_resources(Scanner& scan, CpuSet& place) {
  CpuSet excluded;
  do {
    const bool negated = scan.eat('!');
    std::uint64_t cpu;
    Interval interval;
    if (!scan.number(cpu) || cpu >= kMaxCpus || !read_interval(scan, interval)) return false;
    if (!add_cpus(negated ? excluded : place, cpu, interval)) return false;
  } while (scan.eat(','));
  place.subtract(excluded);
  return true;
}

bool read_place(Scanner& scan, CpuSet& place) {
  if (scan.eat('{')) return read_resources(scan, place) && scan.eat('}');
  std::uint64_t cpu;  // OpenMP 5.1: a single processor needs no braces
  if (!scan.number(cpu) || cpu >= kMaxCpus) return false;
  place.add(static_cast<unsigned>(cpu));
  return true;
}

// Moves every processor of the set by an offset; false when a result is out of range.
bool shifted(const CpuSet& set, std::int64_t offset, CpuSet& result) {
  bool inside = true;
  set.each([&](unsigned cpu) {
    const std::int64_t moved = std::int64_t{cpu} + offset;
    if (moved < 0 || moved >= std::int64_t{kMaxCpus}) {
      inside = false;
    } else {
      result.add(static_cast<unsigned>(moved));
    }
  });
  return inside;
}

}  // namespace

bool parse_abstract_places(std::string_view text, AbstractPlaces& places) {
  Scanner scan(text);
  AbstractPlaces result;
  if (!read_choice(kUnits, scan.word(), result.unit)) return false;
  if (scan.eat('(')) {
    std::uint64_t count;
    if (!scan.number(count) || count == 0 || !scan.eat(')')) return false;
    result.count = static_cast<unsigned>(count < kMaxPlaces ? count : kMaxPlaces);
  }
  if (!scan.done()) return false;
  places = result;
  return true;
}

std::string_view place_unit_name(PlaceUnit unit) { return word_of(kUnits, unit); }

bool read_cpu_range(Scanner& scan, CpuRange& range, Numbers numbers) {
  const auto read = [&](std::uint64_t& value) {
    return numbers == Numbers::AsInC ? scan.c_number(value) : scan.number(value);
  };
  range.stride = 1;
  if (!read(range.first)) return false;
  range.last = range.first;
  if (scan.eat('-')) {
    if (!read(range.last) || range.last < range.first) return false;
    if (scan.eat(':') && (!read(range.stride) || range.stride == 0)) return false;
  }
  return range.last < kMaxCpus && range.stride <= kMaxCpus;
}

bool parse_explicit_places(std::string_view text, PlaceVisitor& visitor) {
  Scanner scan(text);
  std::uint64_t total = 0;
  do {
    const bool negated = scan.eat('!');
    CpuSet first;
    Interval interval;
    if (!read_place(scan, first) || !read_interval(scan, interval)) return false;
    total += interval.length;
    if (total > kMaxPlaces) return false;
    // The stride is a difference of processor numbers. Without a stride it is 1, as with
    // processors.
    for (std::uint64_t i = 0; i < interval.length; ++i) {
      CpuSet place;
      if (!shifted(first, static_cast<std::int64_t>(i) * interval.stride, place)) return false;
      if (negated) {
        visitor.remove(place);
      } else {
        visitor.add(place);
      }
    }
  } while (scan.eat(','));
  return scan.done();
}

bool parse_cpu_affinity(std::string_view text, PlaceVisitor& visitor) {
  Scanner scan(text);
  std::uint64_t total = 0;
  do {
    CpuRange range;
    if (!read_cpu_range(scan, range, Numbers::AsInC)) return false;
    for (std::uint64_t cpu = range.first; cpu <= range.last; cpu += range.stride) {
      if (++total > kMaxPlaces) return false;
      CpuSet place;
      place.add(static_cast<unsigned>(cpu));
      visitor.add(place);
    }
    scan.eat(',');
  } while (!scan.done());
  return true;
}

bool places_are_valid(std::string_view text) {
  AbstractPlaces abstract;
  PlaceVisitor visitor;
  return parse_abstract_places(text, abstract) || parse_explicit_places(text, visitor);
}

bool cpu_affinity_is_valid(std::string_view text) {
  PlaceVisitor visitor;
  return parse_cpu_affinity(text, visitor);
}

}  // namespace bobbin
