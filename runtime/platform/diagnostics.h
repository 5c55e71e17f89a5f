// SPDX-License-Identifier: Apache-2.0
//
// Messages of the runtime to the user, on stderr. Each is one line, "bobbin: ...", written by one
// write(2), so that lines of several threads or processes do not mix. Callable from any thread at
// any time after start-up, also before stdio is initialised. errno is kept. Not for signal handlers
// (vsnprintf).
#pragma once

#include <string_view>

#include "platform/atomic.h"

namespace bobbin {

[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...);

// Switches warnings off or on again. Fatal errors are always reported.
void silence_warnings(bool silent);

// Warns only at the first call with this flag.
using OnceFlag = Atomic<bool>;
[[gnu::format(printf, 2, 3)]] void warn_once(OnceFlag& said, const char* format, ...);

// Ends the program, in states in which the specification allows nothing else.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char* format, ...);

// Writes the whole text to stderr, without prefix; continues after EINTR and short writes.
void write_stderr(std::string_view text);

// For tests: sends warnings to `sink` instead of stderr; null undoes it. Not while other threads
// warn.
using DiagnosticSink = void (*)(std::string_view line);
void redirect_diagnostics(DiagnosticSink sink);

}  // namespace bobbin
