// SPDX-License-Identifier: Apache-2.0
#include "env/affinity_format.h"

#include <unistd.h>

#include <cstdlib>

#include "env/icv.h"
#include "env/places.h"
#include "platform/diagnostics.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/processors/processors.h"

namespace bobbin {
namespace {

constexpr std::size_t kUsualLength = 512;
// A field wider than this is treated as a mistake.
constexpr std::uint64_t kWidestField = 4096;

struct FieldType {
  char letter;
  std::string_view name;
};

constexpr FieldType kFieldTypes[] = {
    {'t', "team_num"},         {'T', "num_teams"},      {'L', "nesting_level"}, {'n', "thread_num"},
    {'N', "num_threads"},      {'a', "ancestor_tnum"},  {'H', "host"},          {'P', "process_id"},
    {'i', "native_thread_id"}, {'A', "thread_affinity"}};

// A field as the format writes it: %[[[0].]size]type.
struct Field {
  char letter = '\0';  // '\0': no type that we know
  bool zero_padded = false;
  bool right = false;
  std::size_t width = 0;
};

// Reads a field whose '%' has been read and returns the text after it. The specification leaves
// open what a malformed field means. Here '0' without '.' is ignored, as in libomp (libgomp rejects
// it), and a flag without a size is no flag.
std::string_view read_field(std::string_view text, Field& field) {
  std::size_t at = 0;
  const bool zero = at < text.size() && text[at] == '0';
  if (zero) ++at;
  if (at < text.size() && text[at] == '.') {
    field.right = true;
    field.zero_padded = zero;
    ++at;
  }
  std::uint64_t width = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    width = width * 10 + static_cast<unsigned>(text[at] - '0');
    if (width > kWidestField) width = kWidestField;
  }
  field.width = width;
  if (at == text.size()) return {};
  if (text[at] != '{') {
    for (const FieldType& type : kFieldTypes) {
      if (type.letter == text[at]) field.letter = type.letter;
    }
    return slice(text, at + 1);
  }
  std::size_t end = ++at;
  while (end < text.size() && text[end] != '}') ++end;
  const std::string_view name{text.data() + at, end - at};
  for (const FieldType& type : kFieldTypes) {
    if (type.name == name) field.letter = type.letter;
  }
  return slice(text, end + 1);
}

void add_number(const Field& field, std::int64_t value, TextOut& out) {
  Text<24> digits;
  digits.number(value < 0 ? -value : value);
  const std::size_t length = digits.length() + (value < 0 ? 1 : 0);
  const std::size_t pad = field.width > length ? field.width - length : 0;
  if (field.right && !field.zero_padded) out.repeat(' ', pad);
  if (value < 0) out.add('-');
  if (field.zero_padded) out.repeat('0', pad);
  out.add(digits.view());
  if (!field.right) out.repeat(' ', pad);
}

void add_text(const Field& field, std::string_view text, TextOut& out) {
  const std::size_t pad = field.width > text.size() ? field.width - text.size() : 0;
  if (field.right) out.repeat(' ', pad);
  out.add(text);
  if (!field.right) out.repeat(' ', pad);
}

void add_host(const Field& field, TextOut& out) {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) name[0] = '\0';
  add_text(field, name[0] != '\0' ? name : "undefined", out);
}

void add_affinity(const Field& field, const AffinityFields& fields, TextOut& out) {
  Text<4096> list;
  if (fields.affinity != nullptr) {
    print_cpus(*fields.affinity, list);
  } else {
    print_cpus(affinity_mask(), list);
  }
  add_text(field, list.view(), out);
}

void add_field(const Field& field, const AffinityFields& fields, TextOut& out) {
  switch (field.letter) {
    case 't':
      return add_number(field, fields.team_num, out);
    case 'T':
      return add_number(field, fields.num_teams, out);
    case 'L':
      return add_number(field, fields.nesting_level, out);
    case 'n':
      return add_number(field, fields.thread_num, out);
    case 'N':
      return add_number(field, fields.num_threads, out);
    case 'a':
      return add_number(field, fields.ancestor_tnum, out);
    case 'P':
      return add_number(field, getpid(), out);
    case 'i':
      return add_number(field, fields.native_thread_id, out);
    case 'H':
      return add_host(field, out);
    case 'A':
      return add_affinity(field, fields, out);
    default:
      return add_text(field, "undefined", out);
  }
}

// The program's format, once it has set one; before that the environment's format is in force. The
// lock is held for copying only, so no thread suspends while holding it.
constinit SpinLock format_lock;
constinit char* program_format = nullptr;

std::string_view format_in_force() {
  if (program_format != nullptr) return program_format;
  const char* given = global_icvs().affinity_format;
  return given != nullptr ? std::string_view{given} : kDefaultAffinityFormat;
}

}  // namespace

bool set_affinity_format(std::string_view format) {
  char* copy = static_cast<char*>(std::malloc(format.size() + 1));
  if (copy == nullptr) return false;
  if (!format.empty()) std::memcpy(copy, format.data(), format.size());
  copy[format.size()] = '\0';
  SpinGuard guard(format_lock);
  std::free(program_format);
  program_format = copy;
  return true;
}

std::size_t get_affinity_format(char* buffer, std::size_t size) {
  SpinGuard guard(format_lock);
  TextOut out(buffer, size);
  out.add(format_in_force());
  return out.length();
}

void init_affinity_format() { add_fork_lock(held_across_fork<format_lock>); }

void expand_affinity(std::string_view format, const AffinityFields& fields, TextOut& out) {
  char usual[kUsualLength];
  char* copy = nullptr;
  if (format.empty()) {
    std::size_t length = get_affinity_format(usual, sizeof usual);
    format = {usual, length < sizeof usual ? length : sizeof usual - 1};
    if (length >= sizeof usual && (copy = static_cast<char*>(std::malloc(length + 1))) != nullptr) {
      // Another thread may have set a longer format meanwhile. Then the copy is cut and terminated.
      get_affinity_format(copy, length + 1);
      format = copy;
    }
  }
  while (!format.empty()) {
    std::size_t plain = 0;
    while (plain < format.size() && format[plain] != '%') ++plain;
    out.add({format.data(), plain});
    if (plain == format.size()) break;
    format = slice(format, plain + 1);
    if (format.empty()) break;  // a '%' at the very end
    if (format[0] == '%') {
      out.add('%');
      format = slice(format, 1);
      continue;
    }
    Field field;
    format = read_field(format, field);
    add_field(field, fields, out);
  }
  std::free(copy);
}

void display_affinity(std::string_view format, const AffinityFields& fields) {
  char usual[kUsualLength];
  TextOut first(usual, sizeof usual);
  expand_affinity(format, fields, first);
  first.add('\n');
  if (!first.truncated()) return write_stderr(first.view());
  const std::size_t size = first.length() + 64;
  char* large = static_cast<char*>(std::malloc(size));
  if (large == nullptr) return write_stderr(first.view());
  TextOut second(large, size);
  expand_affinity(format, fields, second);
  second.add('\n');
  write_stderr(second.view());
  std::free(large);
}

}  // namespace bobbin
