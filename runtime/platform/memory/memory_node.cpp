// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/memory_node.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/atomic.h"
#include "platform/keep_errno.h"
#include "platform/small_file.h"

namespace bobbin {
namespace {

enum class Nodes : unsigned { Unknown, One, Several };

Nodes ask_system() {
  const KeepErrno keep;
  char buffer[128];
  const std::string_view list =
      read_small_file("/sys/devices/system/node/has_memory", buffer, sizeof buffer);
  // The kernel's list format: "0" or "0-3,8".
  return list.find_first_of("-,") != std::string_view::npos ? Nodes::Several : Nodes::One;
}

unsigned within_bounds(unsigned node) { return node < kMostNodes ? node : kMostNodes - 1; }

}  // namespace

bool has_several_nodes() {
  static Atomic<Nodes> known{Nodes::Unknown};
  Nodes nodes = known.load(relaxed);
  if (nodes == Nodes::Unknown) known.store(nodes = ask_system(), relaxed);
  return nodes == Nodes::Several;
}

unsigned node_here() {
  unsigned processor = 0, node = 0;
  if (!has_several_nodes() || getcpu(&processor, &node) != 0) return 0;
  return within_bounds(node);
}

int node_of(const void* address) {
  const KeepErrno keep;
  void* page = const_cast<void*>(address);
  int node = -1;
  constexpr int kThisProcess = 0;
  constexpr unsigned long kOnePage = 1;
  if (syscall(SYS_move_pages, kThisProcess, kOnePage, &page, nullptr, &node, 0) != 0) return -1;
  return node < 0 ? -1 : static_cast<int>(within_bounds(static_cast<unsigned>(node)));
}

}  // namespace bobbin
