// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "choose/selector.h"
#include "lex/source.h"

namespace bobbin::translate {

// Text in place of a part of the source.
struct Replaced {
  size_t begin;
  size_t end;
  std::string text;
  // If it is a directive alone: its constructs, which are around what follows.
  std::vector<std::string> constructs = {};
};

// What the metadirective at the token, which is its pragma, becomes with its statement.
Replaced choose_directive(const Source& source, size_t token, const TranslationContext& context);
// The same of `begin metadirective`, up to its end.
Replaced choose_directive_of_block(const Source& source, size_t token,
                                   const TranslationContext& context);

// The token of the pragma that ends what the pragma at the token begins.
size_t matching_end(const Source& source, size_t token, std::string_view name);

}  // namespace bobbin::translate
