// SPDX-License-Identifier: Apache-2.0
#include "insight/report/timeline/timeline_json.h"

#include <algorithm>
#include <cinttypes>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace bobbin::insight {
namespace {

std::string quoted(const std::string& text) {
  // Names come from files and command lines, in any encoding.
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string thread_name(const TimelineThread& thread, size_t number) {
  constexpr const char* kTypes[] = {"", " (initial)", "", " (other)"};
  const char* type = thread.type >= 1 && thread.type <= 3 ? kTypes[thread.type] : "";
  return "OpenMP thread " + std::to_string(number) + type;
}

// Microseconds, as the format wants, without loss of a nanosecond.
struct Microseconds {
  explicit Microseconds(uint64_t ns) : whole(ns / 1000), rest(static_cast<unsigned>(ns % 1000)) {}
  uint64_t whole;
  unsigned rest;
};
#define BOBBIN_US "%" PRIu64 ".%03u"

class Writer {
 public:
  // `shift`: what is added to all times, so that processes have a common one.
  Writer(std::FILE* to, const Timeline& process, uint64_t shift, bool& first, uint64_t& arrows)
      : to_(to), process_(process), shift_(shift), first_(first), arrows_(arrows) {
    for (const std::string& name : process.site_names) names_.push_back(quoted(name));
  }

  void write() {
    name("process_name", 0, process_.command);
    for (size_t i = 0; i < process_.threads.size(); i++) {
      const TimelineThread& thread = process_.threads[i];
      thread_names_[thread.number] = thread_name(thread, i);
      name("thread_name", thread.number + 1, thread_names_[thread.number]);
      for (const Slice& slice : thread.slices) write_slice(thread.number, slice);
    }
    for (const TimelineWorker& worker : process_.workers) {
      name("thread_name", worker.slot + 1, "worker " + std::to_string(worker.number));
      for (const Slice& slice : worker.slices) write_slice(worker.slot, slice);
    }
    for (const auto& [id, story] : process_.tasks) {
      if (story.created && story.begun && !story.at_once) {
        arrow(story.stolen ? "theft" : "creation", *story.created, *story.begun);
      }
    }
    for (const Dependence& dependence : process_.dependences) write_dependence(dependence);
    for (const WakeUp& wake_up : process_.wake_ups) arrow("wake-up", wake_up.from, wake_up.to);
    counter("tasks waiting", process_.tasks_waiting);
    counter("threads working", process_.threads_working);
  }

 private:
  void next() {
    std::fputs(first_ ? "\n" : ",\n", to_);
    first_ = false;
  }

  Microseconds at(uint64_t time) const { return Microseconds(time + shift_); }

  void name(const char* what, unsigned thread, const std::string& text) {
    next();
    std::fprintf(to_, R"({"ph":"M","name":"%s","pid":%d,"tid":%u,"args":{"name":%s}})", what,
                 process_.process, thread, quoted(text).c_str());
  }

  std::string name_of(const Slice& slice) const {
    if (slice.kind == SliceKind::Sleep) return R"("asleep")";
    if (slice.kind != SliceKind::Carry) return names_[slice.site];
    const auto thread = thread_names_.find(static_cast<unsigned>(slice.id));
    return thread != thread_names_.end() ? quoted(thread->second) : R"("an OpenMP thread")";
  }

  void write_slice(unsigned slot, const Slice& slice) {
    static constexpr const char* kCategories[] = {
        "region",         "work",           "chunk",        "task", "wait",
        "carried thread", "carried region", "carried task", "sleep"};
    const Microseconds begin = at(slice.begin);
    const Microseconds length(slice.end - slice.begin);
    const char* category = kCategories[static_cast<unsigned>(slice.kind)];
    const std::string name = name_of(slice);
    next();
    std::fprintf(to_,
                 R"({"ph":"X","cat":"%s","name":%s,"pid":%d,"tid":%u,"ts":)" BOBBIN_US
                 R"(,"dur":)" BOBBIN_US R"(,"args":{)",
                 category, name.c_str(), process_.process, slot + 1, begin.whole, begin.rest,
                 length.whole, length.rest);
    write_arguments(slice);
    std::fputs("}}", to_);
  }

  void write_arguments(const Slice& slice) {
    switch (slice.kind) {
      case SliceKind::Part:
      case SliceKind::CarriedPart:
        std::fprintf(to_, R"("number":%)" PRIu64, slice.id);
        break;
      case SliceKind::Work:
      case SliceKind::Chunk:
        std::fprintf(to_, R"("iterations":%)" PRIu64, slice.id);
        break;
      case SliceKind::CarriedTask:
        std::fprintf(to_, R"("task":%)" PRIu64, slice.id);
        break;
      case SliceKind::Carry:
        std::fprintf(to_, R"("thread":%)" PRIu64, slice.id + 1);
        break;
      case SliceKind::Sleep:
        std::fputs(R"("sleeps":true)", to_);
        break;
      case SliceKind::Task: {
        std::fprintf(to_, R"("task":%)" PRIu64, slice.id);
        const TaskStory* story = process_.task(slice.id);
        if (story == nullptr || !story->created) break;
        const Microseconds created = at(story->created->time);
        std::fprintf(to_, R"(,"created":)" BOBBIN_US R"(,"created_by":%u)", created.whole,
                     created.rest, story->created->thread + 1);
        break;
      }
      case SliceKind::Wait:
        std::fputs(R"("waits":true)", to_);
        break;
    }
    if (slice.cut) std::fputs(R"(,"began_earlier":true)", to_);
  }

  void arrow(const char* what, Point from, Point to) {
    if (from.time > to.time) return;  // the counters of their processors differ
    arrows_++;
    end_of_arrow(what, "s", from);
    end_of_arrow(what, "f", to);
  }

  void end_of_arrow(const char* what, const char* phase, Point point) {
    const Microseconds time = at(point.time);
    next();
    std::fprintf(to_,
                 R"({"ph":"%s","bp":"e","cat":"%s","name":"%s","id":%)" PRIu64
                 R"(,"pid":%d,"tid":%u,"ts":)" BOBBIN_US "}",
                 phase, what, what, arrows_, process_.process, point.thread + 1, time.whole,
                 time.rest);
  }

  void write_dependence(const Dependence& dependence) {
    const TaskStory* from = process_.task(dependence.from);
    const TaskStory* to = process_.task(dependence.to);
    if (from == nullptr || to == nullptr || !from->ended || !to->begun) return;
    Point end = *from->ended;
    // The slice of the task must contain the begin of the arrow.
    if (end.time != 0 && from->begun && from->begun->time < end.time) end.time--;
    arrow("dependence", end, *to->begun);
  }

  void counter(const char* what, const std::vector<Sample>& samples) {
    for (const Sample& sample : samples) {
      const Microseconds time = at(sample.time);
      next();
      std::fprintf(to_,
                   R"({"ph":"C","name":"%s","pid":%d,"tid":0,"ts":)" BOBBIN_US
                   R"(,"args":{"value":%)" PRId64 "}}",
                   what, process_.process, time.whole, time.rest, sample.value);
    }
  }

  std::FILE* to_;
  const Timeline& process_;
  const uint64_t shift_;
  bool& first_;
  uint64_t& arrows_;  // numbers the arrows of all processes
  std::vector<std::string> names_;
  std::map<unsigned, std::string> thread_names_;  // by slot
};

}  // namespace

bool write_timeline_json(const std::vector<Timeline>& processes, std::FILE* to) {
  uint64_t earliest = ~uint64_t{0};
  uint64_t overwritten = 0;
  for (const Timeline& process : processes) {
    earliest = std::min(earliest, process.begin_ns);
    overwritten += process.overwritten();
  }
  std::fprintf(to,
               R"({"displayTimeUnit":"ns","otherData":{"events_overwritten":%)" PRIu64
               R"(},"traceEvents":[)",
               overwritten);
  bool first = true;
  uint64_t arrows = 0;
  for (const Timeline& process : processes) {
    Writer(to, process, process.begin_ns - earliest, first, arrows).write();
  }
  std::fputs("\n]}\n", to);
  return std::fflush(to) == 0 && std::ferror(to) == 0;
}

}  // namespace bobbin::insight
