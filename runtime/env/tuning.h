// SPDX-License-Identifier: Apache-2.0
//
// The runtime's heuristics by name, so that each can be switched off (BOBBIN_TUNING) and counted
// (sched/forecasts/tuning_counts.h). docs/tuning.md has the table of what each decides, from which
// numbers, and what it is worth.
#pragma once

#include <cstdint>
#include <string_view>

#include "env/icv.h"
#include "platform/text.h"

namespace bobbin {

enum class Heuristic : std::uint8_t {
  // Tasks.
  DeferLimit,
  BriefAtOnce,
  SeeOff,
  HelpAhead,
  StealPause,
  StealMany,
  HandOver,
  LazySplit,
  // Regions and waits.
  BriefRegions,
  RegionLengths,
  Apart,
  SpinBudget,
  Neighbours,
  Together,
  Turns,
  Polling,
  Nearest,
  // Loops.
  LoopBatches,
};
inline constexpr unsigned kHeuristics = static_cast<unsigned>(Heuristic::LoopBatches) + 1;

constexpr std::uint32_t bit_of(Heuristic heuristic) {
  return std::uint32_t{1} << static_cast<unsigned>(heuristic);
}

// Constant once the environment has been read.
inline bool enabled(Heuristic heuristic) {
  return (global_icvs().heuristics_off & bit_of(heuristic)) == 0;
}

std::string_view name_of(Heuristic heuristic);

// `text`: items `name:on` or `name:off` with commas between them, and `counters`. False: not
// understood, and nothing has changed.
bool read_tuning(std::string_view text, GlobalIcvs& icvs);
void print_tuning(const GlobalIcvs& icvs, TextOut& out);

// The possible values, for messages.
inline constexpr const char* kTuningSyntax =
    "a list of counters and NAME:on or NAME:off, for the heuristics in docs/tuning.md";

}  // namespace bobbin
