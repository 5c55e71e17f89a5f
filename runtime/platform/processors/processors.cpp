// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/processors.h"

#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <climits>
#include <cstring>

#include "platform/small_file.h"
#include "platform/text.h"

namespace bobbin {
namespace {

// Paths are long, and a thread that uses OpenMP may have a very small stack. So the path buffers
// are static.

enum class CgroupVersion { One, Two };

// The cpu controller's cgroup of this process in one hierarchy, as /proc/self/cgroup names it.
struct CgroupPath {
  bool found = false;
  char text[PATH_MAX] = {};
  std::size_t length = 0;

  void set(std::string_view path) {
    found = path.size() < sizeof text;
    if (!found) return;
    if (!path.empty()) std::memcpy(text, path.data(), path.size());
    length = path.size();
  }
  std::string_view view() const { return {text, length}; }
};

std::string_view next_field(std::string_view& line, char separator) {
  std::size_t end = 0;
  while (end < line.size() && line[end] != separator) ++end;
  const std::string_view field{line.data(), end};
  line = slice(line, end + 1);
  return field;
}

bool list_has(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    if (next_field(list, ',') == item) return true;
  }
  return false;
}

// mountinfo writes space, tab, newline and backslash as three octal digits after a backslash.
void add_unescaped(TextOut& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out.add(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                (text[i + 3] - '0')));
      i += 3;
    } else {
      out.add(text[i]);
    }
  }
}

unsigned quota_of(std::int64_t quota, std::int64_t period) {
  if (quota <= 0 || period <= 0) return 0;
  const std::int64_t processors = quota / period + (quota % period != 0 ? 1 : 0);
  return processors > INT_MAX ? 0 : static_cast<unsigned>(processors);
}

unsigned lesser_quota(unsigned a, unsigned b) {
  if (a == 0) return b;
  if (b == 0) return a;
  return a < b ? a : b;
}

unsigned quota_in_directory(CgroupVersion version, const char* directory) {
  static char room[PATH_MAX + 32];
  TextOut path(room, sizeof room);
  if (version == CgroupVersion::Two) {
    path.format("%s/cpu.max", directory);
    char buffer[64];
    Scanner scan(read_small_file(path.c_str(), buffer, sizeof buffer));
    std::int64_t quota, period;
    // "max PERIOD" means no quota.
    return scan.integer(quota) && scan.integer(period) ? quota_of(quota, period) : 0;
  }
  std::int64_t quota, period;
  path.format("%s/cpu.cfs_quota_us", directory);
  if (!read_number_file(path.c_str(), quota)) return 0;
  TextOut period_path(room, sizeof room);
  period_path.format("%s/cpu.cfs_period_us", directory);
  return read_number_file(period_path.c_str(), period) ? quota_of(quota, period) : 0;
}

// The least quota from the process's cgroup up to the mount point. A mount may show only a part of
// the hierarchy (its root, the fourth field of mountinfo). A process can be outside of that part,
// for example in a container that has the host's /proc/self/cgroup. Then the mount point itself is
// read.
unsigned quota_below(CgroupVersion version, std::string_view root, std::string_view mount_point,
                     std::string_view cgroup) {
  static char room[PATH_MAX];
  TextOut directory(room, sizeof room);
  add_unescaped(directory, mount_point);
  const std::size_t top = directory.length();
  if (root != "/" && starts_with(cgroup, root) &&
      (cgroup.size() == root.size() || cgroup[root.size()] == '/')) {
    directory.add(slice(cgroup, root.size()));
  } else if (root == "/" && !starts_with(cgroup, "/..")) {
    directory.add(cgroup);
  }
  if (directory.truncated()) return 0;

  static char path[PATH_MAX];
  std::size_t length = directory.length();
  std::memcpy(path, directory.c_str(), length + 1);
  unsigned least = 0;
  for (;;) {
    while (length > top && path[length - 1] == '/') --length;
    path[length] = '\0';
    least = lesser_quota(least, quota_in_directory(version, path));
    if (length <= top) return least;
    while (length > top && path[length - 1] != '/') --length;
  }
}

// Is a hierarchy of that file system mounted at `mount`, and does it contain this group under its
// whole name? In a container without a cgroup namespace the mount shows only a part, and
// /proc/self/cgroup names the group as seen from outside.
bool shows_group(const char* mount, long type, std::string_view cgroup) {
  struct statfs info;
  if (statfs(mount, &info) != 0 || info.f_type != type) return false;
  static char room[PATH_MAX];
  TextOut directory(room, sizeof room);
  directory.add(mount);
  directory.add(cgroup);
  return access(directory.c_str(), F_OK) == 0;
}

}  // namespace

unsigned cgroup_quota(const CgroupFiles& files) {
  static CgroupPath one, two;
  one.found = two.found = false;
  bool named = false;
  each_line(files.self_cgroup, [&](std::string_view line) {
    named = true;
    // hierarchy:controllers:path
    const std::string_view hierarchy = next_field(line, ':');
    const std::string_view controllers = next_field(line, ':');
    if (hierarchy == "0" && controllers.empty()) two.set(line);
    if (list_has(controllers, "cpu")) one.set(line);
    return true;
  });
  if (!named) return kUnknownQuota;
  if (!one.found && !two.found) return 0;
  // A controller belongs to one hierarchy only: where version 1 has it, version 2 has no cpu.max.
  const CgroupVersion version = one.found ? CgroupVersion::One : CgroupVersion::Two;
  const std::string_view group = (one.found ? one : two).view();
  const char* usual_mount = one.found ? files.v1_mount : files.v2_mount;
  if (shows_group(usual_mount, one.found ? files.v1_type : files.v2_type, group)) {
    return quota_below(version, "/", usual_mount, group);
  }

  unsigned least = 0;
  each_line(files.mountinfo, [&](std::string_view line) {
    // id parent device root mount-point options [tags...] - type source super-options
    for (int i = 0; i < 3; ++i) next_field(line, ' ');
    const std::string_view root = next_field(line, ' ');
    const std::string_view mount_point = next_field(line, ' ');
    while (!line.empty() && next_field(line, ' ') != "-") {
    }
    const std::string_view type = next_field(line, ' ');
    next_field(line, ' ');
    if (two.found && type == "cgroup2") {
      least = lesser_quota(least, quota_below(CgroupVersion::Two, root, mount_point, two.view()));
    } else if (one.found && type == "cgroup" && list_has(line, "cpu")) {
      least = lesser_quota(least, quota_below(CgroupVersion::One, root, mount_point, one.view()));
    }
    return true;
  });
  return least;
}

// The system call itself. glibc's wrapper differs only in errno, and a program may interpose it.
// The call writes no more than the kernel's own mask, so the rest of our mask stays empty.
CpuSet affinity_mask_of(pid_t thread) {
  CpuSet mask;
  return syscall(SYS_sched_getaffinity, thread, sizeof mask, mask.data()) > 0 ? mask : CpuSet{};
}

namespace {

constexpr pid_t kCaller = 0;

// Written once, when the environment is read.
constinit CpuSet process_set;
constinit bool confined = false;

bool set_mask_of(pid_t thread, const CpuSet& mask) {
  return syscall(SYS_sched_setaffinity, thread, sizeof mask, mask.data()) == 0;
}

bool confine(pid_t thread, const CpuSet& processors) {
  CpuSet mask = affinity_mask_of(thread);
  mask.intersect(processors);
  return set_mask_of(thread, mask.empty() ? processors : mask);
}

}  // namespace

CpuSet affinity_mask() {
  CpuSet mask = affinity_mask_of(kCaller);
  if (mask.empty()) mask.add(0);
  return mask;
}

bool set_affinity_mask(const CpuSet& mask) { return set_mask_of(kCaller, mask); }

const CpuSet& process_mask() {
  if (process_set.empty()) process_set = affinity_mask_of(getpid());
  if (process_set.empty()) process_set = affinity_mask();
  return process_set;
}

bool confine_process(const CpuSet& processors) {
  if (!confine(kCaller, processors)) return false;
  const bool is_initial = syscall(SYS_gettid) == getpid();
  if (!is_initial && !confine(getpid(), processors)) return false;
  process_set = processors;
  confined = true;
  return true;
}

bool process_is_confined() { return confined; }

UsableProcessors usable_processors() {
  const unsigned quota = cgroup_quota();
  return {process_mask().count(), quota != kUnknownQuota ? quota : 0};
}

}  // namespace bobbin
