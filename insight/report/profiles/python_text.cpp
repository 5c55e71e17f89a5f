// SPDX-License-Identifier: Apache-2.0
#include "insight/report/profiles/python_text.h"

#include <algorithm>
#include <map>

#include "insight/report/text.h"

namespace bobbin::insight {
namespace {

constexpr size_t kMostLines = 10;     // of the program's own
constexpr size_t kMostWithin = 5;     // below each of these
constexpr double kWorthALine = 0.01;  // of the time
constexpr size_t kRegionWidth = 30;

// What one line of the program led to, and the sum.
struct OwnLine {
  PythonFigures sum;
  std::vector<const PythonFigures*> within;
};

std::vector<OwnLine> by_own_line(const std::vector<PythonFigures>& figures) {
  std::map<PythonFrame, OwnLine> by_line;
  for (const PythonFigures& one : figures) {
    OwnLine& line = by_line[one.frames.front()];
    line.sum.frames = {one.frames.front()};
    line.sum.seconds += one.seconds;
    line.sum.working += one.working;
    line.sum.samples += one.samples;
    line.within.push_back(&one);
  }
  std::vector<OwnLine> lines;
  lines.reserve(by_line.size());
  for (const auto& [frame, line] : by_line) lines.push_back(line);
  std::stable_sort(lines.begin(), lines.end(), [](const OwnLine& a, const OwnLine& b) {
    return a.sum.seconds > b.sum.seconds;
  });
  return lines;
}

// `-> grower.py:331 (grow) -> region at split (splitting)`; empty: it led nowhere.
std::string led_to(const PythonFigures& figures) {
  std::string text;
  if (figures.frames.size() > 1) text = "-> " + figures.frames.back().text();
  if (!figures.in_region) return text;
  return text + (text.empty() ? "" : " ") + "-> region at " +
         figures.region.text_within(kRegionWidth);
}

void print_row(std::string& out, const PythonFigures& figures, double whole,
               const std::string& what) {
  print(out, "%5.1f%%%9s%13s%9.2f  %s\n", percent(figures.seconds, whole),
        time_text(figures.seconds).c_str(), grouped(figures.samples).c_str(),
        figures.working / figures.seconds, what.c_str());
}

}  // namespace

void print_python(std::string& out, const std::vector<PythonFigures>& figures) {
  double whole = 0;
  for (const PythonFigures& one : figures) whole += one.seconds;
  if (whole <= 0) return;
  print(out, "\n%6s%9s%13s%9s  %s\n", "share", "time", "samples", "working", "Python");
  size_t lines = 0;
  for (const OwnLine& line : by_own_line(figures)) {
    if (line.sum.seconds < kWorthALine * whole || lines++ == kMostLines) break;
    print_row(out, line.sum, whole, line.sum.frames.front().text());
    size_t within = 0;
    for (const PythonFigures* one : line.within) {
      const std::string what = led_to(*one);
      if (what.empty()) continue;
      if (one->seconds < kWorthALine * whole || within++ == kMostWithin) break;
      print_row(out, *one, whole, "  " + what);
    }
  }
}

}  // namespace bobbin::insight
