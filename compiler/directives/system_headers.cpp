// SPDX-License-Identifier: Apache-2.0
#include "directives/system_headers.h"

#include <string>
#include <string_view>

namespace bobbin::translate {

const DirectiveRow SystemHeaders::kLeftOut = {
    "nothing", "5.1", Association::Declaration, {Leaf::Assume}, {}};

void SystemHeaders::read(const Token& pragma, std::vector<Directive>& found) {
  const std::string_view text = source_(pragma);
  if (text.find("begin declare variant") != std::string_view::npos && depth_++ == 0) {
    begin_ = pragma.begin;
  }
  const bool ends = depth_ > 0 && text.find("end declare variant") != std::string_view::npos;
  if (ends) --depth_;
  if (depth_ > 0) return;
  Directive left_out;
  left_out.row = &kLeftOut;
  left_out.begin = ends ? begin_ : pragma.begin;
  left_out.end = pragma.end;
  left_out.name_end = left_out.begin;
  left_out.text = std::string(text);
  found.push_back(std::move(left_out));
}

}  // namespace bobbin::translate
