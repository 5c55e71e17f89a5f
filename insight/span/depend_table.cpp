// SPDX-License-Identifier: Apache-2.0
#include "insight/span/depend_table.h"

#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

#include "platform/hash.h"

namespace bobbin::insight {
namespace {

bool is_shared(ompt_dependence_type_t type) {
  return type == ompt_dependence_type_in || type == ompt_dependence_type_inoutset ||
         type == ompt_dependence_type_mutexinoutset;
}

void wait_for(Node& node, const NodeList& list) {
  list.each([&](Node& other) {
    if (&other != &node) node.predecessors.add(other);
  });
}

}  // namespace

DependTable* DependTable::create() {
  void* memory = std::malloc(sizeof(DependTable));
  return memory != nullptr ? new (memory) DependTable : nullptr;
}

void DependTable::destroy(DependTable* table) {
  if (table == nullptr) return;
  table->forget_entries();
  table->everything_.clear();
  std::free(table->entries_);
  std::free(table);
}

// That of the address, or the free one where it belongs.
DependTable::Entry& DependTable::place_of(uint64_t address, Entry* entries, uint32_t size) {
  auto at =
      static_cast<uint32_t>(fibonacci_hash(address, static_cast<unsigned>(std::countr_zero(size))));
  while (entries[at].used && entries[at].address != address) at = (at + 1) & (size - 1);
  return entries[at];
}

// False: no memory. Then the order is incomplete.
bool DependTable::grow() {
  const uint32_t size = size_ == 0 ? 16 : 2 * size_;
  auto* entries = static_cast<Entry*>(std::calloc(size, sizeof(Entry)));
  if (entries == nullptr) return false;
  for (uint32_t i = 0; i < size_; i++) {
    if (entries_[i].used) place_of(entries_[i].address, entries, size) = entries_[i];
  }
  std::free(entries_);
  entries_ = entries;
  size_ = size;
  return true;
}

DependTable::Entry* DependTable::find(uint64_t address) {
  if (4 * (used_ + 1) > 3 * size_ && !grow()) return nullptr;
  Entry& entry = place_of(address, entries_, size_);
  if (!entry.used) {
    entry.used = true;
    entry.address = address;
    entry.type = ompt_dependence_type_out;
    everything_.each([&](Node& node) { entry.present.add(node); });
    used_++;
  }
  return &entry;
}

void DependTable::add_at(Node& node, uint64_t address, ompt_dependence_type_t type) {
  Entry* entry = find(address);
  if (entry == nullptr) return;
  if (!is_shared(type) || type != entry->type) {
    entry->before.clear();
    entry->before = std::exchange(entry->present, {});
    entry->type = type;
  }
  wait_for(node, entry->before);
  if (!entry->present.ends_with(node)) entry->present.add(node);  // it names the address twice
}

void DependTable::forget_entries() {
  for (uint32_t i = 0; i < size_; i++) {
    entries_[i].before.clear();
    entries_[i].present.clear();
    entries_[i] = {};
  }
  used_ = 0;
}

void DependTable::add_at_all(Node& node) {
  wait_for(node, everything_);
  for (uint32_t i = 0; i < size_; i++) {
    wait_for(node, entries_[i].present);
    wait_for(node, entries_[i].before);  // a set need not have waited for all of its members yet
  }
  forget_entries();
  everything_.clear();
  everything_.add(node);
}

void DependTable::add(Node& node, const ompt_dependence_t* dependences, int count) {
  for (int i = 0; i < count; i++) {
    switch (dependences[i].dependence_type) {
      case ompt_dependence_type_source:
      case ompt_dependence_type_sink:
        break;  // of iterations, not of tasks
      case ompt_dependence_type_out_all_memory:
      case ompt_dependence_type_inout_all_memory:
        add_at_all(node);
        break;
      default:
        add_at(node, dependences[i].variable.value, dependences[i].dependence_type);
    }
  }
}

}  // namespace bobbin::insight
