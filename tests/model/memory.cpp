// SPDX-License-Identifier: Apache-2.0
#include "model/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace bobbin::model {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

template <class T>
void raise_to(T& value, T least) {
  if (value < least) value = least;
}

}  // namespace

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdu;
  x ^= x >> 32;
  x *= 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 29);
}

void Clock::join(const Clock& other) {
  for (int i = 0; i < kMaxThreads; ++i) raise_to(at[i], other.at[i]);
}

void View::join(const std::uint16_t* other, std::size_t count) {
  if (oldest.size() < count) oldest.resize(count);
  for (std::size_t i = 0; i < count; ++i) raise_to(oldest[i], other[i]);
}

void View::raise(std::uint32_t location, std::uint32_t index) {
  if (oldest.size() <= location) oldest.resize(location + 1);
  raise_to(oldest[location], static_cast<std::uint16_t>(index));
}

void Knowledge::reset() {
  clock = {};
  view.oldest.clear();
}

void Memory::reset() {
  for (ThreadState& thread : threads_) {
    thread.now.reset();
    thread.on_acquire_fence.reset();
    thread.at_release_fence.reset();
    thread.hash = 0;
  }
  sc_.oldest.clear();
  sc_hash_ = ordered_hash_ = locations_hash_ = 0;
  used_ = 0;
  ++run_;
  block_ = offset_ = 0;
}

void* Memory::arena_take(std::size_t bytes) {
  bytes = (bytes + 15) & ~std::size_t{15};
  if (bytes > kBlock) std::abort();
  if (blocks_.empty()) blocks_.push_back(static_cast<char*>(::operator new(kBlock)));
  if (offset_ + bytes > kBlock) {
    if (++block_ == blocks_.size()) blocks_.push_back(static_cast<char*>(::operator new(kBlock)));
    offset_ = 0;
  }
  void* taken = blocks_[block_] + offset_;
  offset_ += bytes;
  return taken;
}

Memory::Known& Memory::entry(std::uintptr_t address) {
  std::size_t mask = known_.size() - 1;
  std::size_t i = mix(address, 0) & mask;
  while (known_[i].run == run_ && known_[i].address != address) i = (i + 1) & mask;
  return known_[i];
}

std::uint32_t Memory::add(const void* address, std::uint32_t size, const Word* initial,
                          Epoch created, std::uint64_t hash) {
  if (used_ * 2 >= known_.size()) {
    std::vector<Known> old(known_.size() * 2);
    old.swap(known_);
    for (const Known& one : old) {
      if (one.run == run_) entry(one.address) = one;
    }
  }
  if (used_ == locations_.size()) locations_.emplace_back();
  std::uint32_t id = used_++;
  Location& location = locations_[id];
  std::vector<Store> stores = std::move(location.stores);
  stores.clear();
  location = Location{};
  location.stores = std::move(stores);
  location.address = address;
  location.size = size;
  location.created = created;
  location.last_access[created.thread] = created.time;
  location.last_write = created;
  if (initial != nullptr) location.stores.push_back({*initial, nullptr, hash, created});
  location.identity = hash;
  set_location_hash(location, hash);
  auto at = reinterpret_cast<std::uintptr_t>(address);
  entry(at) = {at, run_, id};
  return id;
}

std::uint32_t Memory::locate(const void* address, std::uint32_t size, const Word* initial) {
  Known& known = entry(reinterpret_cast<std::uintptr_t>(address));
  if (known.run == run_) return known.id;
  // It is older than the execution, so every thread knows it. Which thread came first does not
  // matter.
  std::uint64_t hash = mix(1, reinterpret_cast<std::uintptr_t>(address));
  return add(address, size, initial, {0, 0}, hash);
}

std::uint32_t Memory::create(int thread, const void* address, std::uint32_t size,
                             const Word* initial) {
  tick(thread);
  ThreadState& state = threads_[thread];
  state.hash = mix(state.hash, 2);
  Epoch created{static_cast<std::uint32_t>(thread), state.now.clock.at[thread]};
  return add(address, size, initial, created, state.hash);
}

void Memory::fork(int parent, int child) {
  tick(parent);
  ThreadState& from = threads_[parent];
  ThreadState& to = threads_[child];
  to.now = from.now;
  to.on_acquire_fence = from.now;
  to.hash = mix(from.hash, 100 + static_cast<std::uint64_t>(child));
  from.hash = mix(from.hash, 4);
}

void Memory::join(int thread, int ended) {
  ThreadState& to = threads_[thread];
  const ThreadState& from = threads_[ended];
  to.now.clock.join(from.now.clock);
  to.now.view.join(from.now.view.oldest.data(), from.now.view.oldest.size());
  to.hash = mix(to.hash, from.hash);
}

std::uint32_t Memory::oldest_readable(int thread, std::uint32_t id, std::memory_order order) const {
  std::uint32_t oldest = threads_[thread].now.view.at(id);
  if (is_sc(order)) oldest = std::max(oldest, sc_.at(id));
  return oldest;
}

void Memory::take(int thread, const Message* message, bool acquires) {
  if (message == nullptr) return;
  ThreadState& state = threads_[thread];
  state.on_acquire_fence.clock.join(message->clock);
  state.on_acquire_fence.view.join(message->oldest, message->count);
  if (acquires) {
    state.now.clock.join(message->clock);
    state.now.view.join(message->oldest, message->count);
  }
}

void Memory::read(int thread, std::uint32_t id, std::uint32_t index, std::memory_order order) {
  tick(thread);
  ThreadState& state = threads_[thread];
  Location& location = locations_[id];
  location.last_access[thread] = state.now.clock.at[thread];
  state.now.view.raise(id, index);
  take(thread, location.stores[index].message, is_acquire(order));
  if (is_sc(order)) raise_sc(id, index);
  state.hash = mix(state.hash, mix(location.stores[index].hash, 5));
}

const Message* Memory::freeze(const Knowledge& knowledge, const Message* also) {
  std::size_t count = knowledge.view.oldest.size();
  if (also != nullptr) count = std::max<std::size_t>(count, also->count);
  auto* message = static_cast<Message*>(arena_take(sizeof(Message)));
  message->clock = knowledge.clock;
  message->count = static_cast<std::uint32_t>(count);
  message->oldest = static_cast<std::uint16_t*>(arena_take(count * sizeof(std::uint16_t) + 1));
  std::memset(message->oldest, 0, count * sizeof(std::uint16_t));
  if (!knowledge.view.oldest.empty()) {
    std::memcpy(message->oldest, knowledge.view.oldest.data(),
                knowledge.view.oldest.size() * sizeof(std::uint16_t));
  }
  if (also != nullptr) {
    message->clock.join(also->clock);
    for (std::uint32_t i = 0; i < also->count; ++i) raise_to(message->oldest[i], also->oldest[i]);
  }
  return message;
}

void Memory::append(int thread, std::uint32_t id, Word value, const Message* message) {
  Location& location = locations_[id];
  ThreadState& state = threads_[thread];
  state.hash = mix(state.hash, mix(6, location.hash));
  Epoch by{static_cast<std::uint32_t>(thread), state.now.clock.at[thread]};
  location.stores.push_back({value, message, state.hash, by});
  set_location_hash(location, mix(location.hash, state.hash));
}

void Memory::write(int thread, std::uint32_t id, Word value, std::memory_order order) {
  tick(thread);
  ThreadState& state = threads_[thread];
  Location& location = locations_[id];
  location.last_access[thread] = state.now.clock.at[thread];
  state.now.view.raise(id, location.newest() + 1);
  if (is_sc(order)) raise_sc(id, location.newest() + 1);
  append(thread, id, value,
         freeze(is_release(order) ? state.now : state.at_release_fence, nullptr));
}

void Memory::update(int thread, std::uint32_t id, Word value, std::memory_order order) {
  std::uint32_t index = locations_[id].newest();
  read(thread, id, index, order);
  ThreadState& state = threads_[thread];
  const Message* passed_on = locations_[id].stores[index].message;
  state.now.view.raise(id, index + 1);
  if (is_sc(order)) raise_sc(id, index + 1);
  append(thread, id, value,
         freeze(is_release(order) ? state.now : state.at_release_fence, passed_on));
}

void Memory::fence(int thread, std::memory_order order) {
  tick(thread);
  ThreadState& state = threads_[thread];
  if (is_acquire(order)) {
    const Knowledge& pending = state.on_acquire_fence;
    state.now.clock.join(pending.clock);
    state.now.view.join(pending.view.oldest.data(), pending.view.oldest.size());
  }
  if (is_sc(order)) {
    state.now.view.join(sc_.oldest.data(), sc_.oldest.size());
    state.hash = mix(state.hash, sc_hash_);
    for (std::uint32_t id = 0; id < state.now.view.oldest.size(); ++id) {
      raise_sc(id, state.now.view.oldest[id]);
    }
  }
  if (is_release(order)) state.at_release_fence = state.now;
  state.hash = mix(state.hash, 7 + static_cast<std::uint64_t>(order));
}

void Memory::raise_sc(std::uint32_t id, std::uint32_t index) {
  std::uint32_t before = sc_.at(id);
  if (before >= index) return;
  std::uint64_t identity = locations_[id].identity;
  sc_hash_ += mix(identity, index) - (before != 0 ? mix(identity, before) : 0);
  sc_.raise(id, index);
}

const char* Memory::check_access(int thread, std::uint32_t id) {
  const Location& location = locations_[id];
  if (location.dead) return "use of freed memory";
  if (!location.created.before(threads_[thread].now.clock)) {
    return "data race: the object's construction does not happen before its use";
  }
  return nullptr;
}

const char* Memory::plain_read(int thread, std::uint32_t id) {
  tick(thread);
  if (const char* error = check_access(thread, id)) return error;
  Location& location = locations_[id];
  ThreadState& state = threads_[thread];
  location.last_access[thread] = location.last_read[thread] = state.now.clock.at[thread];
  state.hash = mix(state.hash, 8);
  if (!location.last_write.before(state.now.clock)) {
    return "data race: a write to the variable does not happen before this read";
  }
  return nullptr;
}

const char* Memory::plain_write(int thread, std::uint32_t id) {
  tick(thread);
  if (const char* error = check_access(thread, id)) return error;
  Location& location = locations_[id];
  ThreadState& state = threads_[thread];
  if (!location.last_write.before(state.now.clock)) {
    return "data race: a write to the variable does not happen before this write";
  }
  for (std::uint32_t other = 0; other < kMaxThreads; ++other) {
    if (!Epoch{other, location.last_read[other]}.before(state.now.clock)) {
      return "data race: a read of the variable does not happen before this write";
    }
  }
  location.last_access[thread] = state.now.clock.at[thread];
  location.last_write = {static_cast<std::uint32_t>(thread), state.now.clock.at[thread]};
  state.hash = mix(state.hash, 9);
  return nullptr;
}

const char* Memory::retire(int thread, const void* address, std::size_t size) {
  tick(thread);
  auto begin = reinterpret_cast<std::uintptr_t>(address);
  const Clock& clock = threads_[thread].now.clock;
  for (std::uint32_t id = 0; id < used_; ++id) {
    Location& location = locations_[id];
    auto at = reinterpret_cast<std::uintptr_t>(location.address);
    if (location.dead || at < begin || at >= begin + size) continue;
    location.dead = true;
    for (std::uint32_t other = 0; other < kMaxThreads; ++other) {
      if (!Epoch{other, location.last_access[other]}.before(clock)) {
        return "data race: a use of the object does not happen before its memory is freed";
      }
    }
  }
  return nullptr;
}

void Memory::note(int thread, std::uint64_t event) {
  threads_[thread].hash = mix(threads_[thread].hash, mix(10, event));
}

void Memory::note_ordered(int thread, std::uint64_t event) {
  ordered_hash_ = mix(ordered_hash_, mix(threads_[thread].hash, event));
  threads_[thread].hash = mix(threads_[thread].hash, ordered_hash_);
}

void Memory::set_location_hash(Location& location, std::uint64_t hash) {
  // A sum, because the order in which locations were created does not matter.
  locations_hash_ += mix(hash, 11) - (location.hash != 0 ? mix(location.hash, 11) : 0);
  location.hash = hash;
}

std::uint64_t Memory::hash() const {
  std::uint64_t all = mix(locations_hash_, mix(sc_hash_, ordered_hash_));
  for (const ThreadState& thread : threads_) all = mix(all, thread.hash);
  return all;
}

}  // namespace bobbin::model
