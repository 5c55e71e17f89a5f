// SPDX-License-Identifier: Apache-2.0
// Shared by the task applications: variants of their tasks, and the report of a run.
//
// An argument chooses where the program stops making tasks:
//   none    every call is a task
//   if      below `depth` tasks are undeferred, by their if clause
//   final   tasks from `depth` on are included in a final task
//   manual  below `depth` a serial function is called
#pragma once

#include <omp.h>

#include "common.h"

#define CUTOFF_ARGUMENTS "[cutoff=none|if|final|manual] [depth=4] [mode=tasks|serial]"

static struct {
  const char* kind;
  int if_depth, final_depth, manual_depth;  // larger than any depth, except for the chosen kind
  int serial;
} variant;

static inline void read_variant(int argc, char** argv) {
  enum { kNever = 1 << 30 };
  int depth = (int)arg_number(argc, argv, "depth", 4);
  variant.kind = arg_text(argc, argv, "cutoff", "none");
  variant.if_depth = strcmp(variant.kind, "if") == 0 ? depth : kNever;
  variant.final_depth = strcmp(variant.kind, "final") == 0 ? depth : kNever;
  variant.manual_depth = strcmp(variant.kind, "manual") == 0 ? depth : kNever;
  require(depth < kNever && (variant.if_depth == depth || variant.final_depth == depth ||
                             variant.manual_depth == depth || strcmp(variant.kind, "none") == 0),
          "cutoff is none, if, final or manual");
  variant.serial = strcmp(arg_text(argc, argv, "mode", "tasks"), "serial") == 0;
}

static inline int deferred_at(int depth) { return depth < variant.if_depth; }
static inline int final_at(int depth) { return depth >= variant.final_depth; }
static inline int serial_at(int depth) { return depth >= variant.manual_depth; }

// Reports the time of the serial computation, whose result has been compared, and the time with
// tasks.
static inline void report_app(double serial, double took) {
  print_metric("serial_ms", 1e3 * serial, "ms");
#ifdef UNTIED
  const char* tied = " tied=no";
#else
  const char* tied = "";
#endif
  const char* cutoff = variant.kind == NULL ? "none" : variant.kind;
  print_metric_of("time_ms", 1e3 * took, "ms", "cutoff=%s%s", cutoff, tied);
  passed();
}

// Numbers that look random and are the same on every machine (Numerical Recipes' quick generator).
static inline unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}
