// SPDX-License-Identifier: Apache-2.0
//
// What the runtime tells the user, on stderr: one line each, "bobbin: ...", by one write(2), so
// that lines of several threads or processes do not mix. Callable from any thread at any time after
// start-up, also before stdio is up; errno is left alone. Not for signal handlers (vsnprintf).
#pragma once

#include <string_view>

#include "platform/atomic.h"

namespace bobbin {

[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...);

// Warnings, not fatal errors, are said no more, or again.
void silence_warnings(bool silent);

// Says it the first time that this flag comes along.
using OnceFlag = Atomic<bool>;
[[gnu::format(printf, 2, 3)]] void warn_once(OnceFlag& said, const char* format, ...);

// Ends the program: for states in which the specification allows no other way on.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char* format, ...);

// Writes the whole text to stderr, without prefix, riding over EINTR and short writes.
void write_stderr(std::string_view text);

// For tests: warnings go to `sink` instead of stderr; null undoes it. Not while others warn.
using DiagnosticSink = void (*)(std::string_view line);
void redirect_diagnostics(DiagnosticSink sink);

}  // namespace bobbin
