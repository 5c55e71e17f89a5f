// SPDX-License-Identifier: Apache-2.0
// The main program of a search by a library that may be missing when the program is built. The
// source that includes this defines LIBRARY, the library's name. If the library is there, it also
// defines TOOLCHAIN_FOUND and search_tree().
#pragma once

#include "tally.h"

static const char kUsage[] = "the tree search by " LIBRARY
                             ": [tree=T3] [hashes=1] [threads=0]\n"
                             "threads  0: as OMP_NUM_THREADS says, else one for each processor\n";

#ifdef TOOLCHAIN_FOUND

#include <unistd.h>

static const struct tree* searched;
static char** command_line;

static struct tally search_tree(const struct node* root, int threads);

static int thread_argument(int argc, char** argv) {
  int threads = (int)arg_number(argc, argv, "threads", 0);
  const char* by_environment = getenv("OMP_NUM_THREADS");
  if (threads == 0 && by_environment != NULL) threads = atoi(by_environment);
  return threads > 0 ? threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  command_line = argv;
  searched = tree_argument(argc, argv);
  int threads = thread_argument(argc, argv);
  struct node root = root_of(searched);
  double start = seconds();
  struct tally sum = search_tree(&root, threads);
  double took = seconds() - start;
  report_search(searched, sum, took);
  passed();
  return 0;
}

#else

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  printf("check=skipped what=\"" LIBRARY " not found when this was built\"\n");
  return 0;
}

#endif
