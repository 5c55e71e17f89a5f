// SPDX-License-Identifier: Apache-2.0
#include "insight/report/profiles/profile.h"

#include <algorithm>
#include <optional>

#include "insight/report/recording_file.h"
#include "insight/report/site_keys.h"
#include "omp-tools.h"

namespace bobbin::insight {

namespace fs = std::filesystem;

const std::vector<Activity>& activities() {
  using enum SiteKind;
  static const std::vector<Activity> all = {
      {"work", "user work in regions", {Region, Loop, Sections, Single, Task}},
      {"serial", "outside of regions", {Serial}},
      {"fork", "begin and end of regions", {Fork}},
      {"task_creation", "task creation", {TaskCreation}},
      {"dependence_check", "dependence checking", {DependenceCheck}},
      {"dependence_release", "dependence release", {DependenceRelease}},
      {"reduction", "combining reductions", {Reduction}},
      {"barrier", "wait: barrier", {Barrier}},
      {"taskwait", "wait: taskwait", {Taskwait}},
      {"taskgroup", "wait: taskgroup", {Taskgroup}},
      {"dependence_wait", "wait: dependences", {DependenceWait}},
      {"critical", "wait: critical", {Critical}},
      {"lock", "wait: lock", {Lock}},
      {"ordered", "wait: ordered", {Ordered}},
      {"atomic", "wait: atomic", {Atomic}},
      {"idle", "idle between regions", {Idle}},
  };
  return all;
}

bool is_work(SiteKind kind) {
  const std::vector<SiteKind>& work = activities().front().kinds;
  return std::find(work.begin(), work.end(), kind) != work.end();
}

bool is_wait(SiteKind kind) { return kind >= SiteKind::Barrier && kind <= SiteKind::Atomic; }

double ThreadFigures::spent_on(const Activity& activity) const {
  double sum = 0;
  for (const SiteKind kind : activity.kinds) sum += spent[static_cast<unsigned>(kind)];
  return sum;
}

uint64_t ThreadFigures::deferred() const {
  return counts[static_cast<unsigned>(Count::TasksMade)] -
         counts[static_cast<unsigned>(Count::TasksInPlace)];
}

void ThreadFigures::add(const ThreadFigures& other) {
  seconds += other.seconds;
  for (unsigned i = 0; i < kSiteKinds; i++) spent[i] += other.spent[i];
  for (unsigned i = 0; i < kSiteKinds; i++) came[i] += other.came[i];
  for (unsigned i = 0; i < kCounts; i++) counts[i] += other.counts[i];
  largest_queue = std::max(largest_queue, other.largest_queue);
}

double SiteFigures::imbalance() const { return longest > 0 ? 1 - seconds / threads / longest : 0; }

ThreadFigures ProcessFigures::total() const {
  ThreadFigures sum;
  for (const ThreadFigures& thread : threads) sum.add(thread);
  return sum;
}

double ProcessFigures::imbalance() const {
  double sum = 0;
  double longest = 0;
  unsigned workers = 0;
  for (const ThreadFigures& thread : threads) {
    const double work = thread.spent_on(activities().front());
    if (work <= 0) continue;
    workers++;
    sum += work;
    longest = std::max(longest, work);
  }
  return longest > 0 ? 1 - sum / workers / longest : 0;
}

double ProcessFigures::on_processors() const {
  const ThreadFigures all = total();
  double busy = 0;
  for (unsigned i = 0; i < kSiteKinds; i++) {
    const auto kind = static_cast<SiteKind>(i);
    if (!is_wait(kind) && kind != SiteKind::Idle) busy += all.spent[i];
  }
  return processor_seconds > 0 && processor_seconds < busy ? processor_seconds / busy : 1;
}

uint64_t ProcessFigures::count(Count which) const {
  uint64_t sum = 0;
  for (const ThreadFigures& thread : threads) sum += thread.counts[static_cast<unsigned>(which)];
  return sum;
}

namespace {

// A thread that has not ended was at one site from its last event to the end of the process.
uint64_t rest_of(const SlotHeader& slot, uint64_t end) {
  return slot.state == SlotState::Live && end > slot.last ? end - slot.last : 0;
}

class Reader {
 public:
  explicit Reader(const RecordingFile& file)
      : file_(file),
        end_(file.end_ticks()),
        per_second_(file.ticks_per_ns() * 1e9),
        sites_(kSites) {}

  ProcessFigures read() {
    const FileHeader& header = file_.header();
    ProcessFigures process;
    process.process = header.process;
    process.parent = header.parent;
    process.command = file_.command();
    process.runtime = file_.runtime();
    process.ended_in_order = header.end.ticks != 0;
    process.ticks_per_ns = file_.ticks_per_ns();
    process.seconds = seconds(end_ - header.begin.ticks);
    process.processor_seconds = static_cast<double>(header.processor_ns) / 1e9;
    process.usage = header.usage;
    process.threads_lost = header.threads_lost.load(relaxed);
    process.sites_lost = header.sites_lost.load(relaxed);
    process.begin_ns = header.begin.ns;
    for (const SlotHeader* slot : file_.slots()) {
      process.threads.push_back(read_thread(*reinterpret_cast<const ThreadRecord*>(slot)));
    }
    process.start_up = start_up();
    process.sites = used_sites();
    return process;
  }

 private:
  double seconds(uint64_t ticks) const { return static_cast<double>(ticks) / per_second_; }

  double start_up() const {
    const uint64_t begin = file_.header().begin.ticks;
    uint64_t first = std::max(end_, begin);
    for (const SlotHeader* slot : file_.slots()) {
      const uint64_t own = reinterpret_cast<const ThreadRecord*>(slot)->first_region;
      if (own > begin) first = std::min(first, own);
    }
    return seconds(first - begin);
  }

  ThreadFigures read_thread(const ThreadRecord& record) {
    ThreadFigures thread;
    thread.type = record.header.thread_type;
    thread.largest_queue = record.largest_queue;
    for (unsigned i = 0; i < kCounts; i++) thread.counts[i] = record.counts[i];
    const uint64_t brief = record.counts[static_cast<unsigned>(Count::TasksBrief)];
    for (const Count all : {Count::TasksMade, Count::TasksInPlace})
      thread.counts[static_cast<unsigned>(all)] += brief;
    for (unsigned i = 0; i < kSites; i++) {
      uint64_t ticks = record.tallies[i].ticks;
      if (i == record.at.now) ticks += rest_of(record.header, end_);
      const uint64_t key = file_.fixed().sites[i].key.load(relaxed);
      const double spent = seconds(ticks);
      thread.seconds += spent;
      thread.spent[static_cast<unsigned>(kind_of(key))] += spent;
      thread.came[static_cast<unsigned>(kind_of(key))] += record.tallies[i].count;
      SiteFigures& site = sites_[i];
      site.seconds += spent;
      site.count += record.tallies[i].count;
      site.threads += spent > 0 ? 1 : 0;
      site.longest = std::max(site.longest, spent);
    }
    return thread;
  }

  std::vector<SiteFigures> used_sites() {
    std::vector<SiteFigures> used;
    std::vector<CodeAddress> addresses;
    for (unsigned i = 0; i < kSites; i++) {
      if (sites_[i].seconds <= 0 && sites_[i].count == 0) continue;
      const uint64_t key = file_.fixed().sites[i].key.load(relaxed);
      sites_[i].kind = kind_of(key);
      sites_[i].known = address_of(key) != 0;
      used.push_back(sites_[i]);
      addresses.push_back(sites_[i].known ? code_of(file_.fixed(), key) : CodeAddress{});
    }
    const std::vector<Place> places = places_of_calls(addresses);
    for (size_t i = 0; i < used.size(); i++) used[i].place = places[i];
    std::sort(used.begin(), used.end(),
              [](const SiteFigures& a, const SiteFigures& b) { return a.seconds > b.seconds; });
    return used;
  }

  const RecordingFile& file_;
  const uint64_t end_;
  const double per_second_;
  std::vector<SiteFigures> sites_;  // by number
};

// The child of a fork has a recording as soon as the parent has one.
bool has_used_openmp(const ProcessFigures& process) {
  return std::any_of(process.sites.begin(), process.sites.end(),
                     [](const SiteFigures& site) { return site.count != 0; }) ||
         process.count(Count::TasksMade) != 0;
}

}  // namespace

std::vector<ProcessFigures> read_profiles(const fs::path& folder, int main) {
  std::vector<ProcessFigures> found;
  for (const fs::path& path : recordings_in(folder)) {
    const std::optional<RecordingFile> file =
        RecordingFile::open(path, Instrument::Profile, kRecordBytes);
    if (!file) continue;
    ProcessFigures process = Reader(*file).read();
    if (process.process == main || has_used_openmp(process)) found.push_back(std::move(process));
  }
  std::sort(found.begin(), found.end(), [&](const ProcessFigures& a, const ProcessFigures& b) {
    if ((a.process == main) != (b.process == main)) return a.process == main;
    return a.begin_ns < b.begin_ns;
  });
  return found;
}

}  // namespace bobbin::insight
