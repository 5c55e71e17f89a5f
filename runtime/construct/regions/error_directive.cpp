// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/error_directive.h"

#include "platform/diagnostics.h"
#include "platform/text.h"
#include "team/model/thread.h"
#include "tool/events.h"

namespace bobbin {

namespace {

void tell_error(Severity severity, std::string_view message) {
  tool::tell(tool::callbacks.error, severity == Severity::Warning ? ompt_warning : ompt_fatal,
             message.data(), message.size(), self().tool.code);
}

}  // namespace

void error_directive(Severity severity, std::string_view message, SourceLocation location) {
  Text<1024> text;
  if (!location.file.empty()) {
    text.add(location.file);
    text.add(':');
    text.add(location.line);
    text.add(':');
    text.add(location.column);
    text.add(": ");
  }
  if (tool::watched) [[unlikely]]
    tell_error(severity, message);
  text.add("error directive encountered");
  if (!message.empty()) {
    text.add(": ");
    text.add(message);
  }
  if (severity == Severity::Warning) {
    warn("%s", text.c_str());
  } else {
    fatal("fatal error: %s", text.c_str());
  }
}

}  // namespace bobbin
