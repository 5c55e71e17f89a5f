// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <vector>

namespace bobbin::insight {

// Where a function of a Python program is.
struct PythonFrame {
  std::string file;
  unsigned line = 0;  // 0: not known
  std::string function;

  auto operator<=>(const PythonFrame&) const = default;

  // Of the standard library or of an installed package, rather than of the program itself.
  bool is_in_library() const;
  std::string text() const;  // `fit.py:12 (Model.fit)`
};

// The frames, the innermost first, that a table has room for: the program's own line, and the
// innermost one if that is in a library.
std::vector<PythonFrame> own_and_innermost(const std::vector<PythonFrame>& frames);

// `fit.py:12 (main) -> grower.py:331 (grow)`
std::string path_text(const std::vector<PythonFrame>& frames);

}  // namespace bobbin::insight
