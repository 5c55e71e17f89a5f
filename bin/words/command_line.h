// SPDX-License-Identifier: Apache-2.0
// Names of CLI11, for headers. Its own header takes several seconds to compile.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): their name
class App;
class ParseError;
}  // namespace CLI
