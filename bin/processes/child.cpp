// SPDX-License-Identifier: Apache-2.0
#include "processes/child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace bobbin::cli {
namespace {

constexpr std::array kForwarded = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                   SIGUSR1, SIGUSR2, SIGALRM, SIGCONT};

volatile sig_atomic_t child = 0;

void forward(int signal, siginfo_t* info, void* /*context*/) {
  // Positive codes are the kernel's: the terminal has sent the signal to the whole process group.
  if (info->si_code > 0 || child == 0) return;
  const int saved = errno;
  kill(static_cast<pid_t>(child), signal);
  errno = saved;
}

// From its construction on signals are blocked, and from release() on they are forwarded.
class Forwarding {
 public:
  Forwarding() {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : kForwarded) sigaddset(&blocked, signal);
    sigprocmask(SIG_BLOCK, &blocked, &mask_);
    struct sigaction action{};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < kForwarded.size(); i++) sigaction(kForwarded[i], &action, &before_[i]);
  }
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;
  ~Forwarding() { restore(); }

  void release() const { sigprocmask(SIG_SETMASK, &mask_, nullptr); }
  // What the program shall find, and what this process had.
  void restore() const {
    for (size_t i = 0; i < kForwarded.size(); i++) sigaction(kForwarded[i], &before_[i], nullptr);
    release();
  }

 private:
  sigset_t mask_{};
  std::array<struct sigaction, kForwarded.size()> before_{};
};

// The pipe is closed when the program starts, so nothing comes then.
int read_error(int from) {
  int error = 0;
  ssize_t got;
  do {
    got = read(from, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

double seconds_of(const timeval& time) {
  constexpr double kMicrosecond = 1e-6;
  return static_cast<double>(time.tv_sec) + kMicrosecond * static_cast<double>(time.tv_usec);
}

void wait_for(ChildEnd& end) {
  struct rusage usage{};
  while (wait4(end.process, &end.wait_status, 0, &usage) < 0 && errno == EINTR) {
  }
  end.processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

}  // namespace

ChildEnd run_as_child(const std::function<int()>& execute) {
  ChildEnd end;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    end.start_error = errno;
    return end;
  }
  const Forwarding forwarding;
  end.process = fork();
  if (end.process == 0) {
    forwarding.restore();
    const int error = execute();
    [[maybe_unused]] const ssize_t written = write(ends[1], &error, sizeof error);
    _exit(1);
  }
  close(ends[1]);
  if (end.process < 0) {
    end.start_error = errno;
  } else {
    child = static_cast<sig_atomic_t>(end.process);
    forwarding.release();
    end.start_error = read_error(ends[0]);
    wait_for(end);
    child = 0;
  }
  close(ends[0]);
  return end;
}

int exit_code_of(int wait_status) {
  constexpr int kKilled = 128;
  return WIFSIGNALED(wait_status) ? kKilled + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace bobbin::cli
