// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lower/translation/names.h"

namespace bobbin::translate {

// The points of the resumable function whose text is being written.
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
  std::string resume() const {
    if (points_ == 0) return "";
    std::string text = "switch (" + frame() + "->at) {\n";
    for (unsigned point = 1; point <= points_; ++point) {
      const std::string number = std::to_string(point);
      text += "case " + number + ": goto " + names_.free("resume_" + number) + ";\n";
    }
    return text + "}\n";
  }

  std::string frame() const { return names_.free("frame"); }
  std::string own() const { return names_.free("own"); }
  // `own->member` of the structure that begins with the frame.
  std::string member(const std::string& name) const { return own() + "->" + name; }

 private:
  const Names& names_;
  unsigned points_ = 0;
};

}  // namespace bobbin::translate
