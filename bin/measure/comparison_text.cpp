// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <thread>

#include "insight/report/text.h"
#include "measure/comparison.h"
#include "measure/speedup.h"
#include "words/shell_words.h"

namespace bobbin::cli {
namespace {

using insight::grouped;
using insight::print;
using insight::time_text;

// Within this distance from 1 a factor is no difference that anyone notices.
constexpr double kEqual = 0.02;
// Below so many seconds the begin and end of processes are much of a run.
constexpr double kBrief = 0.05;

std::string many(uint64_t count, const std::string& thing) {
  return grouped(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string factor(double value, double scale) {
  std::string text;
  print(text, "%.*f", scale >= 10 ? 0 : scale >= 1.2 ? 1 : 2, value);
  return text;
}

// (1.8 to 2.0)
std::string between(double low, double high, double scale) {
  return " (" + factor(low, scale) + " to " + factor(high, scale) + ")";
}

std::string time_sentence(const Side& side, const Side& base) {
  const Speedup found = speedup(base.seconds, side.seconds);
  if (!found.has_interval()) {
    const bool slower = found.value < 1;
    const double value = slower ? 1 / found.value : found.value;
    return side.name + " is perhaps " + factor(value, value) + "x " +
           (slower ? "slower" : "faster") + " than " + base.name + ": " +
           many(side.seconds.size(), "run") + " of each are too few to be sure (--runs " +
           std::to_string(kLeastRuns) + " or more)";
  }
  if (found.low > 1 - kEqual && found.high < 1 + kEqual) {
    return side.name + " and " + base.name + " are equally fast" +
           between(found.low, found.high, 1);
  }
  if (found.surely_above_1()) {
    return side.name + " is " + factor(found.value, found.value) + "x faster than " + base.name +
           between(found.low, found.high, found.value);
  }
  if (found.surely_below_1()) {
    const double value = 1 / found.value;
    return side.name + " is " + factor(value, value) + "x slower than " + base.name +
           between(1 / found.high, 1 / found.low, value);
  }
  return "It is not sure whether " + side.name + " is faster than " + base.name + ": " +
         factor(found.value, 1) + "x" + between(found.low, found.high, 1);
}

// How much processor time it takes, as a part of a sentence.
std::string processor_words(const Side& side, const Side& base) {
  const Speedup found = speedup(base.processor_seconds, side.processor_seconds);
  const double part = 1 / found.value;
  std::string text;
  if (!found.has_interval()) return text;
  if (!found.surely_above_1() && !found.surely_below_1()) {
    text = ", with no sure difference in processor time";
  } else if (part >= 2) {
    text = ", with " + factor(part, part) + " times the processor time";
  } else {
    print(text, ", with %.0f %% %s processor time", 100 * std::abs(1 - part),
          part < 1 ? "less" : "more");
  }
  return text;
}

void add_table(std::string& out, const std::vector<Side>& sides) {
  size_t width = 0;
  for (const Side& side : sides) width = std::max(width, side.title().size());
  const int pad = static_cast<int>(width);
  print(out, "%-*s  %9s  %9s  %9s  %14s\n", pad, "", "time", "least", "most", "processor time");
  for (const Side& side : sides) {
    const auto [least, most] = std::minmax_element(side.seconds.begin(), side.seconds.end());
    print(out, "%-*s  %9s  %9s  %9s  %14s\n", pad, side.title().c_str(),
          time_text(median(side.seconds)).c_str(), time_text(*least).c_str(),
          time_text(*most).c_str(), time_text(median(side.processor_seconds)).c_str());
  }
}

void add_sentences(std::string& out, const std::vector<Side>& sides) {
  for (size_t i = 0; i < sides.size(); i++) {
    const Side& side = sides[i];
    if (side.base == i) continue;
    const Side& base = sides[side.base];
    if (!side.threads.empty()) out += "-n " + side.threads + ": ";
    out += time_sentence(side, base) + processor_words(side, base) + ".\n";
  }
}

const Side& fastest_of(const std::vector<Side>& sides) {
  return *std::min_element(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return median(a.seconds) < median(b.seconds);
  });
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  const std::vector<Side>& sides = comparison.sides;
  std::string out = many(sides.front().seconds.size(), "run") + " of each, by turns, on " +
                    many(std::thread::hardware_concurrency(), "processor") + "; " +
                    many(comparison.regions, "parallel region") + ", " +
                    many(comparison.threads, "thread") + "\n\n";
  add_table(out, sides);
  out += "\n";
  add_sentences(out, sides);
  const Side& fastest = fastest_of(sides);
  if (sides.size() > 2) out += "The shortest time is that of " + fastest.title() + ".\n";
  if (median(sides.front().seconds) < kBrief) {
    out +=
        "A run is so short that much of it is the begin of the process. A larger input tells "
        "more.\n";
  }
  const std::string line = shell_line(comparison.command);
  return out + "\nTo run it on Bobbin:    bobbin run " + line +
         "\nWhere its time goes:    bobbin run --profile " + line + "\n";
}

}  // namespace bobbin::cli
