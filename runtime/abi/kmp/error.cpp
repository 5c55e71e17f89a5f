// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/error_directive.h"

using namespace bobbin;
using namespace bobbin::kmp;

// severity: 1 warning, 2 fatal.
BOBBIN_ENTRY void __kmpc_error(const Ident*, int32_t severity, const char* message) {
  error_directive(severity == 1 ? Severity::Warning : Severity::Fatal,
                  message != nullptr ? message : "");
}
