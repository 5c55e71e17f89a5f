// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/compiler_words.h"

namespace bobbin::cli {

// What a command makes.
enum class Product : unsigned char {
  None,  // it answers a question, preprocesses or checks; or it has no input
  Assembly,
  Object,        // or a precompiled header
  MergedObject,  // -r
  Program,       // or a shared library
};

Product product_of(const std::vector<CompilerWord>& words);

bool compiles_openmp(const std::vector<CompilerWord>& words);

// Is a runtime linked: by -fopenmp, or, as CMake does it, by the library's name or file?
bool links_openmp(const std::vector<CompilerWord>& words);

// Such a program loads no runtime, so it has none to prefer. It must have no rpath, because the
// start of a static PIE would crash on it.
bool links_statically(const std::vector<CompilerWord>& words);

// Why tasks cannot be inlined; empty: they can.
struct Obstacle {
  std::string text;
  // The program's own code is for another machine, so that nothing can be linked with it.
  bool is_foreign = false;
};
Obstacle obstacle_in(const std::vector<CompilerWord>& words, CompilerKind kind);

}  // namespace bobbin::cli
