// SPDX-License-Identifier: Apache-2.0
// One region, whose members play different parts.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "model/runtime/world.h"

namespace bobbin::model {

// State that the parts share, and that each part finds at its beginning.
struct Stage {
  Team* team = nullptr;
  Atomic<int> brought[2] = {};
  Atomic<int> flag{0};
  Atomic<int> announced{0};
  Atomic<uint32_t> to_come{1};

  Thread& me() const { return bobbin::self(); }
  Thread& thread(unsigned num) const { return *team->members[num]->thread; }
};

using Part = void (*)(Stage&);

struct Play {
  Stage stage;
  Part parts[World::kMaxTeam];

  static void run(void* data) {
    auto* play = static_cast<Play*>(data);
    play->parts[play->stage.me().member->num](play->stage);
  }
};

// The calling root plays the first part.
inline void perform(Thread& root, std::initializer_list<Part> parts) {
  auto* play = make<Play>();
  std::copy(parts.begin(), parts.end(), play->parts);
  Team* team = assemble(root, static_cast<unsigned>(parts.size()), Icvs{});
  play->stage.team = team;
  fork(root, *team, &Play::run, play);
  Play::run(play);
  join(root, *team);
}

}  // namespace bobbin::model
