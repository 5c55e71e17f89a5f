// SPDX-License-Identifier: Apache-2.0
#include "task/depend/graph_ports.h"

#include <cstdlib>
#include <new>

#include "task/memory/bulk.h"
#include "task/model/completion.h"

namespace bobbin {

GraphPorts* make_ports(Member& member, Task& task, Impex impex, size_t count) {
  void* block = malloc(sizeof(GraphPorts) + count * sizeof(GraphPort));
  if (block == nullptr) return nullptr;
  auto* ports = new (block) GraphPorts{&task, impex, member.team, GraphPorts::units_of(count)};
  add_bulk(member, ports->own_units);
  return ports;
}

void destroy_ports(GraphPorts* ports) {
  remove_bulk(*ports->team, ports->own_units);
  free(ports);
}

void leave_entry(const GraphPort& port) {
  GraphPorts& all = *port.all;
  if (all.pending_entries.fetch_sub(1, acq_rel) == 1) drop_reference(all.task);
}

}  // namespace bobbin
