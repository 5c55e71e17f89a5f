// SPDX-License-Identifier: Apache-2.0
#include "insight/report/text.h"

#include <cstdarg>
#include <cstdio>
#include <iterator>

namespace bobbin::insight {

void print(std::string& out, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  out += line;
}

std::string grouped(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t i = 0; i < digits.size(); i++) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string time_text(double seconds) {
  static constexpr struct {
    double unit;
    const char* name;
  } kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  const auto* unit = std::begin(kUnits);
  while (unit + 1 != std::end(kUnits) && seconds < unit->unit) ++unit;
  const double value = seconds / unit->unit;
  const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s", decimals, value, unit->name);
  return text;
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace bobbin::insight
