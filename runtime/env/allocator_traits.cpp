// SPDX-License-Identifier: Apache-2.0
#include "env/allocator_traits.h"

#include <bit>

#include "env/value.h"

namespace bobbin {
namespace {

constexpr Choice<std::uintptr_t> kAllocators[] = {{"omp_default_mem_alloc", 1},
                                                  {"omp_large_cap_mem_alloc", 2},
                                                  {"omp_const_mem_alloc", 3},
                                                  {"omp_high_bw_mem_alloc", 4},
                                                  {"omp_low_lat_mem_alloc", 5},
                                                  {"omp_cgroup_mem_alloc", 6},
                                                  {"omp_pteam_mem_alloc", 7},
                                                  {"omp_thread_mem_alloc", 8},
                                                  {"ompx_gnu_pinned_mem_alloc", kPinnedMemAlloc},
                                                  {"ompx_gnu_managed_mem_alloc", kManagedMemAlloc}};

constexpr Choice<MemSpace> kSpaces[] = {{"omp_default_mem_space", MemSpace::Default},
                                        {"omp_large_cap_mem_space", MemSpace::LargeCap},
                                        {"omp_const_mem_space", MemSpace::Const},
                                        {"omp_high_bw_mem_space", MemSpace::HighBw},
                                        {"omp_low_lat_mem_space", MemSpace::LowLat},
                                        {"ompx_gnu_managed_mem_space", MemSpace::Managed}};

// The allocator of a space without traits. The five of the specification are in the order of their
// spaces.
std::uintptr_t allocator_of(MemSpace space) {
  if (space == MemSpace::Managed) return kManagedMemAlloc;
  return 1 + static_cast<std::uintptr_t>(space);
}

constexpr Choice<AllocTrait> kTraits[] = {
    {"sync_hint", AllocTrait::SyncHint}, {"alignment", AllocTrait::Alignment},
    {"access", AllocTrait::Access},      {"pool_size", AllocTrait::PoolSize},
    {"fallback", AllocTrait::Fallback},  {"fb_data", AllocTrait::FbData},
    {"pinned", AllocTrait::Pinned},      {"partition", AllocTrait::Partition}};

struct TraitWord {
  AllocTrait key;
  std::string_view name;
  AllocValue value;
};

constexpr TraitWord kTraitWords[] = {
    {AllocTrait::SyncHint, "contended", AllocValue::Contended},
    {AllocTrait::SyncHint, "uncontended", AllocValue::Uncontended},
    {AllocTrait::SyncHint, "serialized", AllocValue::Serialized},
    {AllocTrait::SyncHint, "sequential", AllocValue::Serialized},
    {AllocTrait::SyncHint, "private", AllocValue::Private},
    {AllocTrait::Access, "all", AllocValue::All},
    {AllocTrait::Access, "thread", AllocValue::Thread},
    {AllocTrait::Access, "pteam", AllocValue::Pteam},
    {AllocTrait::Access, "cgroup", AllocValue::Cgroup},
    {AllocTrait::Fallback, "default_mem_fb", AllocValue::DefaultMemFb},
    {AllocTrait::Fallback, "null_fb", AllocValue::NullFb},
    {AllocTrait::Fallback, "abort_fb", AllocValue::AbortFb},
    {AllocTrait::Fallback, "allocator_fb", AllocValue::AllocatorFb},
    {AllocTrait::Pinned, "true", AllocValue::True},
    {AllocTrait::Pinned, "false", AllocValue::False},
    {AllocTrait::Partition, "environment", AllocValue::Environment},
    {AllocTrait::Partition, "nearest", AllocValue::Nearest},
    {AllocTrait::Partition, "blocked", AllocValue::Blocked},
    {AllocTrait::Partition, "interleaved", AllocValue::Interleaved}};

bool is_numeric(AllocTrait key) {
  return key == AllocTrait::Alignment || key == AllocTrait::PoolSize;
}

bool read_trait_value(Scanner& scan, AllocTrait key, std::uintptr_t& value) {
  const std::string_view word = scan.word();
  if (is_numeric(key)) {
    std::size_t number;
    if (!env::read_size(word, 1, number)) return false;
    if (key == AllocTrait::Alignment && !std::has_single_bit(number)) return false;
    if (key == AllocTrait::PoolSize && number == 0) return false;
    value = number;
    return true;
  }
  if (key == AllocTrait::FbData) {
    return read_choice(kAllocators, word, value);
  }
  for (const TraitWord& trait : kTraitWords) {
    if (trait.key == key && equal_ignoring_case(word, trait.name)) {
      value = static_cast<std::uintptr_t>(trait.value);
      return true;
    }
  }
  return false;
}

}  // namespace

bool parse_allocator(std::string_view text, AllocatorSpec& spec) {
  Scanner scan(text);
  AllocatorSpec result;
  const std::string_view word = scan.word();
  if (read_choice(kAllocators, word, result.handle)) {
    if (!scan.done()) return false;
    spec = result;
    return true;
  }
  if (!read_choice(kSpaces, word, result.space)) return false;
  result.handle = allocator_of(result.space);
  if (scan.eat(':')) {
    result.handle = kEnvironmentAllocator;
    do {
      AllocTraitItem item;
      if (result.trait_count == AllocatorSpec::kMaxTraits ||
          !read_choice(kTraits, scan.word(), item.key) || !scan.eat('=') ||
          !read_trait_value(scan, item.key, item.value)) {
        return false;
      }
      result.traits[result.trait_count++] = item;
    } while (scan.eat(','));
  }
  if (!scan.done()) return false;
  spec = result;
  return true;
}

void print_allocator(const AllocatorSpec& spec, TextOut& out) {
  if (spec.handle != kEnvironmentAllocator) {
    out.add(word_of(kAllocators, spec.handle));
    return;
  }
  out.add(word_of(kSpaces, spec.space));
  for (int i = 0; i < spec.trait_count; ++i) {
    const AllocTraitItem& item = spec.traits[i];
    out.add(i == 0 ? ':' : ',');
    out.add(word_of(kTraits, item.key));
    out.add('=');
    if (is_numeric(item.key)) {
      out.number(std::uint64_t{item.value});
    } else if (item.key == AllocTrait::FbData) {
      out.add(word_of(kAllocators, item.value));
    } else {
      for (const TraitWord& trait : kTraitWords) {
        if (trait.key == item.key && static_cast<std::uintptr_t>(trait.value) == item.value) {
          out.add(trait.name);
          break;
        }
      }
    }
  }
}

}  // namespace bobbin
