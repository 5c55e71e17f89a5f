// SPDX-License-Identifier: Apache-2.0
#include "launch/launch_checks.h"

#include <regex.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "processes/process.h"

namespace bobbin::cli {
namespace {

// The C library's expressions, because GCC 12 warns about the code of std::regex under ASan.
bool matches(const std::string& text, const std::string& pattern) {
  regex_t expression;
  if (regcomp(&expression, ("^(" + pattern + ")$").c_str(), REG_EXTENDED | REG_ICASE | REG_NOSUB)) {
    return false;
  }
  const bool found = regexec(&expression, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&expression);
  return found;
}

bool is_blank(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c); });
}

std::string unless(bool good, const std::string& text, std::string_view expected) {
  if (good) return {};
  if (is_blank(text)) return "the value is empty";
  return "'" + text + "' is not " + std::string(expected);
}

}  // namespace

std::string check_thread_list(const std::string& text) {
  return unless(matches(text, "0*[1-9][0-9]*(,0*[1-9][0-9]*)*"), text,
                "a number of threads from 1, nor a list of one per nesting level (4,2)");
}

std::string check_bind(const std::string& text) {
  return unless(
      matches(text,
              " *(true|yes|on|1|t|[.]true[.]|[.]t[.]|enabled|false|no|off|0|f|[.]false[.]|[.]f[.]|"
              "disabled|(primary|master|close|spread)( *, *(primary|master|close|spread))*) *"),
      text, "true, false, or primary, close or spread, one per nesting level (spread,close)");
}

std::string check_places(const std::string& text) {
  // Of a list only the letters are checked: what its numbers mean depends on the machine.
  return unless(matches(text,
                        " *((threads|cores|ll_caches|numa_domains|sockets)( *\\( *[0-9]+ *\\))?"
                        "|!?[{0-9][-+{}:,! 0-9]*) *"),
                text,
                "threads, cores, ll_caches, numa_domains or sockets, perhaps with a count "
                "(cores(4)), nor a list of places ({0:4}:2)");
}

std::string check_stack_size(const std::string& text) {
  return unless(matches(text, " *[0-9]*[1-9][0-9]* *[bkmgt]? *"), text,
                "a size from 1, perhaps with B, K, M, G or T (64m)");
}

std::string check_process(const std::string& text) {
  return unless(process_number(text).has_value(), text, "the number of a process");
}

std::string check_seconds(const std::string& text) {
  return unless(matches(text, "[0-9]*[1-9][0-9]*([.][0-9]*)?|[0-9]*[.][0-9]*[1-9][0-9]*"), text,
                "a number of seconds above 0");
}

std::string check_recordings(const std::string& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  return "'" + folder + "' is neither a program nor a folder with recordings";
}

}  // namespace bobbin::cli
