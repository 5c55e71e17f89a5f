// SPDX-License-Identifier: Apache-2.0
// Thread-local storage of a library that is loaded late. It is built with the initial-exec model
// (its block lies in the static area), with TLS descriptors (also in the static area, because it is
// so small) and with the default model (allocated at first use), in two sizes.

#if defined(TLS_STATIC)
#define MODEL __attribute__((tls_model("initial-exec")))
enum { kWords = 8 };
#elif defined(TLS_SMALL)
#define MODEL __attribute__((tls_model("global-dynamic")))
enum { kWords = 8 };
#elif defined(TLS_LARGE)
#define MODEL __attribute__((tls_model("global-dynamic")))
enum { kWords = 64 * 1024 };
#else
#define MODEL __attribute__((tls_model("global-dynamic")))
enum { kWords = 1024 };
#endif

// An image and a part that must be zero.
static __thread long g_image[kWords] MODEL = {42, 43, 44};
static __thread long g_zero[kWords] MODEL;
static __thread long* g_self MODEL;

// Returns the number of words that do not hold the loader's initial value.
int tls_fresh_errors(void) {
  int wrong = g_self != 0;
  for (long i = 0; i < kWords; i++) {
    wrong += g_image[i] != (i < 3 ? 42 + i : 0);
    wrong += g_zero[i] != 0;
  }
  return wrong;
}

void tls_set(long value) {
  for (long i = 0; i < kWords; i++) g_image[i] = g_zero[i] = value;
  g_self = g_image;
}

int tls_errors(long value) {
  int wrong = g_self != g_image;
  for (long i = 0; i < kWords; i++) wrong += (g_image[i] != value) + (g_zero[i] != value);
  return wrong;
}

// Used to check that the copies are distinct.
long* tls_address(void) { return g_image; }
