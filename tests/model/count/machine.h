// SPDX-License-Identifier: Apache-2.0
// A machine whose processors have caches: which copies of each line there are, and how often a line
// moves from one processor's cache to another's.
//
// A line is in one processor's cache alone, or in those of several that have read it since it was
// written. A write by a processor that does not have it alone moves it there, and so does a read by
// one that has no copy. Everything else is a hit and costs nothing.
//
// The length of a path is counted in moves. A move begins when the processor has come to it and
// the line is written: the reads of one version go on side by side, while its writers follow each
// other. So a processor's path is the longest chain of moves that lead to where it is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/engine.h"
#include "sched/processors/distance.h"

namespace bobbin::count {

// A set of processors.
class Processors {
 public:
  bool has(unsigned processor) const {
    return processor / 64 < words_.size() && (words_[processor / 64] >> processor % 64 & 1) != 0;
  }
  void add(unsigned processor) {
    if (processor / 64 >= words_.size()) words_.resize(processor / 64 + 1);
    words_[processor / 64] |= std::uint64_t{1} << processor % 64;
  }
  void clear() { words_.clear(); }
  unsigned count() const;

 private:
  std::vector<std::uint64_t> words_;
};

// A thread that spins until a line that it has read is written.
struct Waiter {
  unsigned thread;
  std::uint64_t wait;  // which of the thread's waits: an earlier one is over
};

struct Line {
  std::uintptr_t address = 0;  // of what was used first in it
  unsigned owner = 0;          // who wrote it last
  bool alone = true;           // the owner has it alone
  Processors copies;           // otherwise
  std::uint64_t path = 0;      // of the last write
  std::uint64_t version = 0;   // counts the writes
  std::vector<Waiter> spinners;
  // Since the counts began.
  std::uint64_t moves = 0;
  Processors writers;
  model::Where used_at;  // the place in the code that moved it first
};

struct HotLine {
  std::string name;
  std::uint64_t moves = 0;
  unsigned writers = 0;
};

struct Counts {
  std::vector<std::uint64_t> moves;  // by level of the machine, the nearest first
  HotLine most_moved;
  HotLine most_written;  // by how many processors
};

class Machine {
 public:
  // Distances between processors.
  explicit Machine(const Distance& distance) : distance_(distance) {}

  // The line stays where it is.
  Line& line_of(const void* address);

  // Both return the processor's path after the access.
  std::uint64_t read(unsigned processor, std::uint64_t path, Line& line, model::Where where);
  std::uint64_t write(unsigned processor, std::uint64_t path, Line& line, model::Where where);

  // In the counts a line has the name of the range in which the first access to it was.
  void name(const void* begin, const void* end, std::string text);

  void begin_counts();
  Counts counts() const;

 private:
  void move(Line& line, unsigned processor, model::Where where);
  HotLine hot(const Line& line) const;
  std::string name_of(const Line& line) const;

  struct Named {
    std::uintptr_t end;
    std::string text;
  };
  static constexpr unsigned kMostLevels = 8;

  const Distance& distance_;
  std::unordered_map<std::uintptr_t, Line> lines_;
  std::map<std::uintptr_t, Named> names_;
  std::uint64_t moves_[kMostLevels] = {};
};

}  // namespace bobbin::count
