// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"

namespace bobbin {

// A symbol version, and whether a loaded file defines it. Ask this before dlvsym: dlvsym looks
// through all files, and when it finds nothing it leaves a message that dlerror() gives to the
// program.
class LoadedVersion {
 public:
  explicit constexpr LoadedVersion(const char* name) : name_(name) {}

  bool loaded();

 private:
  const char* name_;
  // The number of loads and unloads so far when no file defined the version; 0: not looked yet.
  // Every caller of loaded() reads and writes it, and no other data depends on it.
  Atomic<unsigned long long> missing_at_{0};
};

}  // namespace bobbin
