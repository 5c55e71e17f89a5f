// SPDX-License-Identifier: Apache-2.0
#include "insight/report/profiles/python_frame.h"

#include <algorithm>
#include <iterator>

namespace bobbin::insight {

bool PythonFrame::is_in_library() const {
  static constexpr const char* kFolders[] = {"/site-packages/", "/dist-packages/", "/lib/python3.",
                                             "<frozen "};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](const char* folder) { return file.find(folder) != std::string::npos; });
}

std::string PythonFrame::text() const {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name + (line != 0 ? ":" + std::to_string(line) : "") + " (" + function + ")";
}

std::vector<PythonFrame> own_and_innermost(const std::vector<PythonFrame>& frames) {
  if (frames.empty()) return {};
  const auto own = std::find_if(frames.begin(), frames.end(),
                                [](const PythonFrame& frame) { return !frame.is_in_library(); });
  if (own == frames.begin() || own == frames.end()) return {frames.front()};
  return {*own, frames.front()};
}

std::string path_text(const std::vector<PythonFrame>& frames) {
  std::string text;
  for (const PythonFrame& frame : frames) text += (text.empty() ? "" : " -> ") + frame.text();
  return text;
}

}  // namespace bobbin::insight
