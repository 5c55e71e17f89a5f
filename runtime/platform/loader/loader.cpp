// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/loader.h"

#include "platform/locks/fork_lock.h"

namespace bobbin {

constinit LoaderQuestions loader_questions;

namespace {

constinit ForkLock fork_lock{[] { loader_questions.close(); }, [] { loader_questions.open(); },
                             [] { loader_questions.forget_others(); }, nullptr};

}  // namespace

void init_loader_questions() { add_fork_lock(fork_lock); }

}  // namespace bobbin
