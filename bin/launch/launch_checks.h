// SPDX-License-Identifier: Apache-2.0
//
// Whether the value of an option is one that the runtime understands. An option is typed for this
// one run, so a wrong value is an error; the runtime only warns about a variable's value.
#pragma once

#include <string>

namespace bobbin::cli {

// Each returns what is wrong, or nothing.
std::string check_thread_list(const std::string& text);
std::string check_bind(const std::string& text);
std::string check_places(const std::string& text);
std::string check_stack_size(const std::string& text);
std::string check_process(const std::string& text);
std::string check_seconds(const std::string& text);
std::string check_recordings(const std::string& folder);

}  // namespace bobbin::cli
