// SPDX-License-Identifier: Apache-2.0
#include "insight/report/spans/span.h"

#include <algorithm>
#include <optional>

#include "insight/report/recording_file.h"
#include "insight/report/site_keys.h"
#include "insight/report/spans/hand_over.h"
#include "insight/span/span_record.h"

namespace bobbin::insight {

namespace fs = std::filesystem;

namespace {

class Reader {
 public:
  explicit Reader(const RecordingFile& file)
      : file_(file), per_second_(file.ticks_per_ns() * 1e9) {}

  SpanFigures read(const SpanRecord& record) {
    SpanFigures process;
    process.ticks_per_ns = file_.ticks_per_ns();
    process.process = file_.header().process;
    process.command = file_.command();
    process.runtime = file_.runtime();
    process.work = seconds(record.work);
    process.span = seconds(record.span);
    process.tasks = record.tasks;
    process.hand_overs = record.hand_overs;
    process.in_mutex = seconds(record.mutex_ticks);
    std::vector<CodeAddress> addresses;
    for (unsigned i = 0; i < kSites; i++) read_site(i, record.sites[i], process, addresses);
    addresses.push_back(code_of(file_.fixed(), key_of(record.mutex_site)));
    const std::vector<Place> places = places_of_calls(addresses);
    for (size_t i = 0; i < process.sites.size(); i++) process.sites[i].place = places[i];
    process.mutex = places.back();
    std::sort(process.sites.begin(), process.sites.end(), [](const auto& a, const auto& b) {
      return a.on_path != b.on_path ? a.on_path > b.on_path : a.work > b.work;
    });
    process.path_known = std::any_of(process.sites.begin(), process.sites.end(),
                                     [](const SpanSite& site) { return site.on_path > 0; });
    return process;
  }

 private:
  double seconds(uint64_t ticks) const { return static_cast<double>(ticks) / per_second_; }
  uint64_t key_of(SiteNumber site) const {
    return file_.fixed().sites[site % kSites].key.load(relaxed);
  }

  void read_site(unsigned number, const SiteSpan& from, SpanFigures& process,
                 std::vector<CodeAddress>& addresses) const {
    if (from.work == 0 && from.count == 0) return;
    SpanSite site;
    site.number = number;
    site.kind = kind_of(key_of(static_cast<SiteNumber>(number)));
    site.known = number >= kSiteKinds;
    site.count = from.count;
    site.work = seconds(from.work);
    site.on_path = seconds(from.on_path);
    site.longest = seconds(from.longest);
    site.whole_work = seconds(from.whole_work);
    site.whole_span = seconds(from.whole_span);
    process.sites.push_back(site);
    addresses.push_back(site.known ? code_of(file_.fixed(), key_of(static_cast<SiteNumber>(number)))
                                   : CodeAddress{});
  }

  const RecordingFile& file_;
  const double per_second_;
};

}  // namespace

double SpanFigures::at_most(unsigned processors) const {
  const double least = std::max({work / processors, span, in_mutex});
  return least > 0 ? work / least : 1;
}

double SpanFigures::at_least(unsigned processors) const {
  const double most = work / processors + burdened_span() * (processors - 1) / processors;
  return std::min(at_most(processors), most > 0 ? work / std::max(most, in_mutex) : 1);
}

std::vector<SpanFigures> read_spans(const fs::path& folder, int main) {
  std::vector<SpanFigures> found;
  for (const fs::path& path : recordings_in(folder)) {
    const std::optional<RecordingFile> file =
        RecordingFile::open(path, Instrument::Span, kSpanRecordBytes);
    if (!file || file->slots().empty()) continue;
    SpanFigures process =
        Reader(*file).read(*reinterpret_cast<const SpanRecord*>(file->slots().front()));
    process.recording = path;
    const bool used = std::any_of(process.sites.begin(), process.sites.end(),
                                  [](const SpanSite& site) { return site.count != 0; });
    if (used || process.process == main) found.push_back(std::move(process));
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](const SpanFigures& process) { return process.process == main; });
  const double hand_over = found.empty() ? 0 : measured_hand_over();
  for (SpanFigures& process : found) process.hand_over = hand_over;
  return found;
}

}  // namespace bobbin::insight
