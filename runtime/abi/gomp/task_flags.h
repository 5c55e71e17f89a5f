// SPDX-License-Identifier: Apache-2.0
#pragma once

// What GCC says about a task or a taskloop in one word.
namespace bobbin::gomp {

enum TaskFlag : unsigned {
  kUntied = 1,
  kFinal = 2,
  kMergeable = 4,
  kDepend = 8,
  kPriority = 16,
  kUp = 256,  // taskloop: the loop variable grows
  kGrainsize = 512,
  kIf = 1024,
  kNogroup = 2048,
  kReduction = 4096,
  kDetach = 8192,
  kStrict = 16384,
};

}  // namespace bobbin::gomp
