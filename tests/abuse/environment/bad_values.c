// SPDX-License-Identifier: Apache-2.0
// A bad value of a variable causes one line on stderr, which names the variable and the value. It
// has no other effect: the program runs as if the variable had not been set.
#include "../common/abuse.h"

struct bad {
  const char* variable;
  const char* value;
};

static const struct bad kBad[] = {
    {"OMP_NUM_THREADS", "abc"},
    {"OMP_NUM_THREADS", "0"},
    {"OMP_NUM_THREADS", "-4"},
    {"OMP_NUM_THREADS", "4x"},
    {"OMP_NUM_THREADS", "4,,2"},
    {"OMP_NUM_THREADS", "99999999999999999999"},
    {"OMP_DYNAMIC", "maybe"},
    {"OMP_NESTED", "2.5"},
    {"OMP_SCHEDULE", "fastest"},
    {"OMP_SCHEDULE", "dynamic,-3"},
    {"OMP_SCHEDULE", "static,4 k"},
    {"OMP_STACKSIZE", "12q"},
    {"OMP_STACKSIZE", "-1M"},
    {"OMP_STACKSIZE", "99999999999G"},
    {"GOMP_STACKSIZE", "big"},
    {"OMP_PROC_BIND", "sideways"},
    {"OMP_PROC_BIND", "close,,spread"},
    {"OMP_PLACES", "{0,1"},
    {"OMP_PLACES", "{0:x}"},
    {"OMP_PLACES", "corners"},
    {"GOMP_CPU_AFFINITY", "0-"},
    {"OMP_WAIT_POLICY", "nervous"},
    {"OMP_MAX_ACTIVE_LEVELS", "-1"},
    {"OMP_MAX_ACTIVE_LEVELS", "many"},
    {"OMP_THREAD_LIMIT", "0"},
    {"OMP_THREAD_LIMIT", "1e3"},
    {"OMP_CANCELLATION", "sometimes"},
    {"OMP_DISPLAY_ENV", "loudly"},
    {"OMP_DISPLAY_AFFINITY", "perhaps"},
    {"OMP_MAX_TASK_PRIORITY", "-5"},
    {"OMP_NUM_TEAMS", "-2"},
    {"OMP_TEAMS_THREAD_LIMIT", "none"},
    {"OMP_ALLOCATOR", "omp_best_mem_alloc"},
    {"OMP_DEFAULT_DEVICE", "cpu"},
    {"OMP_TARGET_OFFLOAD", "optional"},
    {"GOMP_SPINCOUNT", "12z"},
    {"BOBBIN_PROVIDER", "threads"},
};

static void child(void) {
  all_regions();
  int team = 0;
#pragma omp parallel
#pragma omp single
  team = omp_get_num_threads();
  CHECK(team >= 1);
}

static int run_with(const struct bad* bad, int count, struct outcome* out) {
  char text[8][128];
  const char* env[9] = {0};
  CHECK(count <= 8);
  for (int i = 0; i < count; i++) {
    snprintf(text[i], sizeof text[i], "%s=%s", bad[i].variable, bad[i].value);
    env[i] = text[i];
  }
  char* argv[] = {(char*)"child", NULL};
  run_self(argv, env, NULL, out);
  return out->status;
}

static int names(const char* err, const struct bad* bad) {
  const char* line = strstr(err, bad->variable);
  return line != NULL && strstr(err, bad->value) != NULL;
}

static void one_at_a_time(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof kBad / sizeof *kBad; i++) {
    struct outcome out;
    run_with(&kBad[i], 1, &out);
    if (out.status != 0 || count_lines(out.err) != 1 || !names(out.err, &kBad[i])) {
      dprintf(2, "%s='%s': status %d, stderr '%s'\n", kBad[i].variable, kBad[i].value, out.status,
              out.err);
      failures++;
    }
  }
  CHECK(failures == 0);
}

static void together(void) {
  static const struct bad some[] = {{"OMP_NUM_THREADS", "abc"}, {"OMP_SCHEDULE", "fastest"},
                                    {"OMP_STACKSIZE", "12q"},   {"OMP_PROC_BIND", "sideways"},
                                    {"OMP_DYNAMIC", "maybe"},   {"OMP_WAIT_POLICY", "nervous"}};
  struct outcome out;
  enum { kCount = sizeof some / sizeof *some };
  run_with(some, kCount, &out);
  int named = 0;
  for (int i = 0; i < kCount; i++) named += names(out.err, &some[i]);
  if (out.status != 0 || count_lines(out.err) != kCount || named != kCount)
    dprintf(2, "%s", out.err);
  CHECK(out.status == 0 && count_lines(out.err) == kCount && named == kCount);
}

// Endless values, and bytes that are not text, must neither crash the program nor flood the
// terminal.
static void hostile(void) {
  static const char* const variables[] = {
      "OMP_NUM_THREADS", "OMP_PLACES",          "OMP_PROC_BIND", "OMP_SCHEDULE",
      "OMP_STACKSIZE",   "OMP_AFFINITY_FORMAT", "OMP_ALLOCATOR", "GOMP_CPU_AFFINITY"};
  static const char* const fill[] = {"4,", "{0},", "\x80\xff\x01", "9", "%n%s", "{", " "};
  static char text[70000];
  for (unsigned v = 0; v < sizeof variables / sizeof *variables; v++) {
    for (unsigned f = 0; f < sizeof fill / sizeof *fill; f++) {
      size_t used = (size_t)snprintf(text, sizeof text, "%s=", variables[v]);
      while (used + 8 < sizeof text) {
        strcpy(text + used, fill[f]);
        used += strlen(fill[f]);
      }
      const char* env[] = {text, NULL};
      char* argv[] = {(char*)"child", NULL};
      struct outcome out;
      run_self(argv, env, NULL, &out);
      if (out.status != 0 || count_lines(out.err) > 1 || strlen(out.err) > 4000)
        dprintf(2, "%s with '%s' repeated: status %d, %zu bytes on stderr: %.300s\n", variables[v],
                fill[f], out.status, strlen(out.err), out.err);
      CHECK(out.status == 0 && count_lines(out.err) <= 1 && strlen(out.err) <= 4000);
    }
  }
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"one-at-a-time", one_at_a_time},
      {"together", together},
      {"hostile", hostile},
      {"child", child},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
