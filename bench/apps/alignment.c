// SPDX-License-Identifier: Apache-2.0
// Aligns each pair of a set of protein sequences, one task per pair. Opening a gap costs more than
// extending it.
#include "app.h"

static const char kUsage[] =
    "alignment [sequences=60] [length=300] [makers=one|all] [mode=tasks|serial]\n"
    "length  at most; at least half of it\n"
    "makers  who makes the tasks: one thread, or all of them in a loop\n";

enum { kAminoAcids = 20, kMatch = 8, kOpen = 10, kGoOn = 1, kLongest = 4096 };

struct sequence {
  int length;
  unsigned char* letters;
};

static struct sequence* sequences;

static int similarity(int a, int b) { return a == b ? kMatch : 2 - (a * b + a + b) % 6; }

static inline int most(int a, int b) { return a > b ? a : b; }

// The best score, column by column. `whole` and `gap` hold the previous row.
static int align(const struct sequence* a, const struct sequence* b) {
  const int never = -(1 << 28);
  int whole[kLongest + 1];  // score of b's first j letters with all letters of a so far
  int gap[kLongest + 1];    // the same where a's last letter stands against a gap
  whole[0] = 0;
  for (int j = 1; j <= b->length; j++) whole[j] = -kOpen - kGoOn * j;
  for (int j = 0; j <= b->length; j++) gap[j] = never;
  for (int i = 1; i <= a->length; i++) {
    int diagonal = whole[0];
    int here = whole[0] = -kOpen - kGoOn * i;
    int gap_in_a = never;
    for (int j = 1; j <= b->length; j++) {
      gap[j] = most(gap[j], whole[j] - kOpen) - kGoOn;
      gap_in_a = most(gap_in_a, here - kOpen) - kGoOn;
      int paired = diagonal + similarity(a->letters[i - 1], b->letters[j - 1]);
      here = most(paired, most(gap[j], gap_in_a));
      diagonal = whole[j];
      whole[j] = here;
    }
  }
  return whole[b->length];
}

static void align_all_serial(int count, int* scores) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) scores[i * count + j] = align(&sequences[i], &sequences[j]);
}

static void align_by_one(int count, int* scores) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
#pragma omp task TIEDNESS firstprivate(i, j)
      scores[i * count + j] = align(&sequences[i], &sequences[j]);
    }
}

static void align_by_all(int count, int* scores) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
#pragma omp task TIEDNESS firstprivate(i, j)
      scores[i * count + j] = align(&sequences[i], &sequences[j]);
    }
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int count = (int)arg_number(argc, argv, "sequences", 60);
  int longest = (int)arg_number(argc, argv, "length", 300);
  int one = strcmp(arg_text(argc, argv, "makers", "one"), "one") == 0;
  variant.serial = strcmp(arg_text(argc, argv, "mode", "tasks"), "serial") == 0;
  require(count >= 1 && longest >= 2 && longest <= kLongest, "length is 2 to 4096");
  sequences = calloc((size_t)count, sizeof *sequences);
  int* expected = calloc((size_t)count * (size_t)count, sizeof *expected);
  int* scores = calloc((size_t)count * (size_t)count, sizeof *scores);
  require(sequences != NULL && expected != NULL && scores != NULL, "memory for the scores");
  unsigned random = 11;
  for (int i = 0; i < count; i++) {
    sequences[i].length = longest / 2 + (int)(next_random(&random) % (unsigned)(longest / 2 + 1));
    sequences[i].letters = malloc((size_t)sequences[i].length);
    require(sequences[i].letters != NULL, "memory for the sequences");
    for (int k = 0; k < sequences[i].length; k++)
      sequences[i].letters[k] = (unsigned char)(next_random(&random) % kAminoAcids);
    require(align(&sequences[i], &sequences[i]) == kMatch * sequences[i].length,
            "a sequence matches itself");
  }

  double start = seconds();
  align_all_serial(count, expected);
  double serial = seconds() - start, took = serial;
  if (!variant.serial) {
    start = seconds();
    if (one)
      align_by_one(count, scores);
    else
      align_by_all(count, scores);
    took = seconds() - start;
    require(memcmp(scores, expected, (size_t)count * (size_t)count * sizeof *scores) == 0,
            "the scores of the serial computation");
  }
  report_app(serial, took);
  return 0;
}
