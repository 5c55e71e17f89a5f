// SPDX-License-Identifier: Apache-2.0
// Passes over an array larger than the caches, block by block, one task per block. A block that is
// still in the cache when its next task runs need not be fetched again. So the order of tasks
// matters, and the order in which a program of several components submits them is not the best one.
#include "app.h"

static const char kUsage[] =
    "sweep [blocks=128] [kilobytes=384] [passes=8] [steps=2] [work=update|count]\n"
    "      [mode=breadth|depth|serial]\n"
    "work    update  each pass changes the blocks: a chain of tasks a block\n"
    "        count   each pass counts something in the blocks: no task waits for another\n"
    "mode    breadth  pass by pass, as components do that know nothing of each other\n"
    "        depth    the same tasks, block by block\n"
    "Checked bit by bit against the serial computation.\n";

enum { kLine = 1024 };

typedef struct {
  float cells[kLine];
} line;

static int blocks, passes, steps, lines;

// All blocks, one after the other, and the count of each pass in each block.
typedef struct {
  line* cells;
  int* counts;
} field;

static field new_field(void) {
  field f;
  f.cells = malloc((size_t)blocks * (size_t)lines * sizeof(line));
  f.counts = calloc((size_t)blocks * (size_t)passes, sizeof(int));
  require(f.cells != NULL && f.counts != NULL, "memory for the field");
  unsigned state = 1;
  for (size_t i = 0; i < (size_t)blocks * (size_t)lines; i++)
    for (int k = 0; k < kLine; k++)
      f.cells[i].cells[k] = (float)next_random(&state) / (float)(1 << 24);
  return f;
}

static void update(line* block, int pass) {
  float factor = 1 - 0.01f * (float)(pass + 1), source = 0.005f * (float)(pass + 1);
  for (int i = 0; i < lines; i++)
    for (int k = 0; k < kLine; k++) block[i].cells[k] = factor * block[i].cells[k] + source;
}

static void count(const line* block, int pass, int* result) {
  float level = (float)(pass + 1) / (float)(passes + 1);
  int above = 0;
  for (int i = 0; i < lines; i++)
    for (int k = 0; k < kLine; k++) above += block[i].cells[k] > level;
  *result += above;
}

static void submit_update(field* f, int block, int pass) {
  line* cells = f->cells + (size_t)block * (size_t)lines;
#pragma omp task depend(inout : *cells) firstprivate(cells, pass)
  update(cells, pass);
}

static void submit_count(field* f, int block, int pass) {
  const line* cells = f->cells + (size_t)block * (size_t)lines;
  int* result = &f->counts[block * passes + pass];
#pragma omp task depend(in : *cells) depend(inout : *result) firstprivate(cells, pass, result)
  count(cells, pass, result);
}

typedef void submission(field*, int block, int pass);

static void step_breadth(field* f, submission* submit) {
  for (int pass = 0; pass < passes; pass++)
    for (int block = 0; block < blocks; block++) submit(f, block, pass);
}

static void step_depth(field* f, submission* submit) {
  for (int block = 0; block < blocks; block++)
    for (int pass = 0; pass < passes; pass++) submit(f, block, pass);
}

static void run_serial(field* f, int updates) {
  for (int s = 0; s < steps; s++)
    for (int block = 0; block < blocks; block++)
      for (int pass = 0; pass < passes; pass++) {
        line* cells = f->cells + (size_t)block * (size_t)lines;
        if (updates)
          update(cells, pass);
        else
          count(cells, pass, &f->counts[block * passes + pass]);
      }
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  blocks = (int)arg_number(argc, argv, "blocks", 128);
  lines = (int)(arg_number(argc, argv, "kilobytes", 384) * 1024 / sizeof(line));
  passes = (int)arg_number(argc, argv, "passes", 8);
  steps = (int)arg_number(argc, argv, "steps", 2);
  require(blocks >= 1 && lines >= 1 && passes >= 1 && steps >= 1, "a block is at least 4 KB");
  const char* work = arg_text(argc, argv, "work", "update");
  const char* mode = arg_text(argc, argv, "mode", "breadth");
  int updates = strcmp(work, "update") == 0, depth = strcmp(mode, "depth") == 0;
  require(updates || strcmp(work, "count") == 0, "work is update or count");
  field expected = new_field(), f = new_field();

  double start = seconds();
  run_serial(&expected, updates);
  double serial = seconds() - start, took = serial;
  if (strcmp(mode, "serial") != 0) {
    require(depth || strcmp(mode, "breadth") == 0, "mode is breadth, depth or serial");
    submission* submit = updates ? submit_update : submit_count;
    start = seconds();
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < steps; s++) {
      if (depth)
        step_depth(&f, submit);
      else
        step_breadth(&f, submit);
#pragma omp taskwait
    }
    took = seconds() - start;
    size_t size = (size_t)blocks * (size_t)lines * sizeof(line);
    require(memcmp(f.cells, expected.cells, size) == 0, "the cells of the serial computation");
    size = (size_t)blocks * (size_t)passes * sizeof(int);
    require(memcmp(f.counts, expected.counts, size) == 0, "the counts of the serial computation");
  }
  report_app(serial, took);
  return 0;
}
