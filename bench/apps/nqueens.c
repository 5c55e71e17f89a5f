// SPDX-License-Identifier: Apache-2.0
// All ways to put n queens on a board of n by n where none attacks another: one task for every
// queen that fits, with a copy of the board so far.
#include "app.h"

static const char kUsage[] = "nqueens [n=12] " CUTOFF_ARGUMENTS "\n";

enum { kMostQueens = 16 };

static int n;

// board[r] is the column of the queen in row r.
static int fits(const char* board, int row, int column) {
  for (int r = 0; r < row; r++) {
    int apart = column - board[r];
    if (apart == 0 || apart == row - r || apart == r - row) return 0;
  }
  return 1;
}

static long place_serial(char* board, int row) {
  if (row == n) return 1;
  long count = 0;
  for (int column = 0; column < n; column++) {
    if (!fits(board, row, column)) continue;
    board[row] = (char)column;
    count += place_serial(board, row + 1);
  }
  return count;
}

static long place(char* above, int row) {
  if (row == n) return 1;
  if (serial_at(row)) return place_serial(above, row);
  long counts[kMostQueens] = {0};
  for (int column = 0; column < n; column++) {
    if (!fits(above, row, column)) continue;
#pragma omp task TIEDNESS shared(counts) if (deferred_at(row)) final(final_at(row))
    {
      char board[kMostQueens];
      memcpy(board, above, (size_t)row);
      board[row] = (char)column;
      counts[column] = place(board, row + 1);
    }
  }
#pragma omp taskwait
  long count = 0;
  for (int column = 0; column < n; column++) count += counts[column];
  return count;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  read_variant(argc, argv);
  n = (int)arg_number(argc, argv, "n", 12);
  require(n >= 1 && n <= kMostQueens, "1 to 16 queens");
  static const long kKnown[] = {1,   1,   0,    0,     2,     10,     4,       40,      92,
                                352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
  char board[kMostQueens];
  double start = seconds();
  long expected = place_serial(board, 0);
  double serial = seconds() - start, took = serial;
  long count = expected;
  if (!variant.serial) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    count = place(board, 0);
    took = seconds() - start;
  }
  require(expected == kKnown[n], "the serial search finds the known number");
  require(count == expected, "the number that the serial search finds");
  report_app(serial, took);
  return 0;
}
