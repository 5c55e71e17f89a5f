// SPDX-License-Identifier: Apache-2.0
#include "env/syntax/kmp_affinity.h"

#include "env/syntax/choice.h"
#include "platform/text.h"

namespace bobbin {
namespace {

// If several words mean one type, the first is its name.
constexpr Choice<AffinityType> kTypes[] = {
    {"none", AffinityType::None},         {"compact", AffinityType::Compact},
    {"scatter", AffinityType::Scatter},   {"balanced", AffinityType::Balanced},
    {"explicit", AffinityType::Explicit}, {"disabled", AffinityType::None},
    {"logical", AffinityType::Compact},   {"physical", AffinityType::Scatter}};

// Dies, tiles and processor groups are identified by what their processors share.
constexpr Choice<PlaceUnit> kGranularities[] = {
    {"fine", PlaceUnit::Threads},      {"thread", PlaceUnit::Threads},
    {"core", PlaceUnit::Cores},        {"tile", PlaceUnit::LlCaches},
    {"ll_cache", PlaceUnit::LlCaches}, {"l2_cache", PlaceUnit::LlCaches},
    {"l3_cache", PlaceUnit::LlCaches}, {"die", PlaceUnit::LlCaches},
    {"node", PlaceUnit::NumaDomains},  {"numa_domain", PlaceUnit::NumaDomains},
    {"socket", PlaceUnit::Sockets},    {"package", PlaceUnit::Sockets},
    {"group", PlaceUnit::Sockets}};

bool read_switch(std::string_view word, KmpAffinity& affinity) {
  if (equal_ignoring_case(word, "verbose") || equal_ignoring_case(word, "noverbose")) {
    affinity.verbose = to_lower(word[0]) == 'v';
    return true;
  }
  // The mask of the process is always respected. Messages are controlled by KMP_WARNINGS. A root
  // keeps its place after a region.
  for (const std::string_view accepted :
       {"respect", "norespect", "warnings", "nowarnings", "reset", "noreset", "dups", "nodups"}) {
    if (equal_ignoring_case(word, accepted)) return true;
  }
  return false;
}

// The text between '[' and its ']'.
bool read_brackets(Scanner& scan, std::string_view text, std::string_view& inside) {
  if (!scan.eat('[')) return false;
  const char* from = scan.rest();
  const char* end = text.data() + text.size();
  const char* to = from;
  while (to != end && *to != ']') ++to;
  if (to == end) return false;
  inside = {from, static_cast<std::size_t>(to - from)};
  scan = Scanner({to + 1, static_cast<std::size_t>(end - to - 1)});
  PlaceVisitor visitor;
  return parse_processor_list(inside, visitor);
}

bool read_small_number(Scanner& scan, unsigned& number) {
  std::uint64_t value;
  if (!scan.number(value) || value > kMaxCpus) return false;
  number = static_cast<unsigned>(value);
  return true;
}

bool read_modifier(Scanner& scan, std::string_view text, KmpAffinity& affinity) {
  const std::string_view word = scan.word();
  if (equal_ignoring_case(word, "granularity")) {
    return scan.eat('=') && read_choice(kGranularities, scan.word(), affinity.granularity);
  }
  if (equal_ignoring_case(word, "proclist")) {
    return scan.eat('=') && read_brackets(scan, text, affinity.processors);
  }
  if (affinity.type == AffinityType::NotGiven && read_choice(kTypes, word, affinity.type)) {
    // `logical,n` and `physical,n` have no permutation.
    const bool old = equal_ignoring_case(word, "logical") || equal_ignoring_case(word, "physical");
    Scanner ahead = scan;
    if (!ahead.eat(',') || !is_digit(ahead.peek())) return true;
    scan = ahead;
    if (!read_small_number(scan, old ? affinity.offset : affinity.permute)) return false;
    ahead = scan;
    if (old || !ahead.eat(',') || !is_digit(ahead.peek())) return true;
    scan = ahead;
    return read_small_number(scan, affinity.offset);
  }
  // "compact,fine": a granularity may stand alone.
  return read_choice(kGranularities, word, affinity.granularity) || read_switch(word, affinity);
}

}  // namespace

AffinityFault parse_kmp_affinity(std::string_view text, KmpAffinity& affinity) {
  KmpAffinity result;
  Scanner scan(text);
  do {
    if (!read_modifier(scan, text, result)) return AffinityFault::Syntax;
  } while (scan.eat(','));
  if (!scan.done()) return AffinityFault::Syntax;
  // A list without a type means Explicit.
  if (result.type == AffinityType::NotGiven) {
    result.only_modifiers = result.processors.empty();
    result.type = result.only_modifiers ? AffinityType::None : AffinityType::Explicit;
  }
  if ((result.type == AffinityType::Explicit) == result.processors.empty()) {
    return result.processors.empty() ? AffinityFault::ListMissing : AffinityFault::ListUnused;
  }
  affinity = result;
  return AffinityFault::None;
}

bool parse_processor_list(std::string_view text, PlaceVisitor& visitor) {
  Scanner scan(text);
  std::uint64_t total = 0;
  do {
    const bool together = scan.eat('{');
    CpuSet place;
    do {
      CpuRange range;
      if (!read_cpu_range(scan, range, Numbers::Decimal)) return false;
      for (std::uint64_t cpu = range.first; cpu <= range.last; cpu += range.stride) {
        if (++total > kMaxPlaces) return false;
        CpuSet alone;
        alone.add(static_cast<unsigned>(cpu));
        if (together) {
          place.unite(alone);
        } else {
          visitor.add(alone);
        }
      }
    } while (together && scan.eat(','));
    if (!together) continue;
    if (!scan.eat('}')) return false;
    visitor.add(place);
  } while (scan.eat(','));
  return scan.done();
}

std::string_view affinity_type_name(AffinityType type) { return word_of(kTypes, type); }

}  // namespace bobbin
