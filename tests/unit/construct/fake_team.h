// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "construct/worksharing/loop.h"
#include "platform/memory.h"

// A team without kernel threads or fibers, for constructs whose threads never wait. A test makes
// the calls of each thread in any order, or from its own threads.
namespace bobbin::test {

class FakeTeam {
 public:
  explicit FakeTeam(unsigned size)
      : threads_(size), members_(size), places_(size), asleep_(BitsetView::words_for(size)) {
    for (unsigned num = 0; num < size; num++) {
      threads_[num] = std::make_unique<Thread>();
      members_[num] = std::make_unique<Member>();
      Member& member = *members_[num];
      member.team = &team_;
      member.thread = threads_[num].get();
      member.num = member.index = num;
      member.implicit.icvs = &team_.icvs;
      threads_[num]->member = &member;
      threads_[num]->task = &member.implicit;
      places_[num] = &member;
    }
    team_.size = size;
    team_.members = places_.data();
    team_.barrier.asleep = BitsetView(asleep_.data(), BitsetView::words_for(size));
  }

  ~FakeTeam() {
    for (auto& thread : threads_) {
      while (Taskgroup* group = thread->free_group) {
        thread->free_group = group->previous;
        destroy(group);
      }
    }
  }

  Team& team() { return team_; }
  Thread& thread(unsigned num) { return *threads_[num]; }
  unsigned size() const { return team_.size; }

 private:
  Team team_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<Member*> places_;
  std::vector<Atomic<std::uint64_t>> asleep_;
};

}  // namespace bobbin::test
