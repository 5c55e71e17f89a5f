// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/lto_target.h"
#include "files/installation.h"

namespace bobbin::cli {

// What a compiler makes of include/bobbin/inline, as docs/notes/inlined-tasks.md describes it.
struct InlineParts {
  std::vector<std::string> to_compile;  // options
  std::vector<std::string> to_link;     // likewise, with files
  std::string problem;                  // why there are none; empty: there are
};

// The options, between those that keep clang from warning where it has no use for them: if it does
// not link, or does not compile but assemble.
std::vector<std::string> without_warnings(CompilerKind kind, std::vector<std::string> options);

// What the parts of gcc are linked with.
struct GnuCode {
  LtoTarget options;            // of the sources, or if there are none, of the objects
  std::set<LtoTarget> targets;  // of the objects
};

// From the cache, or made now. Several processes may do so at the same time.
InlineParts find_inline_parts(const Installation& installation, const Compiler& compiler,
                              const GnuCode& code);

}  // namespace bobbin::cli
