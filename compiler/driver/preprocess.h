// SPDX-License-Identifier: Apache-2.0
// Preprocessing by the user's own compiler.
#pragma once

#include <string>
#include <vector>

namespace bobbin::translate {

struct Preprocessed {
  std::string text;
  int status = 0;  // not 0: the compiler has said why, or `problem` does
  std::string problem;
};

// Where the omp.h of translated programs is, beside native_inline.h.
std::string openmp_headers(const std::string& header);

// What the user's compiler makes of the file with -E.
Preprocessed preprocess(const std::vector<std::string>& compiler, const std::string& header,
                        const std::string& input);

}  // namespace bobbin::translate
