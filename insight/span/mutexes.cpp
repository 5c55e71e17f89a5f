// SPDX-License-Identifier: Apache-2.0
#include "insight/span/mutexes.h"

#include <bit>
#include <cstdlib>

#include "platform/hash.h"

namespace bobbin::insight {

bool Mutexes::grow() {
  const uint32_t old_size = size_;
  Entry* old = entries_;
  const uint32_t size = size_ == 0 ? 64 : 2 * size_;
  auto* entries = static_cast<Entry*>(std::calloc(size, sizeof(Entry)));
  if (entries == nullptr) return false;
  entries_ = entries;
  size_ = size;
  used_ = 0;
  for (uint32_t i = 0; i < old_size; i++) {
    if (old[i].id != 0) *find(old[i].id) = old[i];
  }
  std::free(old);
  return true;
}

// nullptr: no memory.
Mutexes::Entry* Mutexes::find(ompt_wait_id_t id) {
  if (4 * (used_ + 1) > 3 * size_ && !grow()) return nullptr;
  auto at =
      static_cast<uint32_t>(fibonacci_hash(id, static_cast<unsigned>(std::countr_zero(size_))));
  while (entries_[at].id != 0 && entries_[at].id != id) at = (at + 1) & (size_ - 1);
  if (entries_[at].id == 0) {
    entries_[at].id = id;
    used_++;
  }
  return &entries_[at];
}

void Mutexes::add(ompt_wait_id_t id, SiteNumber site, uint64_t ticks) {
  Entry* entry = find(id);
  if (entry == nullptr) return;
  entry->work += ticks;
  if (entry->work <= most_) return;
  most_ = entry->work;
  site_of_most_ = site;
}

}  // namespace bobbin::insight
