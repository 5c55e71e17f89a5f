// SPDX-License-Identifier: Apache-2.0
#include "env/places.h"

#include <algorithm>
#include <cstdlib>

#include "env/syntax/place_syntax.h"
#include "platform/diagnostics.h"
#include "platform/memory/first_use.h"
#include "platform/processors/machine_topology.h"
#include "platform/processors/processors.h"

namespace bobbin {
namespace {

template <class T>
bool grow(T*& array, unsigned& room, unsigned needed) {
  if (needed <= room) return true;
  unsigned wanted = room < 16 ? 16 : room;
  while (wanted < needed) wanted *= 2;
  T* larger = static_cast<T*>(std::realloc(array, wanted * sizeof(T)));
  if (larger == nullptr) return false;
  array = larger;
  room = wanted;
  return true;
}

class PlaceCollector final : public PlaceVisitor {
 public:
  PlaceCollector(PlaceList& list, const CpuSet& usable) : list_(list), usable_(usable) {}

  void add(const CpuSet& place) override {
    list_.add(place, usable_);
    CpuSet left_out = place;
    left_out.subtract(usable_);
    if (first_left_out_ == kMaxCpus) first_left_out_ = left_out.next(0);
  }
  void remove(const CpuSet& place) override {
    CpuSet cut = place;
    cut.intersect(usable_);
    // A place that this process may not use was never in the list.
    if (!list_.remove(cut) && !cut.empty()) {
      warn_once(said_, "OMP_PLACES takes out a place that its list does not have");
    }
  }
  // The first processor of a place that the process may not use; kMaxCpus: there is none.
  unsigned first_left_out() const { return first_left_out_; }

 private:
  PlaceList& list_;
  const CpuSet& usable_;
  unsigned first_left_out_ = kMaxCpus;
  OnceFlag said_;
};

unsigned group_of(const Processor& processor, PlaceUnit unit, unsigned index) {
  switch (unit) {
    case PlaceUnit::Threads:
      return index;
    case PlaceUnit::Cores:
      return processor.core;
    case PlaceUnit::LlCaches:
      return processor.cache;
    case PlaceUnit::NumaDomains:
      return processor.numa;
    case PlaceUnit::Sockets:
      break;
  }
  return processor.package;
}

CpuSet group_with(const Topology& tree, unsigned index, PlaceUnit unit) {
  CpuSet group;
  for (unsigned i = 0; i < tree.count(); ++i) {
    if (group_of(tree[i], unit, i) == group_of(tree[index], unit, index)) group.add(tree[i].cpu);
  }
  return group;
}

// The processors of a group are neighbours in the topology's list.
void add_abstract(const AbstractPlaces& wanted, const Topology& tree, const CpuSet& usable,
                  PlaceList& list) {
  unsigned from = 0;
  while (from < tree.count() && (wanted.count == 0 || list.count() < wanted.count)) {
    CpuSet place;
    unsigned to = from;
    while (to < tree.count() &&
           group_of(tree[to], wanted.unit, to) == group_of(tree[from], wanted.unit, from)) {
      place.add(tree[to++].cpu);
    }
    list.add(place, usable);
    from = to;
  }
}

class AffinityCollector final : public PlaceVisitor {
 public:
  AffinityCollector(PlaceList& list, const CpuSet& usable, const Topology& tree, PlaceUnit unit)
      : list_(list), usable_(usable), tree_(tree), unit_(unit) {}

  void add(const CpuSet& named) override {
    CpuSet place;
    named.each([&](unsigned cpu) {
      const unsigned index = tree_.index_of(cpu);
      if (index < tree_.count()) place.unite(group_with(tree_, index, unit_));
    });
    list_.add(place, usable_);
  }

 private:
  PlaceList& list_;
  const CpuSet& usable_;
  const Topology& tree_;
  PlaceUnit unit_;
};

// The address of a processor: its socket, its core in the socket, its number in the core.
struct Address {
  static constexpr unsigned kDepth = 3;

  unsigned index;
  unsigned numbers[kDepth];
};

void find_addresses(const Topology& tree, Address* addresses) {
  for (unsigned i = 0; i < tree.count(); ++i) {
    Address& at = addresses[i];
    at = {i, {tree[i].package, 0, 0}};
    if (i == 0 || tree[i].package != tree[i - 1].package) continue;
    const Address& last = addresses[i - 1];
    const bool same_core = tree[i].core == tree[i - 1].core;
    at.numbers[1] = last.numbers[1] + (same_core ? 0 : 1);
    at.numbers[2] = same_core ? last.numbers[2] + 1 : 0;
  }
}

// As the documentation of KMP_AFFINITY says: `permute` is the number of innermost levels that count
// first when the processors are sorted. For scatter it counts from the other end.
void sort_by_affinity(Address* addresses, unsigned count, const KmpAffinity& affinity) {
  constexpr unsigned kDepth = Address::kDepth;
  unsigned inner = affinity.permute < kDepth ? affinity.permute : kDepth - 1;
  if (affinity.type == AffinityType::Scatter) inner = kDepth - 1 - inner;
  std::sort(addresses, addresses + count, [inner](const Address& a, const Address& b) {
    for (unsigned k = 0; k < kDepth; ++k) {
      const unsigned level = k < inner ? kDepth - 1 - k : k - inner;
      if (a.numbers[level] != b.numbers[level]) return a.numbers[level] < b.numbers[level];
    }
    return false;
  });
}

void add_affinity_places(const KmpAffinity& affinity, const Topology& tree, const CpuSet& usable,
                         PlaceList& list) {
  if (affinity.type == AffinityType::Explicit) {
    AffinityCollector collector(list, usable, tree, affinity.granularity);
    parse_processor_list(affinity.processors, collector);
    return;
  }
  if (affinity.type == AffinityType::Balanced) {
    add_abstract(AbstractPlaces{affinity.granularity, 0}, tree, usable, list);
    return;
  }
  const unsigned count = tree.count();
  auto* addresses = static_cast<Address*>(std::malloc(count * sizeof(Address)));
  if (addresses == nullptr) return;
  find_addresses(tree, addresses);
  sort_by_affinity(addresses, count, affinity);
  // Makes a place for each processor, even if several are the same, because thread n takes the
  // n-th.
  for (unsigned k = 0; k < count; ++k) {
    const unsigned index = addresses[(k + affinity.offset) % count].index;
    list.add(group_with(tree, index, affinity.granularity), usable);
  }
  std::free(addresses);
}

constinit FirstUse<PlaceList> program_places;

}  // namespace

CpuSet PlaceList::mask(unsigned place) const {
  CpuSet set;
  for (unsigned i = 0; i < size(place); ++i) set.add(cpus(place)[i]);
  return set;
}

bool PlaceList::reserve(unsigned places, unsigned cpus) {
  return grow(starts_, places_room_, places + 1) && grow(cpus_, cpus_room_, cpus);
}

bool PlaceList::add(const CpuSet& place, const CpuSet& usable) {
  CpuSet cut = place;
  cut.intersect(usable);
  const unsigned size = cut.count();
  if (size == 0) return true;
  unsigned at = count_ == 0 ? 0 : starts_[count_];
  if (!reserve(count_ + 1, at + size)) return false;
  starts_[count_] = at;
  cut.each([&](unsigned cpu) { cpus_[at++] = cpu; });
  starts_[++count_] = at;
  return true;
}

bool PlaceList::remove(const CpuSet& place) {
  unsigned kept = 0;
  unsigned at = 0;
  for (unsigned i = 0; i < count_; ++i) {
    if (mask(i) == place) continue;
    const unsigned from = starts_[i];
    const unsigned n = size(i);
    // The copy only moves towards the front, so it does not overwrite places that are still to be
    // checked. The next round, or the code below, writes the start of the next place.
    for (unsigned k = 0; k < n; ++k) cpus_[at + k] = cpus_[from + k];
    starts_[kept++] = at;
    at += n;
  }
  if (count_ != 0) starts_[kept] = at;
  const bool found = kept != count_;
  count_ = kept;
  return found;
}

void PlaceList::clear() {
  std::free(starts_);
  std::free(cpus_);
  *this = PlaceList{};
}

void build_places(const GlobalIcvs& icvs, const CpuSet& usable, const Topology& (*tree)(),
                  PlaceList& list) {
  list.clear();
  if (!icvs.binds_threads()) return;
  AbstractPlaces abstract;
  PlaceCollector collector(list, usable);
  if (icvs.affinity.decides()) {
    add_affinity_places(icvs.affinity, tree(), usable, list);
  } else if (icvs.places_text != nullptr) {
    if (!parse_abstract_places(icvs.places_text, abstract)) {
      parse_explicit_places(icvs.places_text, collector);
    } else {
      add_abstract(abstract, tree(), usable, list);
    }
  } else if (icvs.cpu_affinity_text != nullptr) {
    parse_cpu_affinity(icvs.cpu_affinity_text, collector);
  }
  if (list.count() != 0) {
    if (collector.first_left_out() != kMaxCpus) {
      warn("%s='%.200s': this process may not use processor %u; going on without",
           icvs.places_text != nullptr ? "OMP_PLACES" : "GOMP_CPU_AFFINITY",
           icvs.places_text != nullptr ? icvs.places_text : icvs.cpu_affinity_text,
           collector.first_left_out());
    }
    return;
  }
  if (icvs.affinity.type == AffinityType::Explicit) {
    warn("KMP_AFFINITY's list holds no processor that this process may use; using 'cores'");
  }
  if (icvs.places_given) {
    warn("%s='%.200s' holds no processor that this process may use; using 'cores'",
         icvs.places_text != nullptr ? "OMP_PLACES" : "GOMP_CPU_AFFINITY",
         icvs.places_text != nullptr ? icvs.places_text : icvs.cpu_affinity_text);
  }
  add_abstract(AbstractPlaces{PlaceUnit::Cores, 0}, tree(), usable, list);
}

const PlaceList& place_list() {
  return program_places.get(
      [](PlaceList& list) { build_places(global_icvs(), process_mask(), topology, list); });
}

void print_cpus(const CpuSet& set, TextOut& out) {
  bool first = true;
  for (unsigned from = set.next(0); from < kMaxCpus;) {
    unsigned to = from;
    while (set.has(to + 1)) ++to;
    if (!first) out.add(',');
    first = false;
    out.number(from);
    if (to != from) {
      out.add('-');
      out.number(to);
    }
    from = set.next(to + 1);
  }
}

}  // namespace bobbin
