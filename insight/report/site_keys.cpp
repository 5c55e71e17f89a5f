// SPDX-License-Identifier: Apache-2.0
#include "insight/report/site_keys.h"

#include <algorithm>
#include <cstring>

namespace bobbin::insight {

SiteKind kind_of(uint64_t key) {
  const auto kind = static_cast<unsigned>(key >> kAddressBits);
  return kind < kSiteKinds ? static_cast<SiteKind>(kind) : SiteKind::None;
}

CodeAddress code_of(const FixedPart& part, uint64_t key) {
  const uint64_t address = address_of(key);
  const uint32_t modules = std::min<uint32_t>(part.header.modules.load(acquire), kModules);
  for (uint32_t i = 0; i < modules; i++) {
    const Module& module = part.module_table[i];
    if (address < module.begin || address >= module.end) continue;
    return {std::string(module.path, strnlen(module.path, sizeof module.path)),
            address - module.base};
  }
  return {{}, address};
}

std::string_view name_of(SiteKind kind) {
  switch (kind) {
    case SiteKind::None:
      return "nothing";
    case SiteKind::Serial:
      return "serial";
    case SiteKind::Region:
      return "region";
    case SiteKind::Loop:
      return "loop";
    case SiteKind::Sections:
      return "sections";
    case SiteKind::Single:
      return "single";
    case SiteKind::Task:
      return "task";
    case SiteKind::Fork:
      return "fork";
    case SiteKind::TaskCreation:
      return "creation";
    case SiteKind::DependenceCheck:
      return "depend check";
    case SiteKind::DependenceRelease:
      return "depend release";
    case SiteKind::Reduction:
      return "reduction";
    case SiteKind::Barrier:
      return "barrier";
    case SiteKind::Taskwait:
      return "taskwait";
    case SiteKind::Taskgroup:
      return "taskgroup";
    case SiteKind::DependenceWait:
      return "depend wait";
    case SiteKind::Critical:
      return "critical";
    case SiteKind::Lock:
      return "lock";
    case SiteKind::Ordered:
      return "ordered";
    case SiteKind::Atomic:
      return "atomic";
    case SiteKind::Idle:
      return "idle";
  }
  return "?";
}

}  // namespace bobbin::insight
