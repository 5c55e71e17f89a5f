/* SPDX-License-Identifier: Apache-2.0
 * error at(execution): a warning prints its message and the program continues. A fatal error prints
 * and ends the program with a failure. The directive's position is shown if the compiler passes it,
 * as clang does. The program runs itself again to check this. */
#include <spawn.h>
#include <sys/wait.h>

#include "check.h"

extern char** environ;

/* Returns the directive's line. */
static int warn_with_message(int warn) {
  if (warn) {
#pragma omp error at(execution) severity(warning) message("with a message")
  }
  return __LINE__ - 2;
}

static int child(const char* kind) {
  int before = 1;
  if (strcmp(kind, "warning") == 0) {
    warn_with_message(1);
    before = 2;
#pragma omp error at(execution) severity(warning)
    printf("after %d\n", before);
  } else if (strcmp(kind, "in-team") == 0) {
#pragma omp parallel num_threads(2)
    {
#pragma omp error at(execution) severity(warning) message("from a team")
    }
    printf("after %d\n", before + 1);
  } else if (strcmp(kind, "fatal") == 0) {
#pragma omp error at(execution) severity(fatal) message("the end")
    printf("after %d\n", before);
  } else {
#pragma omp error at(execution)
    printf("after %d\n", before);
  }
  return 0;
}

/* Runs this program with an argument; returns its status and fills in what it printed. */
static int run(char* self, char* kind, char* output, size_t size) {
  int pipe_ends[2], status = -1;
  pid_t pid;
  posix_spawn_file_actions_t actions;
  char* arguments[] = {self, kind, NULL};
  CHECK_EQ(pipe(pipe_ends), 0);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  CHECK_EQ(posix_spawn(&pid, "/proc/self/exe", &actions, NULL, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  size_t used = 0;
  for (ssize_t got;
       used + 1 < size && (got = read(pipe_ends[0], output + used, size - used - 1)) > 0;)
    used += (size_t)got;
  output[used] = '\0';
  close(pipe_ends[0]);
  waitpid(pid, &status, 0);
  return status;
}

static void expect(const char* kind, const char* output, const char* part, int present) {
  if ((strstr(output, part) != NULL) == present) return;
  fprintf(stderr, "%s: '%s' %s in:\n%s\n", kind, part, present ? "missing" : "unexpected", output);
  CHECK(0);
}

int main(int count, char** arguments) {
  CHECK_BEGIN();
  if (count > 1) return child(arguments[1]);
  char output[4096];
  int status = run(arguments[0], (char*)"warning", output, sizeof output);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#if defined(__clang__)
  char place[64];
  snprintf(place, sizeof place, "error_directive.c:%d:1: error directive encountered: with a",
           warn_with_message(0));
  expect("warning", output, place, 1);
#endif
  expect("warning", output, "with a message", 1);
  expect("warning", output, "after 2", 1);
  status = run(arguments[0], (char*)"in-team", output, sizeof output);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expect("in-team", output, "from a team", 1);
  expect("in-team", output, "after 2", 1);
  status = run(arguments[0], (char*)"fatal", output, sizeof output);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 0);
  expect("fatal", output, "the end", 1);
  expect("fatal", output, "after", 0);
  status = run(arguments[0], (char*)"plain", output, sizeof output);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 0);
  expect("plain", output, "after", 0);
  return check_end();
}
