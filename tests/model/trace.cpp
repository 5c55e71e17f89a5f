// SPDX-License-Identifier: Apache-2.0
#include "model/trace.h"

#include <cstdio>
#include <cstring>

namespace bobbin::model {
namespace {

const char* text(Op op) {
  switch (op) {
    case Op::Create:
      return "create";
    case Op::Load:
      return "load";
    case Op::Store:
      return "store";
    case Op::Update:
      return "update";
    case Op::CasFailed:
      return "cas failed";
    case Op::Fence:
      return "fence";
    case Op::Spin:
      return "spin";
    case Op::Choose:
      return "choose";
    case Op::Wait:
      return "futex wait";
    case Op::Wake:
      return "futex wake";
    case Op::Woken:
      return "woken";
    case Op::TimedOut:
      return "timed out";
    case Op::PlainRead:
      return "read";
    case Op::PlainWrite:
      return "write";
    case Op::Spawn:
      return "spawn";
    case Op::Join:
      return "join";
    case Op::End:
      return "end";
    case Op::Allocate:
      return "allocate";
    case Op::Free:
      return "free";
  }
  return "?";
}

const char* text(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
      return "consume";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

bool has_order(Op op) {
  return op == Op::Load || op == Op::Store || op == Op::Update || op == Op::CasFailed ||
         op == Op::Fence;
}

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

}  // namespace

std::string print_trace(const std::vector<Event>& events, Memory& memory) {
  std::string out;
  char line[256];
  for (const Event& event : events) {
    char object[64] = "";
    if (event.location != kNoLocation) {
      const char* name = memory.location(event.location).name;
      std::snprintf(object, sizeof object, " #%u%s%s", event.location, name ? " " : "",
                    name ? name : "");
    }
    char stale[32] = "";
    if (event.stale != 0) std::snprintf(stale, sizeof stale, " (%u older)", event.stale);
    std::snprintf(line, sizeof line, "  %*sT%d %s%s = %#llx%s %s  [%s:%u]\n", 4 * event.thread, "",
                  event.thread, text(event.op), object,
                  static_cast<unsigned long long>(event.value), stale,
                  has_order(event.op) ? text(event.order) : "", base_name(event.where.file_name()),
                  static_cast<unsigned>(event.where.line()));
    out += line;
  }
  return out;
}

}  // namespace bobbin::model
