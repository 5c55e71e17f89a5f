// SPDX-License-Identifier: Apache-2.0
// The translator from the preprocessed text to its output. What it makes of a text that it accepts
// must be C, as Clang says. `make fuzz-translate` builds it with libFuzzer and sanitizers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "compiles.h"
#include "driver/translate.h"
#include "mutator.h"

// libFuzzer's. NOLINTBEGIN(readability-identifier-naming)
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

std::string text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

size_t write(const std::string& text, uint8_t* data, size_t max_size) {
  const size_t size = std::min(text.size(), max_size);
  std::copy_n(text.begin(), size, data);
  return size;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text = text_of(data, size);
  const std::optional<std::string> out =
      bobbin::translate::translate(text, {"-std=gnu17"}, {"avx2"});
  if (!out) return 0;
  const std::string problem = bobbin::fuzz::problem_of(*out, {"-fopenmp-simd"});
  // What has no directives is not looked at, and is the native compiler's business.
  if (problem.empty() || !bobbin::fuzz::problem_of(text, {}).empty()) return 0;
  std::printf("The output is no C: %s\n%s", problem.c_str(), out->c_str());
  std::fflush(stdout);
  std::abort();
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  const auto with_noise = [](std::string text) {
    const size_t before = text.size();
    text.resize(before + 64);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), before, text.size()));
    return text;
  };
  return write(bobbin::fuzz::mutate(text_of(data, size), seed, with_noise), data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size,
                                            const uint8_t* second, size_t second_size, uint8_t* out,
                                            size_t max_size, unsigned seed) {
  return write(bobbin::fuzz::cross(text_of(first, first_size), text_of(second, second_size), seed),
               out, max_size);
}
// NOLINTEND(readability-identifier-naming)
