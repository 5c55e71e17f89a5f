// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace bobbin::translate {

// A language that is not C, as the name of a file tells it, and the command that compiles it.
struct ForeignLanguage {
  std::string_view name;  // empty: it may be C
  std::string_view command;
};

// `extension` begins with a dot.
inline ForeignLanguage foreign_language(std::string_view extension) {
  struct Row {
    std::string_view extensions;  // each with a space behind it
    ForeignLanguage language;
  };
  constexpr Row kRows[] = {
      {".C .cc .cp .cpp .CPP .cxx .c++ .ii .H .hh .hp .hpp .HPP .hxx .h++ .tcc ",
       {"C++", "bobbin c++"}},
      {".f .F .for .FOR .ftn .FTN .fpp .FPP .f77 .F77 .f90 .F90 .f95 .F95 .f03 .F03 .f08 .F08 .f18 "
       ".F18 ",
       {"Fortran", "bobbin fc"}},
      {".m .mi .mm .M .mii ", {"Objective-C", "its compiler"}},
      {".cu .cuh .hip ", {"CUDA or HIP", "its compiler"}},
      {".s .S .sx .asm ", {"assembly language", "bobbin cc"}},
  };
  for (const Row& row : kRows) {
    const size_t at = row.extensions.find(extension);
    const bool whole = at != std::string_view::npos && !extension.empty() &&
                       row.extensions[at + extension.size()] == ' ';
    if (whole) return row.language;
  }
  return {};
}

}  // namespace bobbin::translate
