// SPDX-License-Identifier: Apache-2.0
#include "env/syntax/hw_subset.h"

#include "env/syntax/choice.h"
#include "platform/processors/machine_topology.h"
#include "platform/processors/processors.h"
#include "platform/text.h"

namespace bobbin {
namespace {

enum LevelIndex : unsigned { kSocket, kNuma, kCache, kCore, kThread };

constexpr Choice<LevelIndex> kLevelWords[] = {
    {"s", kSocket},        {"socket", kSocket},   {"sockets", kSocket},   {"package", kSocket},
    {"packages", kSocket}, {"n", kNuma},          {"numa_domain", kNuma}, {"numa_domains", kNuma},
    {"numa", kNuma},       {"node", kNuma},       {"nodes", kNuma},       {"l3", kCache},
    {"l3_cache", kCache},  {"l3_caches", kCache}, {"ll_cache", kCache},   {"ll_caches", kCache},
    {"tile", kCache},      {"tiles", kCache},     {"c", kCore},           {"core", kCore},
    {"cores", kCore},      {"t", kThread},        {"thread", kThread},    {"threads", kThread}};

// The number of the unit of a level that contains the processor. The numbers ascend along the list.
unsigned unit_of(const Topology& tree, unsigned index, unsigned level) {
  switch (level) {
    case kSocket:
      return tree[index].package;
    case kNuma:
      return tree[index].numa;
    case kCache:
      return tree[index].cache;
    case kCore:
      return tree[index].core;
    default:
      return index;
  }
}

}  // namespace

bool parse_hw_subset(std::string_view text, HwSubset& subset) {
  HwSubset result;
  Scanner scan(text);
  result.only_given = scan.eat(':');
  do {
    HwSubset::Level item{true, HwSubset::kAll, 0};
    std::uint64_t number = HwSubset::kAll;
    const bool counted = !scan.eat('*') && is_digit(scan.peek());
    if (counted && (!scan.number(number) || number == 0 || number > kMaxCpus)) return false;
    item.count = static_cast<unsigned>(number);
    LevelIndex level;
    if (!read_choice(kLevelWords, scan.word(), level) || result.levels[level].given) return false;
    if (scan.eat('@')) {
      if (!scan.number(number) || number > kMaxCpus) return false;
      item.offset = static_cast<unsigned>(number);
    }
    result.levels[level] = item;
  } while (scan.eat(','));
  if (!scan.done()) return false;
  subset = result;
  return true;
}

bool select_processors(const HwSubset& subset, const Topology& tree, CpuSet& chosen) {
  // The index of the present unit of each level, counted within the nearest unit above. Only units
  // of given levels, sockets and cores are counted.
  unsigned position[HwSubset::kLevels] = {};
  unsigned most[HwSubset::kLevels] = {};
  CpuSet set;
  for (unsigned i = 0; i < tree.count(); ++i) {
    bool outer_changed = i == 0;
    bool outermost = true;
    bool inside = true;
    for (unsigned level = 0; level < HwSubset::kLevels; ++level) {
      const HwSubset::Level& wanted = subset.levels[level];
      const bool counts = !subset.only_given && (level == kSocket || level == kCore);
      if (!wanted.given && !counts) continue;
      const bool changed = outer_changed || unit_of(tree, i, level) != unit_of(tree, i - 1, level);
      if (outer_changed && !outermost) {
        position[level] = 0;
      } else if (changed && i != 0) {
        ++position[level];
      }
      if (position[level] + 1 > most[level]) most[level] = position[level] + 1;
      outer_changed = changed;
      outermost = false;
      const unsigned at = position[level];
      inside = inside && at >= wanted.offset && at - wanted.offset < wanted.count;
    }
    if (inside) set.add(tree[i].cpu);
  }
  for (unsigned level = 0; level < HwSubset::kLevels; ++level) {
    const HwSubset::Level& wanted = subset.levels[level];
    if (!wanted.given) continue;
    const unsigned count = wanted.count == HwSubset::kAll ? 1 : wanted.count;
    if (count + wanted.offset > most[level]) return false;
  }
  if (set.empty()) return false;
  chosen = set;
  return true;
}

const char* confine_to_hw_subset(const char* text) {
  HwSubset subset;
  if (!parse_hw_subset(text, subset)) return nullptr;  // the table of variables reports the mistake
  const CpuSet& mask = process_mask();
  Topology tree;
  if (!load_topology_from_sys(mask, {}, tree)) load_flat_topology(mask, tree);
  CpuSet chosen;
  const char* problem = nullptr;
  if (!select_processors(subset, tree, chosen)) {
    problem = "it asks for more than there is";
  } else if (!confine_process(chosen)) {
    problem = "the system refuses these processors";
  }
  tree.clear();
  return problem;
}

}  // namespace bobbin
