/* SPDX-License-Identifier: Apache-2.0
 * Uses Bobbin's own interface and nothing else. */
#include <bobbin/bobbin.h>
#include <stdio.h>
#include <string.h>

static void show(void* user, const char* name, const char* value, const char* source,
                 const char* detail) {
  (void)user, (void)detail;
  if (strcmp(name, "OMP_NUM_THREADS") == 0) printf("%s from %s\n", value, source);
}

int main(void) {
  bobbin_env_report(show, NULL);
  return 0;
}
