// SPDX-License-Identifier: Apache-2.0
#include "model/count/schedule.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "platform/atomic.h"

namespace bobbin::count {

Schedule* schedule = nullptr;

namespace {

// A thread that has read more than that since its last hint is not yet in the loop that waits.
constexpr std::size_t kMostInALoop = 1 << 14;
constexpr std::size_t kBlock = std::size_t{16} << 20;

}  // namespace

Schedule::~Schedule() {
  for (void* block : blocks_) std::free(block);
}

void Schedule::fail(const std::string& message) {
  std::fprintf(stderr, "thread %u: %s\n", current_, message.c_str());
  std::abort();
}

void Schedule::run(model::Task body) {
  schedule = this;
  running_ = true;
  threads_.emplace_back().task = body;
  threads_[0].fiber.prepare(&thread_main, this);
  threads_[0].fiber.switch_from(main_);
  running_ = false;
  schedule = nullptr;
}

void Schedule::thread_main(void* argument) {
  auto* self = static_cast<Schedule*>(argument);
  const model::Task task = self->threads_[self->current_].task;
  task.run(task.closure);
  if (self->current_ == 0) {
    model::Fiber abandoned;
    self->main_.switch_from(abandoned);
  }
  self->leave(Status::Done);
  std::abort();
}

// Before an access: another thread goes first if its path is shorter.
void Schedule::step() {
  Thread& thread = threads_[current_];
  thread.steps++;
  if (ready_.empty() || thread.path <= std::get<0>(ready_.top())) return;
  ready_.emplace(thread.path, thread.steps, current_);
  const unsigned other = std::get<2>(ready_.top());
  ready_.pop();
  switch_to(other);
}

void Schedule::switch_to(unsigned other) {
  if (other == current_) return;
  Thread& from = threads_[current_];
  if (local_ != nullptr) from.local = std::exchange(*local_, threads_[other].local);
  current_ = other;
  threads_[other].fiber.switch_from(from.fiber);
}

void Schedule::make_ready(unsigned number, std::uint64_t path) {
  Thread& thread = threads_[number];
  thread.status = Status::Ready;
  thread.waits++;
  if (thread.path < path) thread.path = path;
  ready_.emplace(thread.path, thread.steps, number);
}

// The running thread cannot go on until another one makes it ready.
void Schedule::leave(Status status) {
  threads_[current_].status = status;
  switch_to(next());
}

unsigned Schedule::next() {
  if (ready_.empty()) {
    for (unsigned i = 0; i < threads_.size(); i++) {
      if (threads_[i].status == Status::Settling) {
        make_ready(i, even_out());
        break;
      }
    }
  }
  if (ready_.empty()) fail("all threads wait for each other");
  const unsigned number = std::get<2>(ready_.top());
  ready_.pop();
  return number;
}

void Schedule::read(const void* address, model::Where where) {
  step();
  Thread& thread = threads_[current_];
  Line& line = machine_.line_of(address);
  thread.path = machine_.read(current_, thread.path, line, where);
  note_seen(line);
}

void Schedule::write(const void* address, model::Where where) { changed(own(address, where)); }

Line& Schedule::own(const void* address, model::Where where) {
  step();
  Thread& thread = threads_[current_];
  Line& line = machine_.line_of(address);
  thread.path = machine_.write(current_, thread.path, line, where);
  note_seen(line);
  return line;
}

void Schedule::changed(Line& line) {
  for (const Waiter& waiter : std::exchange(line.spinners, {})) {
    const Thread& other = threads_[waiter.thread];
    if (other.status == Status::Spinning && other.waits == waiter.wait) {
      make_ready(waiter.thread, threads_[current_].path);
    }
  }
}

void Schedule::note_seen(Line& line) {
  Thread& thread = threads_[current_];
  if (thread.seen.size() <= kMostInALoop) thread.seen.emplace_back(&line, line.version);
}

void Schedule::spin() {
  Thread& thread = threads_[current_];
  const auto seen = std::exchange(thread.seen, {});
  const bool changed = std::any_of(seen.begin(), seen.end(), [](const auto& read) {
    return read.first->version != read.second;
  });
  if (seen.empty() || seen.size() > kMostInALoop || changed) {
    ready_.emplace(thread.path, ++thread.steps, current_);
    switch_to(next());
    return;
  }
  for (const auto& read : seen) read.first->spinners.push_back({current_, thread.waits});
  leave(Status::Spinning);
}

void Schedule::wait(const void* address) {
  sleepers_[reinterpret_cast<std::uintptr_t>(address)].push_back(current_);
  leave(Status::Sleeping);
}

int Schedule::wake(const void* address, int count) {
  step();
  auto found = sleepers_.find(reinterpret_cast<std::uintptr_t>(address));
  int woken = 0;
  while (found != sleepers_.end() && !found->second.empty() && woken < count) {
    make_ready(found->second.front(), threads_[current_].path);
    found->second.pop_front();
    woken++;
  }
  return woken;
}

void Schedule::spawn(model::Task task) {
  const auto number = static_cast<unsigned>(threads_.size());
  Thread& thread = threads_.emplace_back();
  thread.task = task;
  thread.fiber.prepare(&thread_main, this);
  make_ready(number, threads_[current_].path);
}

// All threads are as far as the one with the longest path.
std::uint64_t Schedule::even_out() {
  std::uint64_t longest = 0;
  for (const Thread& thread : threads_) longest = thread.path > longest ? thread.path : longest;
  for (Thread& thread : threads_) thread.path = longest;
  return longest;
}

std::uint64_t Schedule::meet(unsigned count) {
  meeting_.push_back(current_);
  if (meeting_.size() < count) {
    leave(Status::Meeting);
    return threads_[current_].path;
  }
  std::uint64_t longest = 0;
  for (unsigned number : meeting_) {
    if (threads_[number].path > longest) longest = threads_[number].path;
  }
  for (unsigned number : std::exchange(meeting_, {})) {
    if (number != current_) make_ready(number, longest);
  }
  return threads_[current_].path = longest;
}

std::uint64_t Schedule::settle() {
  leave(Status::Settling);
  return threads_[current_].path;
}

void* Schedule::allocate(std::size_t size) {
  size = (size + kCacheLine - 1) / kCacheLine * kCacheLine;
  if (size > kBlock) fail("too large a block");
  if (size > left_in_block_) {
    blocks_.push_back(std::aligned_alloc(kBlock, kBlock));
    if (blocks_.back() == nullptr) fail("out of memory");
    left_in_block_ = kBlock;
  }
  auto* block = static_cast<char*>(blocks_.back()) + (kBlock - left_in_block_);
  left_in_block_ -= size;
  return std::memset(block, 0, size);
}

}  // namespace bobbin::count
