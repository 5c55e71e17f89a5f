/* SPDX-License-Identifier: Apache-2.0
 *
 * What the conformance programs print. Each rank writes what its calls gave, a line for each, into
 * a file of its own. The test compares the files of two runs: with the layer and on the plain
 * library. */
#pragma once

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static FILE* report;

/* Runs a statement in a task, of a region that has another thread. */
#define IN_TASK(...)                                             \
  _Pragma("omp parallel num_threads(2)") _Pragma("omp single") { \
    _Pragma("omp task") { __VA_ARGS__; }                         \
    _Pragma("omp taskwait")                                      \
  }

static void open_report(const char* directory) {
  char name[4096];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(name, sizeof name, "%s/%d", directory, rank);
  report = fopen(name, "w");
  if (report == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  setvbuf(report, NULL, _IOLBF, 0);
}

static int error_class(int error) {
  int class = -1;
  if (MPI_Error_class(error, &class) != MPI_SUCCESS) return -2;
  return class;
}

static void say(const char* call, int error) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(error_class(error), text, &length);
  fprintf(report, "%s: %s\n", call, text);
}

static inline void say_status(const char* call, const MPI_Status* status) {
  int count, cancelled;
  MPI_Get_count(status, MPI_BYTE, &count);
  MPI_Test_cancelled(status, &cancelled);
  fprintf(report, "%s: from %d tag %d bytes %d cancelled %d\n", call, status->MPI_SOURCE,
          status->MPI_TAG, count, cancelled);
}

static inline void say_values(const char* call, const int* values, int count) {
  fprintf(report, "%s:", call);
  for (int i = 0; i < count; i++) fprintf(report, " %d", values[i]);
  fputc('\n', report);
}
