// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/auxv.h>

namespace bobbin {

// Has the process more rights than the user who started it, for example as a setuid program? Then
// that user's environment must not name code to load, nor files to write.
inline bool has_raised_privileges() { return getauxval(AT_SECURE) != 0; }

}  // namespace bobbin
