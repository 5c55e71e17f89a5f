// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/clauses.h"
#include "abi/kmp/ident.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// The location in Ident::source.
SourceLocation location_of(const Ident* ident) {
  if (ident == nullptr || ident->source == nullptr) return {};
  std::string_view rest = ident->source;
  auto take = [&] {
    std::string_view field = rest.substr(0, rest.find(';'));
    rest.remove_prefix(field.size() < rest.size() ? field.size() + 1 : field.size());
    return field;
  };
  take();  // what is before the first semicolon
  SourceLocation location;
  location.file = take();
  take();  // the function
  location.line = take();
  location.column = take();
  return location;
}

}  // namespace

BOBBIN_ENTRY void __kmpc_error(const Ident* ident, int32_t severity, const char* message) {
  BOBBIN_CALL_SITE;
  error_directive(decode_severity(severity), message != nullptr ? message : "", location_of(ident));
}
