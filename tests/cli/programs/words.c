/* SPDX-License-Identifier: Apache-2.0 */
/* Prints its arguments, one a line, and ends with the status the last of them says. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  for (int i = 0; i < argc; ++i) puts(argv[i]);
  return argc > 1 ? atoi(argv[argc - 1]) : 0;
}
