// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/critical_name.h"

#include <cstring>

#include "construct/locks/critical.h"
#include "platform/loader/object_symbols.h"

namespace bobbin::kmp {
namespace {

// GCC names its object for the section NAME with this prefix. LLVM's compilers add a suffix to that
// name. For the section without a name GCC has no object, and Intel's classic compilers have one
// without the suffix.
constexpr char kPrefix[] = ".gomp_critical_user_";
constexpr char kSuffix[] = ".var";
// LLVM's own section. It protects the parts of an atomic reduction that have no atomic operation.
constexpr char kReduction[] = ".atomic_reduction";
constexpr size_t kLongestName = 1024;

// The lock that other code also takes for the section; null: there is no such code.
Lock* lock_of_others(const void* place) {
  char name[kLongestName];
  if (!object_name(place, name, sizeof name)) return nullptr;
  if (strcmp(name, kPrefix) == 0) return &unnamed_critical;
  size_t length = strlen(name);
  constexpr size_t kPrefixLength = sizeof kPrefix - 1;
  constexpr size_t kSuffixLength = sizeof kSuffix - 1;
  if (length < kPrefixLength + kSuffixLength || memcmp(name, kPrefix, kPrefixLength) != 0 ||
      strcmp(name + length - kSuffixLength, kSuffix) != 0) {
    return nullptr;
  }
  name[length - kSuffixLength] = '\0';
  if (name[kPrefixLength] == '\0') return &unnamed_critical;
  if (strcmp(name + kPrefixLength, kReduction) == 0) return &combining;
  return static_cast<Lock*>(find_object(name, place));
}

}  // namespace

Lock& CriticalName::find_lock() {
  Parts& mine = parts();
  Lock* lock = lock_of_others(this);
  if (lock == nullptr) lock = &mine.own;
  Lock* none = nullptr;
  return mine.lock_of_section.compare_exchange_strong(none, lock, relaxed) ? *lock : *none;
}

}  // namespace bobbin::kmp
