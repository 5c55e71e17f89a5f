// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/machine_topology.h"
#include "platform/processors/topology_builder.h"
#include "platform/small_file.h"

namespace bobbin {
namespace {

// Much shorter than PATH_MAX: with KMP_HW_SUBSET the first thread to use OpenMP runs this, and that
// thread may have a very small stack.
using Path = Text<512>;

// The kernel's list format: "0-3,8,10-11". False when it is malformed or empty.
bool read_cpu_list(const char* path, CpuSet& set) {
  char buffer[4096];
  Scanner scan(read_small_file(path, buffer, sizeof buffer));
  do {
    std::uint64_t first, last;
    if (!scan.number(first)) return false;
    last = first;
    if (scan.eat('-') && !scan.number(last)) return false;
    for (std::uint64_t cpu = first; cpu <= last && cpu < kMaxCpus; ++cpu) {
      set.add(static_cast<unsigned>(cpu));
    }
  } while (scan.eat(','));
  return true;
}

bool read_first_cpu(const char* path, unsigned& first) {
  CpuSet set;
  if (!read_cpu_list(path, set)) return false;
  first = set.next(0);
  return true;
}

bool is_instruction_cache(const TopologyFiles& files, unsigned cpu, unsigned index) {
  Path path;
  path.format("%s/cpu%u/cache/index%u/type", files.cpu_directory, cpu, index);
  char buffer[32];
  return starts_with(read_small_file(path.c_str(), buffer, sizeof buffer), "Instruction");
}

// A cache is named by the first processor that shares it. Without caches in /sys (some virtual
// machines) a package counts as one.
unsigned last_level_cache(const TopologyFiles& files, unsigned cpu, unsigned otherwise) {
  constexpr unsigned kMaxIndices = 16;
  std::int64_t highest = 0;
  unsigned result = otherwise;
  for (unsigned index = 0; index < kMaxIndices; ++index) {
    Path level_path;
    level_path.format("%s/cpu%u/cache/index%u/level", files.cpu_directory, cpu, index);
    std::int64_t level;
    if (!read_number_file(level_path.c_str(), level)) break;
    if (level <= highest || is_instruction_cache(files, cpu, index)) continue;
    Path shared_path;
    shared_path.format("%s/cpu%u/cache/index%u/shared_cpu_list", files.cpu_directory, cpu, index);
    if (read_first_cpu(shared_path.c_str(), result)) highest = level;
  }
  return result;
}

void assign_numa_nodes(const TopologyFiles& files, TopologyBuilder& builder) {
  Path online_path;
  online_path.format("%s/online", files.node_directory);
  CpuSet nodes;
  if (!read_cpu_list(online_path.c_str(), nodes)) return;
  nodes.each([&](unsigned node) {
    Path path;
    path.format("%s/node%u/cpulist", files.node_directory, node);
    CpuSet members;
    if (!read_cpu_list(path.c_str(), members)) return;  // a node of memory only
    for (unsigned i = 0; i < builder.count; ++i) {
      Processor& processor = builder.processors[i];
      if (members.has(processor.cpu)) processor.numa = node;
    }
  });
}

constexpr unsigned kFull = 1024;  // the capacity of the fastest core

// Without a file all cores are as fast as can be.
unsigned capacity_of(const TopologyFiles& files, unsigned cpu) {
  Path path;
  path.format("%s/cpu%u/cpu_capacity", files.cpu_directory, cpu);
  std::int64_t capacity;
  const bool known = read_number_file(path.c_str(), capacity) && capacity > 0 && capacity < kFull;
  return known ? static_cast<unsigned>(capacity) : kFull;
}

// Before Linux 6.12 the kernel does not tell the capacities of Intel's cores, but which are slow.
void slow_down(const TopologyFiles& files, TopologyBuilder& builder) {
  CpuSet slow;
  if (!read_cpu_list(files.slow_cores, slow)) return;
  for (unsigned i = 0; i < builder.count; ++i) {
    Processor& processor = builder.processors[i];
    if (slow.has(processor.cpu) && processor.speed == kFull) processor.speed = kFull / 2;
  }
}

bool read_processor(const TopologyFiles& files, unsigned cpu, Processor& processor) {
  processor.cpu = cpu;
  Path package_path;
  package_path.format("%s/cpu%u/topology/physical_package_id", files.cpu_directory, cpu);
  std::int64_t package;
  if (!read_number_file(package_path.c_str(), package)) return false;
  processor.package = static_cast<unsigned>(package);

  // core_cpus_list is the newer name (Linux 5.3).
  bool found = false;
  for (const char* name : {"core_cpus_list", "thread_siblings_list"}) {
    Path path;
    path.format("%s/cpu%u/topology/%s", files.cpu_directory, cpu, name);
    found = found || read_first_cpu(path.c_str(), processor.core);
  }
  if (!found) return false;
  processor.cache = last_level_cache(files, cpu, 0);
  processor.speed = capacity_of(files, cpu);
  return true;
}

}  // namespace

bool load_topology_from_sys(const CpuSet& mask, const TopologyFiles& files, Topology& topology) {
  TopologyBuilder builder(mask.count());
  if (builder.processors == nullptr) return false;
  bool complete = true;
  mask.each([&](unsigned cpu) {
    Processor processor;
    complete = complete && read_processor(files, cpu, processor);
    if (complete) builder.add(processor);
  });
  if (!complete) return false;
  assign_numa_nodes(files, builder);
  slow_down(files, builder);
  builder.rank_speeds();
  builder.finish(topology);
  return true;
}

}  // namespace bobbin
