// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/thread.h"

namespace bobbin {

// The ICVs of the current task's data environment (section 2.4).
inline const Icvs& current_icvs() { return *self().task->icvs; }

// The same, to be changed. The change is in force when this object ends. Until its first change a
// task shares its parent's ICVs. Tasks that it has already made keep what they inherited.
class IcvChange {
 public:
  IcvChange() : icvs_(current_icvs()) {}
  IcvChange(const IcvChange&) = delete;
  IcvChange& operator=(const IcvChange&) = delete;
  ~IcvChange();  // out of memory: nothing has changed

  Icvs& operator*() { return icvs_; }
  Icvs* operator->() { return &icvs_; }

 private:
  Icvs icvs_;
};

}  // namespace bobbin
