// SPDX-License-Identifier: Apache-2.0
//
// hwloc knows machines that /sys describes badly. It is opened by name at run time and locally. So
// libbobbin does not depend on it and does not pay for it at start-up. libbobbin also does not
// offer hwloc's symbols to the program, and does not replace the hwloc that the program brings.
#include "platform/loader/loader.h"
#include "platform/loader/own_imports.h"
#include "platform/processors/machine_topology.h"
#include "platform/processors/topology_builder.h"
#include "platform/raised_privileges.h"

#if __has_include(<hwloc.h>)

#include <dlfcn.h>
#include <hwloc.h>
#include <link.h>

static_assert(HWLOC_API_VERSION >= 0x00020000, "libhwloc.so.15 is version 2");

namespace bobbin {
namespace {

struct Hwloc {
  decltype(&hwloc_topology_init) topology_init = nullptr;
  decltype(&hwloc_topology_load) topology_load = nullptr;
  decltype(&hwloc_topology_destroy) topology_destroy = nullptr;
  decltype(&hwloc_topology_set_io_types_filter) set_io_types_filter = nullptr;
  decltype(&hwloc_get_type_depth) get_type_depth = nullptr;
  decltype(&hwloc_get_nbobjs_by_depth) get_nbobjs_by_depth = nullptr;
  decltype(&hwloc_get_obj_by_depth) get_obj_by_depth = nullptr;
  decltype(&hwloc_bitmap_first) bitmap_first = nullptr;
  // From 2.1 on; not required.
  int (*set_components)(hwloc_topology_t, unsigned long, const char*) = nullptr;
  // From 2.4 on; not required.
  int (*kind_of)(hwloc_topology_t, hwloc_const_bitmap_t, unsigned long) = nullptr;
  int (*about_kind)(hwloc_topology_t, unsigned, hwloc_bitmap_t, int* efficiency, unsigned*,
                    struct hwloc_info_s**, unsigned long) = nullptr;

  template <class F>
  static bool bind(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function != nullptr;
  }

  // Is there no other hwloc in the program? The functions of hwloc call each other by name, and
  // names are looked up in the program first. An old version there, or one that is linked
  // statically and exported, would be called with structures that are not its own.
  bool is_alone() const {
    void* first = dlsym(RTLD_DEFAULT, "hwloc_topology_init");
    return first == nullptr || first == reinterpret_cast<void*>(topology_init);
  }

  // It calls the C library, and not the program's functions of the same names.
  static void bind_imports(void* library) {
    link_map* object = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &object) != 0) return;
    AskingLoader asking;
    dl_iterate_phdr(
        [](dl_phdr_info*, std::size_t, void* map) {
          bind_imports_of(*static_cast<const link_map*>(map));
          return 1;
        },
        object);
  }

  bool open() {
    constexpr const char* kName = "libhwloc.so.15";
    const bool is_programs = dlopen(kName, RTLD_LAZY | RTLD_NOLOAD) != nullptr;
    void* library = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    if (!is_programs) bind_imports(library);
    bind(library, "hwloc_topology_set_components", set_components);
    bind(library, "hwloc_cpukinds_get_by_cpuset", kind_of);
    bind(library, "hwloc_cpukinds_get_info", about_kind);
    return bind(library, "hwloc_topology_init", topology_init) && is_alone() &&
           bind(library, "hwloc_topology_load", topology_load) &&
           bind(library, "hwloc_topology_destroy", topology_destroy) &&
           bind(library, "hwloc_topology_set_io_types_filter", set_io_types_filter) &&
           bind(library, "hwloc_get_type_depth", get_type_depth) &&
           bind(library, "hwloc_get_nbobjs_by_depth", get_nbobjs_by_depth) &&
           bind(library, "hwloc_get_obj_by_depth", get_obj_by_depth) &&
           bind(library, "hwloc_bitmap_first", bitmap_first);
  }
};

constexpr unsigned long kBlacklist = 1;  // HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST

bool is_data_cache(hwloc_obj_type_t type) {
  return type >= HWLOC_OBJ_L1CACHE && type <= HWLOC_OBJ_L5CACHE;
}

// hwloc ranks the kinds of cores: those with the larger number are faster and less efficient. 0 if
// all are equal, or the order is not known.
unsigned speed_of(const Hwloc& hwloc, hwloc_topology_t tree, hwloc_obj_t unit) {
  if (hwloc.kind_of == nullptr || hwloc.about_kind == nullptr) return 0;
  const int kind = hwloc.kind_of(tree, unit->cpuset, 0);
  int rank = 0;
  if (kind < 0 || hwloc.about_kind(tree, static_cast<unsigned>(kind), nullptr, &rank, nullptr,
                                   nullptr, 0) != 0) {
    return 0;
  }
  return rank > 0 ? static_cast<unsigned>(rank) : 0;
}

Processor processor_of(const Hwloc& hwloc, hwloc_topology_t tree, hwloc_obj_t unit) {
  Processor processor;
  processor.speed = speed_of(hwloc, tree, unit);
  processor.cpu = unit->os_index;
  processor.core = unit->logical_index;  // unless it lies in a core object
  const int node = unit->nodeset != nullptr ? hwloc.bitmap_first(unit->nodeset) : -1;
  processor.numa = node < 0 ? 0 : static_cast<unsigned>(node);
  for (hwloc_obj_t above = unit->parent; above != nullptr; above = above->parent) {
    if (above->type == HWLOC_OBJ_CORE) processor.core = above->logical_index;
    if (above->type == HWLOC_OBJ_PACKAGE) processor.package = above->logical_index;
    if (is_data_cache(above->type)) processor.cache = above->logical_index;
  }
  return processor;
}

bool collect(const Hwloc& hwloc, hwloc_topology_t tree, const CpuSet& mask, Topology& topology) {
  const int depth = hwloc.get_type_depth(tree, HWLOC_OBJ_PU);
  const unsigned units = hwloc.get_nbobjs_by_depth(tree, depth);
  const unsigned wanted = mask.count();
  TopologyBuilder builder(wanted);
  if (builder.processors == nullptr) return false;
  for (unsigned i = 0; i < units && builder.count < wanted; ++i) {
    hwloc_obj_t unit = hwloc.get_obj_by_depth(tree, depth, i);
    if (mask.has(unit->os_index)) builder.add(processor_of(hwloc, tree, unit));
  }
  if (builder.count != wanted) return false;
  builder.finish(topology);
  return true;
}

}  // namespace

bool load_topology_from_hwloc(const CpuSet& mask, Topology& topology) {
  Hwloc hwloc;
  hwloc_topology_t tree;
  if (has_raised_privileges()) return false;  // its variables name plug-ins and files
  if (!hwloc.open() || hwloc.topology_init(&tree) != 0) return false;
  hwloc.set_io_types_filter(tree, HWLOC_TYPE_FILTER_KEEP_NONE);
  // This component binds the calling thread to each processor in turn.
  if (hwloc.set_components != nullptr) hwloc.set_components(tree, kBlacklist, "x86");
  const bool loaded = hwloc.topology_load(tree) == 0 && collect(hwloc, tree, mask, topology);
  hwloc.topology_destroy(tree);
  return loaded;
}

}  // namespace bobbin

#else

namespace bobbin {
bool load_topology_from_hwloc(const CpuSet&, Topology&) { return false; }
}  // namespace bobbin

#endif
