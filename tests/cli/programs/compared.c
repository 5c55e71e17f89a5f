// SPDX-License-Identifier: Apache-2.0
// Begins as many regions as the first word says, and then does what the others say.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int regions = argc > 1 ? atoi(argv[1]) : 100;
  const int on_bobbin = getenv("LD_PRELOAD") != NULL;
  long sum = 0;
  for (int i = 0; i < regions; i++) {
#pragma omp parallel reduction(+ : sum)
    sum++;
  }
  printf("regions %d\n", regions);
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "sleep") == 0) usleep(300000);
    if (strcmp(argv[i], "chance") == 0) printf("process %d\n", getpid());
    if (strcmp(argv[i], "side") == 0) printf("on Bobbin: %d\n", on_bobbin);
    if (strcmp(argv[i], "input") == 0) {
      char line[64] = "";
      printf("read %s", fgets(line, sizeof line, stdin) != NULL ? line : "nothing\n");
    }
    if (strcmp(argv[i], "setting") == 0 && getenv("SETTING") != NULL) puts("set");
    if (strcmp(argv[i], "fail") == 0 || (strcmp(argv[i], "fail-on-bobbin") == 0 && on_bobbin)) {
      fputs("the matrix is singular\n", stderr);
      return 3;
    }
    if (strcmp(argv[i], "abort") == 0 && on_bobbin) abort();
  }
  return sum == 0 && regions > 0;
}
