// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/loader_questions.h"

namespace bobbin {

extern LoaderQuestions loader_questions;

// While it lives no process forks, or it does so knowingly: to be made before dl_iterate_phdr.
// Locks that are taken in the callback are taken after the loader's, and nobody may hold one of
// them and ask.
class AskingLoader {
 public:
  AskingLoader() { loader_questions.begin(); }
  ~AskingLoader() { loader_questions.end(); }
  AskingLoader(const AskingLoader&) = delete;
  AskingLoader& operator=(const AskingLoader&) = delete;
};

// After those whose locks are taken in callbacks: see ForkLock.
void init_loader_questions();

}  // namespace bobbin
