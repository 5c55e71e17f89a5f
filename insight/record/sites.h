// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "insight/record/recording.h"
#include "platform/hash.h"

namespace bobbin::insight {

// The table of sites is a hash table with linear probing, in which a site is entered once and
// stays. An entry is published by one compare-and-swap of its key, so all threads agree on its
// number.
inline unsigned first_probe(uint64_t key) {
  return static_cast<unsigned>(fibonacci_hash(key, kSiteBits));
}

SiteNumber enter_site(SiteKind kind, const void* code, uint64_t key);

inline SiteNumber site_of(SiteKind kind, const void* code) {
  if (code == nullptr) return unknown_site(kind);
  const uint64_t key = site_key(kind, code);
  const Site* sites = recording().sites;
  unsigned at = first_probe(key);
  for (;; at = (at + 1) & (kSites - 1)) {
    const uint64_t found = sites[at].key.load(relaxed);
    if (found == key) [[likely]]
      return static_cast<SiteNumber>(at);
    if (found == 0) break;
  }
  return enter_site(kind, code, key);
}

inline const void* code_of(SiteNumber site) {
  const uint64_t key = recording().sites[site].key.load(relaxed);
  return reinterpret_cast<const void*>(address_of(key));
}

// The runtime's file is the first one that an instrument notes.
inline bool is_runtime(const void* code) {
  const Module& runtime = recording().module_table[0];
  const auto address = reinterpret_cast<uint64_t>(code);
  return address >= runtime.begin && address < runtime.end;
}

}  // namespace bobbin::insight
