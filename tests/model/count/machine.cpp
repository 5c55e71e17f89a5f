// SPDX-License-Identifier: Apache-2.0
#include "model/count/machine.h"

#include <bit>
#include <utility>

#include "platform/atomic.h"

namespace bobbin::count {

namespace {

std::string text_of(model::Where where) {
  const std::string path = where.file_name();
  return path.substr(path.rfind('/') + 1) + ":" + std::to_string(where.line());
}

}  // namespace

unsigned Processors::count() const {
  unsigned sum = 0;
  for (std::uint64_t word : words_) sum += static_cast<unsigned>(std::popcount(word));
  return sum;
}

Line& Machine::line_of(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Line& line = lines_[at / kCacheLine];
  if (line.address == 0) line.address = at;
  return line;
}

void Machine::move(Line& line, unsigned processor, model::Where where) {
  const unsigned level =
      distance_.between(static_cast<int>(line.owner), static_cast<int>(processor));
  moves_[level < kMostLevels ? level : kMostLevels - 1]++;
  if (line.moves++ == 0) line.used_at = where;
}

std::uint64_t Machine::read(unsigned processor, std::uint64_t path, Line& line,
                            model::Where where) {
  if (line.version == 0 || (line.alone ? line.owner == processor : line.copies.has(processor))) {
    return path;
  }
  move(line, processor, where);
  if (line.alone) {
    line.alone = false;
    line.copies.add(line.owner);
  }
  line.copies.add(processor);
  return (path > line.path ? path : line.path) + 1;
}

std::uint64_t Machine::write(unsigned processor, std::uint64_t path, Line& line,
                             model::Where where) {
  if (line.version != 0 && !(line.alone && line.owner == processor)) {
    move(line, processor, where);
    path = (path > line.path ? path : line.path) + 1;
  }
  line.owner = processor;
  line.alone = true;
  line.copies.clear();
  line.path = path;
  line.version++;
  line.writers.add(processor);
  return path;
}

void Machine::name(const void* begin, const void* end, std::string text) {
  names_[reinterpret_cast<std::uintptr_t>(begin)] = {reinterpret_cast<std::uintptr_t>(end),
                                                     std::move(text)};
}

std::string Machine::name_of(const Line& line) const {
  const std::uintptr_t begin = line.address / kCacheLine * kCacheLine;
  for (const std::uintptr_t at : {line.address, begin + kCacheLine - 1}) {
    auto next = names_.upper_bound(at);
    if (next == names_.begin()) continue;
    if ((--next)->second.end > (at == line.address ? at : begin)) return next->second.text;
  }
  return text_of(line.used_at);
}

HotLine Machine::hot(const Line& line) const {
  return {name_of(line), line.moves, line.writers.count()};
}

void Machine::begin_counts() {
  for (std::uint64_t& moves : moves_) moves = 0;
  for (auto& [at, line] : lines_) {
    line.moves = 0;
    line.writers.clear();
  }
}

Counts Machine::counts() const {
  Counts counts;
  counts.moves.assign(moves_, moves_ + distance_.levels());
  for (const auto& [at, line] : lines_) {
    HotLine here = hot(line);
    const auto moved = [](const HotLine& hot) { return std::pair(hot.moves, hot.name); };
    const auto written = [](const HotLine& hot) {
      return std::pair(std::pair(hot.writers, hot.moves), hot.name);
    };
    if (moved(here) > moved(counts.most_moved)) counts.most_moved = here;
    if (written(here) > written(counts.most_written)) counts.most_written = here;
  }
  return counts;
}

}  // namespace bobbin::count
