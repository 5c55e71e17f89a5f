// SPDX-License-Identifier: Apache-2.0
// The longest way from the begin of the program to a moment in a task: how long it takes, and of
// which pieces it consists. Ways share their common beginnings, whose pieces are counted.
//
// All functions are called with the lock of the events (following.h).
#pragma once

#include <cstdint>
#include <utility>

#include "insight/record/layout.h"
#include "insight/span/pool.h"
#include "insight/span/strand.h"

namespace bobbin::insight {

// Work at one site.
struct PathPiece {
  PathPiece* before = nullptr;
  uint64_t ticks = 0;
  uint32_t users = 1;
  SiteNumber site = 0;
};
inline Pool<PathPiece> path_pieces;

class Path {
 public:
  Path() = default;
  Path(const Path& other) : last_(other.last_) {
    if (last_ != nullptr) last_->users++;
  }
  Path& operator=(Path other) {
    std::swap(last_, other.last_);
    return *this;
  }
  ~Path() {
    // No recursion: a way has as many pieces as the program has tasks in a row.
    while (last_ != nullptr && --last_->users == 0) {
      PathPiece* before = last_->before;
      path_pieces.free(last_);
      last_ = before;
    }
  }

  void grow(SiteNumber site, uint64_t ticks) {
    if (last_ != nullptr && last_->users == 1 && last_->site == site) {
      last_->ticks += ticks;
      return;
    }
    if (PathPiece* piece = path_pieces.make()) {
      piece->before = last_;
      piece->ticks = ticks;
      piece->site = site;
      last_ = piece;
    }
  }

  // visit(SiteNumber, ticks) for each piece.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const PathPiece* piece = last_; piece != nullptr; piece = piece->before)
      visit(piece->site, piece->ticks);
  }

 private:
  PathPiece* last_ = nullptr;
};

struct Length {
  uint64_t ticks = 0;
  uint64_t hand_overs = 0;  // on the way: tasks that another thread may have begun
  Path path;
  Strand strand;  // where it is in the task graph

  void grow(SiteNumber site, uint64_t more) {
    ticks += more;
    path.grow(site, more);
    strand.grow(site, more);
  }
  // Nothing goes on here before that way has been gone.
  void wait_for(const Length& other, EdgeKind kind = EdgeKind::Wait) {
    strand.follow(other.strand, kind);
    if (other.ticks <= ticks) return;
    ticks = other.ticks;
    hand_overs = other.hand_overs;
    path = other.path;
  }
};

}  // namespace bobbin::insight
