// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "driver/options.h"

namespace bobbin::translate {

// The translation with #include lines in place of the text of headers, if the compiler then reads
// the same.
std::string include_headers(const Options& options, const std::string& preprocessed,
                            const std::string& translation);

}  // namespace bobbin::translate
