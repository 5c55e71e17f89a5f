// SPDX-License-Identifier: Apache-2.0
#include "insight/record/sites.h"

#include "insight/record/modules.h"

namespace bobbin::insight {
namespace {

// Some stay free, so that a look for a site that is not there ends soon.
constexpr uint32_t kMostSites = kSites / 4 * 3;
Atomic<uint32_t> entered{kSiteKinds};

}  // namespace

SiteNumber enter_site(SiteKind kind, const void* code, uint64_t key) {
  FixedPart& part = recording();
  note_module(part, reinterpret_cast<uint64_t>(code));
  for (unsigned at = first_probe(key);; at = (at + 1) & (kSites - 1)) {
    uint64_t found = part.sites[at].key.load(relaxed);
    if (found == 0) {
      if (entered.load(relaxed) >= kMostSites) {
        part.header.sites_lost.fetch_add(1, relaxed);
        return unknown_site(kind);
      }
      if (part.sites[at].key.compare_exchange_strong(found, key, relaxed)) {
        entered.fetch_add(1, relaxed);
        return static_cast<SiteNumber>(at);
      }
    }
    if (found == key) return static_cast<SiteNumber>(at);
  }
}

}  // namespace bobbin::insight
