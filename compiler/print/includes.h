// SPDX-License-Identifier: Apache-2.0
// Headers become #include lines again.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace bobbin::translate {

// The text of a file; empty if there is none.
using ReadFile = std::function<std::string(const std::string& path)>;

// `text`: the translation of `preprocessed`, with line markers. Text that came from a header
// becomes the #include line that brought it, unless something was translated in there; then the
// headers that it includes do. In place of what stands in front of the user's file, native_inline.h
// is included. Nothing: the markers do not tell where headers begin and end.
std::optional<std::string> restore_includes(const std::string& text,
                                            const std::string& preprocessed,
                                            const ReadFile& read_file);

// Without the lines that tell where the others come from.
std::string without_markers(const std::string& text);

// What compilers read of it: without white space, line markers, pragmas and
// lines that are comments.
std::string essence(const std::string& text);

}  // namespace bobbin::translate
