// SPDX-License-Identifier: Apache-2.0
#include "abi/export.h"
#include "abi/kmp/clauses.h"
#include "abi/kmp/ident.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY void __kmpc_error(const Ident*, int32_t severity, const char* message) {
  error_directive(decode_severity(severity), message != nullptr ? message : "");
}
