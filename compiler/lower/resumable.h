// SPDX-License-Identifier: Apache-2.0
// Writes resumable functions (include/bobbin/native.h), which stand beside the ordinary ones.
#pragma once

#include <string>
#include <vector>

#include "lower/translation.h"

namespace bobbin::translate {

class Closure;

// The resumable function whose text is being written.
class ResumableScope {
 public:
  explicit ResumableScope(const Names& names) : names_(names) {}

  // A point where the frame may be left: `if (!call) return 0;`, and where it goes on afterwards.
  std::string leave(const std::string& call) {
    const std::string label = names_.free("resume_" + std::to_string(++points_));
    return frame() + "->at = " + std::to_string(points_) + ";\nif (!" + call + ") return 0;\n" +
           label + ":;\n";
  }
  // Goes to the point at which the frame was left.
  std::string resume() const;

  std::string frame() const { return names_.free("frame"); }
  // `own->member` of the structure that begins with the frame.
  std::string member(const std::string& name) const { return names_.free("own") + "->" + name; }

 private:
  const Names& names_;
  unsigned points_ = 0;
};

// Writes a task's resumable form in front of the user's function. `closure`: of its ordinary one.
void write_resumable_task(Translation& translation, size_t number, const Closure& closure,
                          const Construct& construct);

// The name of what describes both forms of a task.
inline std::string resumable_form(const std::string& name) { return name + "_forms"; }

}  // namespace bobbin::translate
