// SPDX-License-Identifier: Apache-2.0
// Questions to the loader by dl_iterate_phdr, none of which may be under way when the process forks
// (platform/loader/loader_questions.h).
#pragma once

#include "platform/loader/loader_questions.h"

namespace bobbin {

extern LoaderQuestions loader_questions;

// Make this object before dl_iterate_phdr. While it lives no process forks, except after a timeout
// (LoaderQuestions::close()). Locks taken in the callback come after the loader's lock in the lock
// order, so no thread may hold one of them when it makes this object.
class AskingLoader {
 public:
  AskingLoader() { loader_questions.begin(); }
  ~AskingLoader() { loader_questions.end(); }
  AskingLoader(const AskingLoader&) = delete;
  AskingLoader& operator=(const AskingLoader&) = delete;
};

// Call this after adding the locks that are taken in callbacks: see ForkLock.
void init_loader_questions();

}  // namespace bobbin
