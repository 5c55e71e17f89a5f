// SPDX-License-Identifier: Apache-2.0
// A square grid stored block by block. A block is one contiguous piece of memory, so its address
// can represent it in a depend clause.
#pragma once

#include "common.h"

struct grid {
  int blocks;  // along each side
  int size;    // of one block along each side
  double* cells;
};

static inline double* block_at(const struct grid* grid, int row, int column) {
  return grid->cells + ((size_t)row * grid->blocks + column) * grid->size * grid->size;
}

static inline size_t cell_count(const struct grid* grid) {
  return (size_t)grid->blocks * grid->blocks * grid->size * grid->size;
}

static inline struct grid new_grid(int blocks, int size) {
  struct grid grid = {blocks, size, NULL};
  grid.cells = aligned_alloc(64, (cell_count(&grid) * sizeof(double) + 63) / 64 * 64);
  require(grid.cells != NULL, "memory for the grid");
  for (size_t i = 0; i < cell_count(&grid); i++)
    grid.cells[i] = (double)((i * 2654435761u) >> 7 & 1023) / 1024.0;
  return grid;
}

static inline int same_cells(const struct grid* a, const struct grid* b) {
  return memcmp(a->cells, b->cells, cell_count(a) * sizeof(double)) == 0;
}
