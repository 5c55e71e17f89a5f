// SPDX-License-Identifier: Apache-2.0
// May this command look at a process?
#pragma once

#include <optional>
#include <string>

namespace bobbin::cli {

struct Refusal {
  std::string reason;
  int status;  // to end with
};

// Why the memory and the registers of a process on Bobbin cannot be read; nothing: they can. It
// depends on the kernel: SECURITY.md. Waits for a process that is starting.
std::optional<Refusal> refusal_of(int process);

}  // namespace bobbin::cli
