// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

__extension__ typedef __complex__ float Complex4;
__extension__ typedef __complex__ double Complex8;
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Float16;
__extension__ typedef __complex__ float Complex16 [[gnu::mode(TC)]];
#endif

extern "C" {
void __kmpc_atomic_fixed4_add(const void*, int, int32_t*, int32_t);
int32_t __kmpc_atomic_fixed4_add_cpt(const void*, int, int32_t*, int32_t, int);
int32_t __kmpc_atomic_fixed4_sub_cpt_rev(const void*, int, int32_t*, int32_t, int);
void __kmpc_atomic_fixed1_mul(const void*, int, int8_t*, int8_t);
void __kmpc_atomic_fixed1u_div(const void*, int, uint8_t*, uint8_t);
void __kmpc_atomic_fixed2_shr(const void*, int, int16_t*, int16_t);
void __kmpc_atomic_fixed2u_shr(const void*, int, uint16_t*, uint16_t);
void __kmpc_atomic_fixed8_eqv(const void*, int, int64_t*, int64_t);
void __kmpc_atomic_fixed4_andl(const void*, int, int32_t*, int32_t);
void __kmpc_atomic_fixed4_mul_float8(const void*, int, int32_t*, double);
int64_t __kmpc_atomic_fixed8_swp(const void*, int, int64_t*, int64_t);
void __kmpc_atomic_float8_min(const void*, int, double*, double);
float __kmpc_atomic_float4_div_cpt_rev(const void*, int, float*, float, int);
void __kmpc_atomic_float10_add(const void*, int, long double*, long double);
long double __kmpc_atomic_float10_rd(const void*, int, long double*);
void __kmpc_atomic_cmplx4_add(const void*, int, Complex4*, Complex4);
void __kmpc_atomic_cmplx4_mul(const void*, int, Complex4*, Complex4);
void __kmpc_atomic_cmplx4_add_cpt(const void*, int, Complex4*, Complex4, Complex4*, int);
void __kmpc_atomic_cmplx4_swp(const void*, int, Complex4*, Complex4, Complex4*);
Complex8 __kmpc_atomic_cmplx8_sub_cpt(const void*, int, Complex8*, Complex8, int);
void __kmpc_atomic_cmplx8_add(const void*, int, Complex8*, Complex8);
void __kmpc_atomic_8(const void*, int, void*, void*, void (*)(void*, void*, void*));
void __kmpc_atomic_32(const void*, int, void*, void*, void (*)(void*, void*, void*));
bool __kmpc_atomic_bool_4_cas_cpt(const void*, int, int32_t*, int32_t, int32_t, int32_t*);
int16_t __kmpc_atomic_val_2_cas(const void*, int, int16_t*, int16_t, int16_t);
int64_t __kmpc_atomic_val_8_cas_cpt(const void*, int, int64_t*, int64_t, int64_t, int64_t*);
#ifdef __SIZEOF_FLOAT128__
void __kmpc_atomic_float16_add(const void*, int, Float16*, Float16);
Float16 __kmpc_atomic_float16_div_cpt_rev(const void*, int, Float16*, Float16, int);
Float16 __kmpc_atomic_float16_rd(const void*, int, Float16*);
Complex16 __kmpc_atomic_cmplx16_mul_cpt(const void*, int, Complex16*, Complex16, int);
Complex16 __kmpc_atomic_cmplx16_swp(const void*, int, Complex16*, Complex16);
void __kmpc_atomic_fixed1_sub_rev_fp(const void*, int, int8_t*, Float16);
uint64_t __kmpc_atomic_fixed8u_add_cpt_fp(const void*, int, uint64_t*, Float16, int);
double __kmpc_atomic_float8_div_cpt_rev_fp(const void*, int, double*, Float16, int);
#endif
void GOMP_atomic_start();
void GOMP_atomic_end();
void sized_load(size_t, void*, void*, int) asm("__atomic_load");
void sized_store(size_t, void*, const void*, int) asm("__atomic_store");
bool sized_compare(size_t, void*, void*, const void*, int, int) asm("__atomic_compare_exchange");
bool __kmpc___atomic_compare_exchange_n(size_t, void*, void*, const void*, char, int);
}

namespace {

Complex4 complex4(float real, float imaginary) {
  Complex4 z;
  __real__ z = real;
  __imag__ z = imaginary;
  return z;
}

Complex8 complex8(double real, double imaginary) {
  Complex8 z;
  __real__ z = real;
  __imag__ z = imaginary;
  return z;
}

TEST(KmpAtomic, Integers) {
  int32_t value = 40;
  __kmpc_atomic_fixed4_add(nullptr, 0, &value, 2);
  EXPECT_EQ(value, 42);
  EXPECT_EQ(__kmpc_atomic_fixed4_add_cpt(nullptr, 0, &value, 1, 0), 42);
  EXPECT_EQ(__kmpc_atomic_fixed4_add_cpt(nullptr, 0, &value, 1, 1), 44);
  EXPECT_EQ(__kmpc_atomic_fixed4_sub_cpt_rev(nullptr, 0, &value, 100, 1), 56);
  __kmpc_atomic_fixed4_mul_float8(nullptr, 0, &value, 1.5);
  EXPECT_EQ(value, 84);
  __kmpc_atomic_fixed4_andl(nullptr, 0, &value, 8);
  EXPECT_EQ(value, 1);
  value = INT32_MAX;
  __kmpc_atomic_fixed4_add(nullptr, 0, &value, 1);
  EXPECT_EQ(value, INT32_MIN);
}

TEST(KmpAtomic, SmallAndUnsignedIntegers) {
  int8_t tiny = 100;
  __kmpc_atomic_fixed1_mul(nullptr, 0, &tiny, 3);
  EXPECT_EQ(tiny, 44);
  uint8_t byte = 200;
  __kmpc_atomic_fixed1u_div(nullptr, 0, &byte, 3);
  EXPECT_EQ(byte, 66);
  int16_t negative = -16;
  __kmpc_atomic_fixed2_shr(nullptr, 0, &negative, 2);
  EXPECT_EQ(negative, -4);
  uint16_t high = 0xfff0;
  __kmpc_atomic_fixed2u_shr(nullptr, 0, &high, 2);
  EXPECT_EQ(high, 0x3ffc);
  int64_t bits = 0x0f;
  __kmpc_atomic_fixed8_eqv(nullptr, 0, &bits, 0x3c);
  EXPECT_EQ(bits, ~int64_t{0x33});
  EXPECT_EQ(__kmpc_atomic_fixed8_swp(nullptr, 0, &bits, 5), ~int64_t{0x33});
  EXPECT_EQ(bits, 5);
}

TEST(KmpAtomic, RealAndComplexNumbers) {
  double least = 3;
  __kmpc_atomic_float8_min(nullptr, 0, &least, 2.5);
  __kmpc_atomic_float8_min(nullptr, 0, &least, 7);
  EXPECT_EQ(least, 2.5);
  float quotient = 4;
  EXPECT_EQ(__kmpc_atomic_float4_div_cpt_rev(nullptr, 0, &quotient, 2, 1), 0.5f);
  long double wide = 1.25L;
  __kmpc_atomic_float10_add(nullptr, 0, &wide, 2);
  EXPECT_EQ(__kmpc_atomic_float10_rd(nullptr, 0, &wide), 3.25L);

  Complex4 z = complex4(1, 2);
  __kmpc_atomic_cmplx4_mul(nullptr, 0, &z, complex4(0, 1));
  EXPECT_TRUE(z == complex4(-2, 1));
  Complex4 captured = 0;
  __kmpc_atomic_cmplx4_add_cpt(nullptr, 0, &z, complex4(2, 0), &captured, 0);
  EXPECT_TRUE(captured == complex4(-2, 1));
  __kmpc_atomic_cmplx4_swp(nullptr, 0, &z, complex4(9, 9), &captured);
  EXPECT_TRUE(captured == complex4(0, 1) && z == complex4(9, 9));
  Complex8 w = complex8(5, 5);
  EXPECT_TRUE(__kmpc_atomic_cmplx8_sub_cpt(nullptr, 0, &w, complex8(1, 2), 1) == complex8(4, 3));
}

#ifdef __SIZEOF_FLOAT128__
TEST(KmpAtomic, NumbersOf128Bits) {
  const Float16 third = Float16{1} / 3;
  Float16 value = third;
  __kmpc_atomic_float16_add(nullptr, 0, &value, 1);
  EXPECT_TRUE(value - 1 - third < Float16{1e-33} && value != Float16{static_cast<double>(value)});
  EXPECT_TRUE(__kmpc_atomic_float16_div_cpt_rev(nullptr, 0, &value, 4, 0) == third + 1);
  EXPECT_TRUE(__kmpc_atomic_float16_rd(nullptr, 0, &value) == 4 / (third + 1));

  Complex16 z;
  __real__ z = 1;
  __imag__ z = 2;
  Complex16 i;
  __real__ i = 0;
  __imag__ i = 1;
  Complex16 turned = __kmpc_atomic_cmplx16_mul_cpt(nullptr, 0, &z, i, 1);
  EXPECT_TRUE(__real__ turned == -2 && __imag__ turned == 1);
  EXPECT_TRUE(__kmpc_atomic_cmplx16_swp(nullptr, 0, &z, i) == turned && z == i);

  int8_t tiny = 5;
  __kmpc_atomic_fixed1_sub_rev_fp(nullptr, 0, &tiny, Float16{47.5});
  EXPECT_EQ(tiny, 42);
  // As double, these values would be equal.
  uint64_t large = (uint64_t{1} << 60) + 1;
  EXPECT_EQ(__kmpc_atomic_fixed8u_add_cpt_fp(nullptr, 0, &large, Float16{2}, 1),
            (uint64_t{1} << 60) + 3);
  double divisor = 4;
  EXPECT_EQ(__kmpc_atomic_float8_div_cpt_rev_fp(nullptr, 0, &divisor, Float16{2}, 1), 0.5);
}
#endif

// Any size is allowed, as in libatomic. 12 bytes are not a word.
TEST(KmpAtomic, VariablesOfAnySize) {
  auto try_size = [](auto first, auto second) {
    auto variable = first;
    auto seen = second;
    sized_load(sizeof variable, &variable, &seen, 0);
    EXPECT_EQ(seen, first);
    EXPECT_TRUE(sized_compare(sizeof variable, &variable, &seen, &second, 0, 0));
    EXPECT_EQ(variable, second);
    EXPECT_EQ(seen, first);
    EXPECT_FALSE(
        __kmpc___atomic_compare_exchange_n(sizeof variable, &variable, &seen, &first, 0, 0));
    EXPECT_EQ(variable, second);
    EXPECT_EQ(seen, second);
    sized_store(sizeof variable, &variable, &first, 0);
    EXPECT_EQ(variable, first);
  };
  try_size(uint8_t{1}, uint8_t{2});
  try_size(uint16_t{1}, uint16_t{2});
  try_size(1.5f, 2.5f);
  try_size(1.5, 2.5);
  try_size(std::array<int32_t, 3>{1, 2, 3}, std::array<int32_t, 3>{4, 5, 6});
}

TEST(KmpAtomic, CompareAndSwap) {
  int32_t value = 1;
  int32_t captured = 77;
  EXPECT_TRUE(__kmpc_atomic_bool_4_cas_cpt(nullptr, 0, &value, 1, 2, &captured));
  EXPECT_EQ(captured, 77);
  EXPECT_FALSE(__kmpc_atomic_bool_4_cas_cpt(nullptr, 0, &value, 1, 3, &captured));
  EXPECT_EQ(captured, 2);
  int16_t small = 4;
  EXPECT_EQ(__kmpc_atomic_val_2_cas(nullptr, 0, &small, 4, 6), 4);
  EXPECT_EQ(small, 6);
  int64_t wide = 8;
  int64_t now = 0;
  EXPECT_EQ(__kmpc_atomic_val_8_cas_cpt(nullptr, 0, &wide, 8, 9, &now), 8);
  EXPECT_EQ(now, 9);
  EXPECT_EQ(__kmpc_atomic_val_8_cas_cpt(nullptr, 0, &wide, 8, 1, &now), 9);
  EXPECT_EQ(now, 9);
}

struct Wide {
  uint64_t part[4];
};

// A misaligned word is changed under the lock, like an operand that is too wide.
TEST(KmpAtomic, NothingIsLostAmongThreads) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 20000;
  struct alignas(8) {
    char shift[4];
    float z[2];
  } odd{};
  auto* complex = reinterpret_cast<Complex4*>(odd.z);
  Complex8 sum = 0;
  double real = 0;
  Wide wide{};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([&] {
      double one = 1;
      Wide step{{1, 2, 3, 4}};
      for (int round = 0; round < kRounds; round++) {
        Complex4 captured;
        __kmpc_atomic_cmplx4_add_cpt(nullptr, 0, complex, complex4(1, 2), &captured, 1);
        __kmpc_atomic_cmplx8_add(nullptr, 0, &sum, complex8(1, -1));
        __kmpc_atomic_8(nullptr, 0, &real, &one, [](void* result, void* a, void* b) {
          *static_cast<double*>(result) = *static_cast<double*>(a) + *static_cast<double*>(b);
        });
        __kmpc_atomic_32(nullptr, 0, &wide, &step, [](void* result, void* a, void* b) {
          for (int part = 0; part < 4; part++) {
            static_cast<Wide*>(result)->part[part] =
                static_cast<Wide*>(a)->part[part] + static_cast<Wide*>(b)->part[part];
          }
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  constexpr int kAll = kThreads * kRounds;
  EXPECT_EQ(odd.z[0], kAll);
  EXPECT_EQ(odd.z[1], 2 * kAll);
  EXPECT_TRUE(sum == complex8(kAll, -kAll));
  EXPECT_EQ(real, kAll);
  for (uint64_t part = 0; part < 4; part++) EXPECT_EQ(wide.part[part], (part + 1) * kAll);
}

// As GCC's Fortran does it for complex numbers, at any address.
TEST(KmpAtomic, ComplexNumbersAgreeWithGcc) {
  constexpr int kRounds = 1000;
  alignas(8) Complex4 sum = 0;
  std::atomic<bool> done{false};
  std::atomic<int> added{0};  // no more than float can count exactly
  std::thread other([&] {
    for (; !done && added < 1 << 23; added++) __kmpc_atomic_cmplx4_add(nullptr, 0, &sum, 1);
  });
  while (added == 0) std::this_thread::yield();
  auto* part = reinterpret_cast<volatile float*>(&sum);
  for (int i = 0; i < kRounds; i++) {
    GOMP_atomic_start();
    const float before = *part;
    for (int n = 0; n < 10; n++) std::this_thread::yield();
    *part = before + 1;
    GOMP_atomic_end();
  }
  done = true;
  other.join();
  EXPECT_EQ(*part, kRounds + added);
}

}  // namespace
