// SPDX-License-Identifier: Apache-2.0
#include "insight/report/timeline/timeline.h"

#include <algorithm>
#include <unordered_map>

#include "insight/report/profiles/profile.h"
#include "insight/report/recording_file.h"
#include "insight/report/site_keys.h"
#include "insight/report/timeline/slice_stack.h"
#include "insight/report/timeline/worker_tracks.h"
#include "insight/trace/events.h"

namespace bobbin::insight {
namespace {

struct Change {
  uint64_t time;
  int by;
};

// The events of a slot that are there, the oldest first.
class Ring {
 public:
  Ring(const SlotHeader& header, uint32_t slot_bytes)
      : places_(ring_places(slot_bytes)),
        written_(reinterpret_cast<const TraceSlot&>(header).written.load(acquire)),
        events_(reinterpret_cast<const Event*>(reinterpret_cast<const std::byte*>(&header) +
                                               kRingAt)) {}

  uint64_t first() const { return written_ > places_ ? written_ - places_ : 0; }
  uint64_t end() const { return written_; }
  const Event& operator[](uint64_t number) const { return events_[number & (places_ - 1)]; }

 private:
  uint64_t places_;
  uint64_t written_;
  const Event* events_;
};

class Reader {
 public:
  Reader(const RecordingFile& file, uint64_t last_ns)
      : file_(file), ns_per_tick_(1 / file.ticks_per_ns()) {
    const FileHeader& header = file.header();
    made_.process = header.process;
    made_.command = file.command();
    made_.begin_ns = header.begin.ns;
    made_.ended_in_order = header.end.ticks != 0;
    made_.threads_lost = header.threads_lost.load(relaxed);
    made_.end = time_of(file.end_ticks() - header.begin.ticks);
    from_ = last_ns != 0 && last_ns < made_.end ? made_.end - last_ns : 0;
  }

  Timeline read() {
    const std::vector<const SlotHeader*> slots = file_.slots();
    for (const SlotHeader* slot : slots) {
      if (slot->thread_type < kFirstWorker) add_thread(*slot);
    }
    for (const SlotHeader* slot : slots) {
      if (slot->thread_type >= kFirstWorker) add_worker(*slot);
    }
    made_.wake_ups = wake_ups(wakes_, made_.threads, made_.workers);
    name_sites();
    made_.tasks.assign(stories_.begin(), stories_.end());
    std::sort(made_.tasks.begin(), made_.tasks.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    count_waiting_tasks();
    made_.threads_working = samples(working_);
    return std::move(made_);
  }

 private:
  uint64_t time_of(uint64_t ticks) const {
    return static_cast<uint64_t>(static_cast<double>(ticks) * ns_per_tick_);
  }

  unsigned number_of(const SlotHeader& slot) const {
    const FileHeader& header = file_.header();
    return static_cast<unsigned>((reinterpret_cast<const std::byte*>(&slot) -
                                  reinterpret_cast<const std::byte*>(&header) -
                                  static_cast<ptrdiff_t>(kSlotsAt)) /
                                 header.slot_bytes);
  }

  // From the first event that is wanted on.
  template <class Visit>
  void replay(const Ring& ring, Visit&& visit) const {
    uint64_t now = 0;
    for (uint64_t number = ring.first(); number < ring.end(); number++) {
      // A processor's counter may be behind the one on which the thread was before.
      now = std::max(now, time_of(ring[number].time()));
      if (now >= from_) visit(number, now);
    }
  }

  void add_worker(const SlotHeader& slot) {
    const Ring ring(slot, file_.header().slot_bytes);
    std::vector<WorkerChange> changes;
    replay(ring, [&](uint64_t number, uint64_t now) {
      const Event& event = ring[number];
      changes.push_back(
          {now, event.type() == EventType::Carries, event.type() == EventType::Sleeps, event.id()});
    });
    made_.workers.push_back({number_of(slot),
                             static_cast<unsigned>(slot.thread_type - kFirstWorker), ring.first(),
                             worker_slices(changes, made_.end, made_.threads)});
  }

  void add_thread(const SlotHeader& slot) {
    const FileHeader& header = file_.header();
    const Ring ring(slot, header.slot_bytes);
    TimelineThread thread;
    thread.number = number_of(slot);
    thread.type = slot.thread_type;
    thread.overwritten = ring.first();
    uint64_t number = ring.first();
    while (number < ring.end() && time_of(ring[number].time()) < from_) number++;
    const bool is_cut = number != 0;
    uint64_t begin = time_of(slot.begin > header.begin.ticks ? slot.begin - header.begin.ticks : 0);
    if (is_cut && number < ring.end()) begin = time_of(ring[number].time());
    SliceStack stack(thread.slices, begin);
    bool works = false;
    uint64_t now = begin;
    for (; number < ring.end(); number++) {
      const Event& event = ring[number];
      // A processor's counter may be behind the one on which the thread was before.
      now = std::max(now, time_of(event.time()));
      stack.replay(event, now);
      note_transfer(event, {thread.number, now});
      note_task(event, {thread.number, now}, number + 1 < ring.end() ? &ring[number + 1] : nullptr);
      if (stack.working() != works) {
        works = !works;
        working_.push_back({now, works ? 1 : -1});
      }
    }
    const bool ended = slot.state == SlotState::Ended;
    const uint64_t last = slot.last > header.begin.ticks ? slot.last - header.begin.ticks : 0;
    now = std::max(now, ended ? time_of(last) : made_.end);
    stack.close_all(now);
    if (works) working_.push_back({now, -1});
    made_.threads.push_back(std::move(thread));
  }

  void note_transfer(const Event& event, Point at) {
    if (event.type() == EventType::Wake) wakes_.push_back({at, event.id()});
    if (event.type() == EventType::Steal) stolen_ = event.id() >> kSlotBits;
    if (event.type() == EventType::ImplicitBegin) stolen_ = 0;
  }

  // The thread begins a task. Is it one of those that it has stolen? They are tasks of others.
  bool takes_stolen(uint64_t task, unsigned thread) {
    if (stolen_ == 0 || task >> kTaskBits == thread) return false;
    stolen_--;
    return true;
  }

  void note_task(const Event& event, Point at, const Event* next) {
    switch (event.type()) {
      case EventType::TaskCreate: {
        TaskStory& story = stories_[event.id()];
        story.created = at;
        story.at_once =
            next != nullptr && next->type() == EventType::TaskBegin && next->id() == event.id();
        break;
      }
      case EventType::TaskBegin:
        stories_[event.id()].begun = at;
        stories_[event.id()].stolen = takes_stolen(event.id(), at.thread);
        break;
      case EventType::TaskEnd:
        stories_[event.id()].ended = at;
        break;
      case EventType::DependenceFrom:
        if (next != nullptr && next->type() == EventType::DependenceTo) {
          made_.dependences.push_back({event.id(), next->id()});
        }
        break;
      default:
        break;
    }
  }

  // The names of the sites that slices have, such as `task fib.c:12 (fib)`.
  void name_sites() {
    std::vector<bool> used(kSites);
    for (const TimelineThread& thread : made_.threads) {
      for (const Slice& slice : thread.slices) used[slice.site] = true;
    }
    made_.site_names.resize(kSites);
    std::vector<SiteNumber> numbers;
    std::vector<CodeAddress> addresses;
    for (unsigned i = 0; i < kSites; i++) {
      if (!used[i]) continue;
      const uint64_t key = file_.fixed().sites[i].key.load(relaxed);
      made_.site_names[i] = name_of(kind_of(key));
      if (i < kSiteKinds) continue;
      numbers.push_back(static_cast<SiteNumber>(i));
      addresses.push_back(code_of(file_.fixed(), key));
    }
    const std::vector<Place> places = places_of_calls(addresses);
    for (size_t i = 0; i < numbers.size(); i++) {
      made_.site_names[numbers[i]] += " " + places[i].text();
    }
  }

  // Tasks of which only the creation or only the begin is known would stay in the count.
  void count_waiting_tasks() {
    std::vector<Change> changes;
    for (const auto& [id, story] : made_.tasks) {
      if (!story.created || !story.begun) continue;
      changes.push_back({story.created->time, 1});
      changes.push_back({std::max(story.begun->time, story.created->time), -1});
    }
    made_.tasks_waiting = samples(changes);
  }

  // At most so many values of a counter that nobody could tell from all of them in a picture.
  std::vector<Sample> samples(std::vector<Change>& changes) const {
    constexpr uint64_t kMost = 20'000;
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return a.time != b.time ? a.time < b.time : a.by > b.by;
    });
    std::vector<Sample> made;
    const uint64_t apart =
        changes.empty() ? 0 : (changes.back().time - changes.front().time) / kMost;
    int64_t value = 0;
    for (size_t i = 0; i < changes.size(); i++) {
      value += changes[i].by;
      if (i + 1 < changes.size() && changes[i + 1].time == changes[i].time) continue;
      const bool is_last = i + 1 == changes.size();
      if (!is_last && !made.empty() && changes[i].time < made.back().time + apart) continue;
      made.push_back({changes[i].time, value});
    }
    return made;
  }

  const RecordingFile& file_;
  const double ns_per_tick_;
  uint64_t from_ = 0;
  Timeline made_;
  std::unordered_map<uint64_t, TaskStory> stories_;
  std::vector<Change> working_;
  std::vector<Wake> wakes_;
  uint64_t stolen_ = 0;  // so many tasks the present thread has stolen and not begun
};

}  // namespace

uint64_t Timeline::overwritten() const {
  uint64_t sum = 0;
  for (const TimelineThread& thread : threads) sum += thread.overwritten;
  for (const TimelineWorker& worker : workers) sum += worker.overwritten;
  return sum;
}

size_t Timeline::slices() const {
  size_t sum = 0;
  for (const TimelineThread& thread : threads) sum += thread.slices.size();
  return sum;
}

const TaskStory* Timeline::task(uint64_t id) const {
  const auto found =
      std::lower_bound(tasks.begin(), tasks.end(), id,
                       [](const auto& entry, uint64_t of) { return entry.first < of; });
  return found != tasks.end() && found->first == id ? &found->second : nullptr;
}

std::optional<Timeline> read_timeline(const std::filesystem::path& path, uint64_t last_ns) {
  const std::optional<RecordingFile> file = RecordingFile::open(path, Instrument::Trace, 0);
  if (!file || !holds_ring(file->header().slot_bytes)) return std::nullopt;
  return Reader(*file, last_ns).read();
}

}  // namespace bobbin::insight
