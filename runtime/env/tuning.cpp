// SPDX-License-Identifier: Apache-2.0
#include "env/tuning.h"

#include "env/syntax/choice.h"

namespace bobbin {
namespace {

constexpr Choice<Heuristic> kNames[] = {
    {"defer-limit", Heuristic::DeferLimit},
    {"brief-at-once", Heuristic::BriefAtOnce},
    {"see-off", Heuristic::SeeOff},
    {"help-ahead", Heuristic::HelpAhead},
    {"steal-pause", Heuristic::StealPause},
    {"steal-many", Heuristic::StealMany},
    {"hand-over", Heuristic::HandOver},
    {"lazy-split", Heuristic::LazySplit},
    {"brief-regions", Heuristic::BriefRegions},
    {"region-lengths", Heuristic::RegionLengths},
    {"apart", Heuristic::Apart},
    {"spin-budget", Heuristic::SpinBudget},
    {"neighbours", Heuristic::Neighbours},
    {"together", Heuristic::Together},
    {"turns", Heuristic::Turns},
    {"polling", Heuristic::Polling},
    {"nearest", Heuristic::Nearest},
    {"loop-batches", Heuristic::LoopBatches},
};
static_assert(sizeof kNames / sizeof kNames[0] == kHeuristics);

constexpr Choice<bool> kSwitch[] = {{"on", true}, {"off", false}};

bool read_item(Scanner& scan, std::uint32_t& off, bool& counters) {
  const std::string_view word = scan.word();
  if (equal_ignoring_case(word, "counters")) {
    counters = true;
    return true;
  }
  Heuristic heuristic;
  bool on;
  if (!read_choice(kNames, word, heuristic) || !scan.eat(':')) return false;
  if (!read_choice(kSwitch, scan.word(), on)) return false;
  off = on ? off & ~bit_of(heuristic) : off | bit_of(heuristic);
  return true;
}

}  // namespace

std::string_view name_of(Heuristic heuristic) { return word_of(kNames, heuristic); }

bool read_tuning(std::string_view text, GlobalIcvs& icvs) {
  std::uint32_t off = 0;
  bool counters = false;
  Scanner scan(text);
  do {
    if (!read_item(scan, off, counters)) return false;
  } while (scan.eat(','));
  if (!scan.done()) return false;
  icvs.heuristics_off = off;
  icvs.count_heuristics = counters;
  return true;
}

void print_tuning(const GlobalIcvs& icvs, TextOut& out) {
  const char* separator = "";
  auto item = [&](std::string_view word, std::string_view state) {
    out.add(separator);
    out.add(word);
    out.add(state);
    separator = ",";
  };
  if (icvs.count_heuristics) item("counters", "");
  for (const Choice<Heuristic>& name : kNames) {
    if ((icvs.heuristics_off & bit_of(name.value)) != 0) item(name.word, ":off");
  }
}

}  // namespace bobbin
