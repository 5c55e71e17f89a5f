// SPDX-License-Identifier: Apache-2.0
// Fast Fourier transform of complex numbers: tasks transform the even and the odd elements, then
// tasks compute the butterflies in blocks.
#include <complex.h>
#include <math.h>

#include "app.h"

static const char kUsage[] = "fft [n=1048576] [leaf=1024] " CUTOFF_ARGUMENTS
                             "\n"
                             "n     a power of two\n"
                             "leaf  elements that one task transforms or combines\n";

typedef double complex number;

static long whole, leaf;
static number* roots;  // exp(-2 pi i k / whole)

static void combine(number* out, long half, long from, long to) {
  long step = whole / (2 * half);
  for (long k = from; k < to; k++) {
    number odd = roots[k * step] * out[half + k];
    out[half + k] = out[k] - odd;
    out[k] += odd;
  }
}

static void transform_serial(const number* in, long stride, number* out, long n) {
  if (n == 1) {
    *out = *in;
    return;
  }
  transform_serial(in, 2 * stride, out, n / 2);
  transform_serial(in + stride, 2 * stride, out + n / 2, n / 2);
  combine(out, n / 2, 0, n / 2);
}

static void transform(const number* in, long stride, number* out, long n, int depth) {
  if (n <= leaf || serial_at(depth)) {
    transform_serial(in, stride, out, n);
    return;
  }
  long half = n / 2;
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  transform(in, 2 * stride, out, half, depth + 1);
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
  transform(in + stride, 2 * stride, out + half, half, depth + 1);
#pragma omp taskwait
  for (long from = 0; from < half; from += leaf) {
    long to = from + leaf < half ? from + leaf : half;
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
    combine(out, half, from, to);
  }
#pragma omp taskwait
}

static double energy(const number* a) {
  double sum = 0;
  for (long i = 0; i < whole; i++) sum += creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]);
  return sum;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  read_variant(argc, argv);
  whole = (long)arg_number(argc, argv, "n", 1048576);
  leaf = (long)arg_number(argc, argv, "leaf", 1024);
  require(whole >= 2 && (whole & (whole - 1)) == 0 && leaf >= 1, "n is a power of two");
  number* in = malloc((size_t)whole * sizeof *in);
  number* expected = malloc((size_t)whole * sizeof *expected);
  number* out = malloc((size_t)whole * sizeof *out);
  roots = malloc((size_t)whole / 2 * sizeof *roots);
  require(in != NULL && expected != NULL && out != NULL && roots != NULL, "memory for the numbers");
  unsigned random = 1;
  for (long i = 0; i < whole; i++)
    in[i] = ldexp(next_random(&random), -24) + I * ldexp(next_random(&random), -24);
  for (long k = 0; k < whole / 2; k++)
    roots[k] = cexp(-2 * 3.141592653589793 * I * (double)k / (double)whole);

  double start = seconds();
  transform_serial(in, 1, expected, whole);
  double serial = seconds() - start, took = serial;
  if (!variant.serial) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    transform(in, 1, out, whole, 0);
    took = seconds() - start;
    require(memcmp(out, expected, (size_t)whole * sizeof *out) == 0,
            "the numbers of the serial transform");
  }
  // Parseval: the transform has n times the energy of the input.
  double ratio = energy(expected) / energy(in) / (double)whole;
  require(fabs(ratio - 1) < 1e-9, "the serial transform keeps the energy");
  report_app(serial, took);
  return 0;
}
