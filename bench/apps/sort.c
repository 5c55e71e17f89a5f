// SPDX-License-Identifier: Apache-2.0
// Merge sort in four parts, each a task. Merges split at the middle of the longer part. Short
// pieces are sorted and merged serially.
#include "app.h"

static const char kUsage[] = "sort [n=2000000] [leaf=2048] " CUTOFF_ARGUMENTS
                             "\n"
                             "leaf  elements that are sorted or merged serially\n";

static long leaf;

static void sort_short(int* a, long n) {
  while (n > 16) {
    int first = a[0], middle = a[n / 2], last = a[n - 1];
    int pivot = first < middle ? (middle < last ? middle : (first < last ? last : first))
                               : (first < last ? first : (middle < last ? last : middle));
    long i = 0, j = n - 1;
    for (;;) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i >= j) break;
      int swapped = a[i];
      a[i++] = a[j];
      a[j--] = swapped;
    }
    sort_short(a + j + 1, n - j - 1);
    n = j + 1;
  }
  for (long i = 1; i < n; i++) {
    int moved = a[i];
    long k = i;
    for (; k > 0 && a[k - 1] > moved; k--) a[k] = a[k - 1];
    a[k] = moved;
  }
}

static void merge_serial(const int* a, long na, const int* b, long nb, int* out) {
  while (na > 0 && nb > 0) {
    if (*b < *a)
      *out++ = *b++, nb--;
    else
      *out++ = *a++, na--;
  }
  memcpy(out, a, (size_t)na * sizeof *a);
  memcpy(out + na, b, (size_t)nb * sizeof *b);
}

static void sort_serial(int* a, int* scratch, long n) {
  if (n <= leaf) {
    sort_short(a, n);
    return;
  }
  long half = n / 2;
  sort_serial(a, scratch, half);
  sort_serial(a + half, scratch + half, n - half);
  memcpy(scratch, a, (size_t)n * sizeof *a);
  merge_serial(scratch, half, scratch + half, n - half, a);
}

// Returns how many elements are less than `value`.
static long count_below(const int* a, long n, int value) {
  long low = 0;
  while (n > 0) {
    long half = n / 2;
    if (a[low + half] < value)
      low += half + 1, n -= half + 1;
    else
      n = half;
  }
  return low;
}

static void merge(const int* a, long na, const int* b, long nb, int* out, int depth) {
  if (na + nb <= leaf || serial_at(depth)) {
    merge_serial(a, na, b, nb, out);
    return;
  }
  if (na < nb) {
    merge(b, nb, a, na, out, depth);
    return;
  }
  long left = na / 2, right = count_below(b, nb, a[left]);
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  merge(a, left, b, right, out, depth + 1);
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  merge(a + left, na - left, b + right, nb - right, out + left + right, depth + 1);
#pragma omp taskwait
}

static void sort(int* a, int* scratch, long n, int depth) {
  if (n <= leaf || serial_at(depth)) {
    sort_serial(a, scratch, n);
    return;
  }
  long quarter = n / 4, half = 2 * quarter, rest = n - 3 * quarter;
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  sort(a, scratch, quarter, depth + 1);
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  sort(a + quarter, scratch + quarter, quarter, depth + 1);
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  sort(a + half, scratch + half, quarter, depth + 1);
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  sort(a + 3 * quarter, scratch + 3 * quarter, rest, depth + 1);
#pragma omp taskwait
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  merge(a, quarter, a + quarter, quarter, scratch, depth + 1);
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  merge(a + half, quarter, a + 3 * quarter, rest, scratch + half, depth + 1);
#pragma omp taskwait
  merge(scratch, half, scratch + half, n - half, a, depth + 1);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  read_variant(argc, argv);
  long n = (long)arg_number(argc, argv, "n", 2000000);
  leaf = (long)arg_number(argc, argv, "leaf", 2048);
  require(n > 0 && leaf >= 4, "n is at least 1, leaf at least 4");
  int* a = malloc((size_t)n * sizeof *a);
  int* b = malloc((size_t)n * sizeof *b);
  int* scratch = malloc((size_t)n * sizeof *scratch);
  require(a != NULL && b != NULL && scratch != NULL, "memory for the numbers");
  unsigned random = 1;
  for (long i = 0; i < n; i++) a[i] = b[i] = (int)next_random(&random);

  double start = seconds();
  sort_serial(b, scratch, n);
  double serial = seconds() - start, took = serial;
  if (!variant.serial) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    sort(a, scratch, n, 0);
    took = seconds() - start;
    require(memcmp(a, b, (size_t)n * sizeof *a) == 0, "the order of the serial sort");
  }
  for (long i = 1; i < n; i++) require(b[i - 1] <= b[i], "the serial sort sorts");
  report_app(serial, took);
  return 0;
}
