// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"
#include "abi/export.h"
#include "bobbin/native.h"
#include "construct/regions/error_directive.h"
#include "platform/text.h"

using namespace bobbin;

BOBBIN_NATIVE_ENTRY void bobbin_omp_error(int is_fatal, const char* file, unsigned line,
                                          unsigned column, const char* message) {
  BOBBIN_CALL_SITE;
  Text<16> line_text;
  Text<16> column_text;
  line_text.number(line);
  column_text.number(column);
  error_directive(is_fatal != 0 ? Severity::Fatal : Severity::Warning,
                  message != nullptr ? message : "", {file, line_text.view(), column_text.view()});
}
