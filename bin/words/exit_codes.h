// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin::cli {

// env(1), timeout(1) and the shells use the last three codes, too, for "could not run the program".
constexpr int kSuccess = 0;
constexpr int kNotServed = 1;     // doctor: something the program needs is not served
constexpr int kOwnFailure = 125;  // bad options, a broken installation
constexpr int kCannotRun = 126;   // the program exists, but cannot run on Bobbin
constexpr int kProgramMissing = 127;

}  // namespace bobbin::cli
