// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/kernel_thread.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace bobbin::insight {
namespace {

// `running`, or the number of a call, its six arguments, the stack pointer and the program counter;
// -1, the stack pointer and the program counter if it is blocked otherwise.
std::optional<Registers> in_system_call(int process, int thread) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) +
                     "/syscall");
  std::string line;
  if (!std::getline(file, line) || line.starts_with("running")) return std::nullopt;
  const size_t last = line.rfind(' ');
  if (last == std::string::npos || last == 0) return std::nullopt;
  const size_t before = line.rfind(' ', last - 1);
  if (before == std::string::npos) return std::nullopt;
  Registers found;
  if (std::sscanf(line.c_str() + before, " 0x%" SCNx64 " 0x%" SCNx64, &found.sp, &found.pc) != 2) {
    return std::nullopt;
  }
  return found;
}

std::optional<Registers> registers_of_stopped(int thread) {
  user_regs_struct all{};
  iovec whole = {&all, sizeof all};
  if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &whole) != 0) return std::nullopt;
#if defined(__x86_64__)
  return Registers{all.rip, all.rsp, all.fs_base};
#else
  uint64_t tls = 0;
  iovec word = {&tls, sizeof tls};
  ptrace(PTRACE_GETREGSET, thread, NT_ARM_TLS, &word);
  return Registers{all.pc, all.sp, tls};
#endif
}

// The signal that the thread was about to get when it stopped; 0: none.
int signal_of(int status) { return status >> 16 == 0 ? WSTOPSIG(status) : 0; }

}  // namespace

std::optional<Registers> registers_of(int process, int thread) {
  if (const auto found = in_system_call(process, thread)) return found;
  if (ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) return std::nullopt;
  int status = 0;
  pid_t got = -1;
  if (ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) == 0) {
    do {
      got = waitpid(thread, &status, __WALL);
    } while (got < 0 && errno == EINTR);
  }
  if (got != thread || !WIFSTOPPED(status)) return std::nullopt;
  const std::optional<Registers> found = registers_of_stopped(thread);
  ptrace(PTRACE_DETACH, thread, nullptr, static_cast<intptr_t>(signal_of(status)));
  return found;
}

}  // namespace bobbin::insight
