// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"

namespace bobbin {

// A symbol version, and whether a file that is loaded defines it: asked before dlvsym, which looks
// through all files and, where it finds nothing, leaves a message that dlerror() gives the program.
class LoadedVersion {
 public:
  explicit constexpr LoadedVersion(const char* name) : name_(name) {}

  bool loaded();

 private:
  const char* name_;
  // How often files had come and gone when none defined it; 0: not looked yet. Written and read by
  // all who ask, and nothing else goes by it.
  Atomic<unsigned long long> missing_at_{0};
};

}  // namespace bobbin
