// SPDX-License-Identifier: Apache-2.0
#include "insight/span/following.h"

namespace bobbin::insight {
namespace {

void charge(ThreadState& thread, uint64_t ticks) {
  Node& node = *thread.now;
  node.at.grow(node.work_site, ticks);
  node.region->work += ticks;
  thread.worked += ticks;
  following.record->work += ticks;
  figures_of(node.work_site).work += ticks;
}

bool is_at_work(const ThreadState& thread) {
  return thread.works && thread.now != nullptr && thread.now->waits == 0;
}

}  // namespace

Event::Event() {
  const uint64_t now = ticks();
  following.lock.lock();
  const ompt_data_t* data = following.get_thread_data();
  thread_ = data != nullptr ? static_cast<ThreadState*>(data->ptr) : nullptr;
  if (thread_ == nullptr || !is_at_work(*thread_)) return;
  charge(*thread_, following.stopwatch.since(thread_->since, now));
}

Event::~Event() {
  if (thread_ != nullptr && is_at_work(*thread_)) thread_->since = Stopwatch::start();
  following.lock.unlock();
}

void Event::begin_program() {
  if (following.first_call == 0) return;
  const Stopwatch::Start begin = {recording().header.begin.ticks, 0};
  charge(*thread_, following.stopwatch.since(begin, following.first_call));
  following.first_call = 0;
}

}  // namespace bobbin::insight
