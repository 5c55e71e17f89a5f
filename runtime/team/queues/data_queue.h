// SPDX-License-Identifier: Apache-2.0
// A queue of one owner in which items that work on the same data lie side by side, however far
// apart they were pushed. It is a list, and a table that maps a name of data to the youngest item
// that has the name. A new item goes behind the youngest item of its name. An item goes to the
// young end of the list if no item in the queue has one of its names. So a push costs one lookup
// for each name, whatever is in the queue.
//
// A thread that takes an item first follows its trail: it takes an item of the data that it worked
// on last, if there is one, but only a limited number of times in a row. Otherwise it takes the
// item nearest to its end of the list.
//
// A name has kWays places in the table. When other names use them all, the name is not remembered.
// Then its items only lie further apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "platform/hash.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "team/queues/bounded_ring.h"

namespace bobbin {

// The data that an item works on, by up to two addresses; 0: none.
struct DataNames {
  std::uintptr_t first = 0;
  std::uintptr_t second = 0;
};

// What a thread that takes items worked on last.
struct DataTrail {
  DataNames names;
  unsigned followed = 0;  // times in a row
};

template <class T>
class DataQueue {
 public:
  static constexpr unsigned kMostInARow = 64;

  DataQueue() = default;
  DataQueue(const DataQueue&) = delete;
  DataQueue& operator=(const DataQueue&) = delete;
  ~DataQueue() {
    while (slabs_ != nullptr) {
      Slab* slab = slabs_;
      slabs_ = slab->next;
      free(slab);
    }
    free(places_);
  }

  // For the owner. False: no memory, and the item is not in the queue.
  [[nodiscard]] bool push(T* item, const DataNames& names) {
    SpinGuard guard(lock_);
    if (!has_room()) return false;
    Cell* cell = free_;
    free_ = cell->younger;
    cell->item = item;
    cell->names = names;
    Cell* like = youngest_of(names);
    insert_behind(like != nullptr ? like : ends_.older, cell);
    remember(*cell);
    size_.store(size_.load(relaxed) + 1, relaxed);
    return true;
  }

  // For any thread: an item for which fits(T*) holds, or null.
  template <class Fits>
  T* take(QueueEnd end, Taker taker, DataTrail& trail, const Fits& fits) {
    SpinGuard guard(lock_);
    Cell* cell = next_on(trail, fits);
    if (cell == nullptr) {
      trail.followed = 0;
      cell = nearest_to(end, fits);
    }
    if (cell == nullptr) return nullptr;
    trail.names = cell->names;
    size_.store(size_.load(relaxed) - 1, relaxed);
    if (taker == Taker::Thief) stolen_.store(stolen_.load(relaxed) + 1, relaxed);
    return remove(*cell);
  }

  // In the child of a fork. False: another thread, which does not exist in the child, was changing
  // it.
  bool go_on_alone() { return !lock_.free_in_child(); }

  // How many items there were a moment ago.
  std::int64_t size() const { return size_.load(relaxed); }
  std::int64_t stolen() const { return stolen_.load(relaxed); }

 private:
  struct Cell {
    T* item;
    DataNames names;
    Cell* older;
    Cell* younger;  // of a free cell: the next free one

    bool has(std::uintptr_t name) const { return names.first == name || names.second == name; }
  };
  struct Slab {
    static constexpr std::size_t kCells = 64;
    Slab* next;
    Cell cells[kCells];
  };
  static constexpr unsigned kFirstGroupBits = 7;
  static constexpr std::size_t kPlacesAnItem = 8;
  static constexpr std::size_t kWays = 2;

  std::size_t place_count() const { return places_ == nullptr ? 0 : kWays << group_bits_; }

  Cell** places_of(std::uintptr_t name) {
    return places_ + fibonacci_hash(name, group_bits_) * kWays;
  }

  // The place that holds the youngest item of this name; nullptr: there is none.
  Cell** place_of(std::uintptr_t name) {
    if (name == 0 || places_ == nullptr) return nullptr;
    Cell** places = places_of(name);
    for (std::size_t way = 0; way < kWays; way++) {
      if (places[way] != nullptr && places[way]->has(name)) return &places[way];
    }
    return nullptr;
  }

  Cell* youngest_of(std::uintptr_t name) {
    Cell** place = place_of(name);
    return place != nullptr ? *place : nullptr;
  }
  Cell* youngest_of(const DataNames& names) {
    Cell* cell = youngest_of(names.first);
    return cell != nullptr ? cell : youngest_of(names.second);
  }

  void remember(Cell& cell, std::uintptr_t name) {
    if (name == 0 || places_ == nullptr) return;
    Cell** place = place_of(name);
    Cell** places = places_of(name);
    for (std::size_t way = 0; way < kWays && place == nullptr; way++) {
      if (places[way] == nullptr) place = &places[way];
    }
    if (place != nullptr) *place = &cell;
  }
  void remember(Cell& cell) {
    remember(cell, cell.names.first);
    remember(cell, cell.names.second);
  }

  // The item leaves: a neighbour of the same name takes its place.
  void forget(Cell& cell, std::uintptr_t name) {
    if (name == 0 || places_ == nullptr) return;
    Cell* like = nullptr;
    if (cell.younger->has(name)) like = cell.younger;
    if (cell.older->has(name)) like = cell.older;
    Cell** places = places_of(name);
    for (std::size_t way = 0; way < kWays; way++) {
      if (places[way] == &cell) places[way] = like;
    }
  }

  template <class Fits>
  Cell* next_on(DataTrail& trail, const Fits& fits) {
    if (trail.followed >= kMostInARow) return nullptr;
    Cell* cell = youngest_of(trail.names);
    if (cell == nullptr || !fits(cell->item)) return nullptr;
    trail.followed++;
    return cell;
  }

  template <class Fits>
  Cell* nearest_to(QueueEnd end, const Fits& fits) {
    bool oldest = end == QueueEnd::Oldest;
    Cell* cell = oldest ? ends_.younger : ends_.older;
    while (cell != &ends_ && !fits(cell->item)) cell = oldest ? cell->younger : cell->older;
    return cell != &ends_ ? cell : nullptr;
  }

  static void insert_behind(Cell* older, Cell* cell) {
    cell->older = older;
    cell->younger = older->younger;
    cell->younger->older = cell;
    older->younger = cell;
  }

  T* remove(Cell& cell) {
    forget(cell, cell.names.first);
    forget(cell, cell.names.second);
    cell.older->younger = cell.younger;
    cell.younger->older = cell.older;
    cell.younger = free_;
    free_ = &cell;
    return cell.item;
  }

  bool has_room() {
    // If the table cannot grow, fewer items of the same data lie side by side; nothing else is
    // lost.
    if (static_cast<std::size_t>(size_.load(relaxed)) >= place_count() / kPlacesAnItem)
      more_places();
    return free_ != nullptr || more_cells();
  }

  [[gnu::noinline]] bool more_cells() {
    auto* slab = static_cast<Slab*>(allocate_lines(sizeof(Slab)));
    if (slab == nullptr) return false;
    slab->next = slabs_;
    slabs_ = slab;
    for (Cell& cell : slab->cells) {
      cell.younger = free_;
      free_ = &cell;
    }
    return true;
  }

  [[gnu::noinline]] void more_places() {
    unsigned bits = places_ == nullptr ? kFirstGroupBits : group_bits_ + 1;
    auto* places = static_cast<Cell**>(calloc(kWays << bits, sizeof(Cell*)));
    if (places == nullptr) return;
    free(places_);
    places_ = places;
    group_bits_ = bits;
    for (Cell* cell = ends_.younger; cell != &ends_; cell = cell->younger) remember(*cell);
  }

  alignas(kCacheLine) SpinLock lock_;
  // Under the lock.
  Cell ends_{nullptr, {}, &ends_, &ends_};  // its neighbours: the youngest item, the oldest
  Cell* free_ = nullptr;
  Slab* slabs_ = nullptr;
  Cell** places_ = nullptr;
  unsigned group_bits_ = 0;  // of the number of groups of places
  // Written under the lock, read by all.
  Atomic<std::int64_t> size_{0};
  Atomic<std::int64_t> stolen_{0};
};

}  // namespace bobbin
