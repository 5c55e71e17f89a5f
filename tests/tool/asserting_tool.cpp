// SPDX-License-Identifier: Apache-2.0
//
// A tool that checks the order of events while any program runs: what begins ends, a thread is told
// to leave the task that it is in, each task is created once, begins once and ends once, and a
// mutex is acquired before it is released. It aborts the program at the first violation, and at the
// end if something has not ended.
//
// Two things may be open at the end. A thread of a region may learn late that the region is over.
// And a task whose event is fulfilled late completes without an event of its own.

#include <omp-tools.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

namespace {

std::atomic<long> created{0};
std::atomic<long> begun{0};
std::atomic<long> ended{0};
std::atomic<long> discarded{0};
std::atomic<long> regions{0};
std::atomic<long> implicit_tasks{0};
std::atomic<long> threads{0};

// What is known of a task. ompt_data_t::ptr of a task has it from its creation on.
struct Task {
  enum { Created, Running, Left, Ended } state = Created;
  int flags = 0;
  bool of_root = false;  // the initial task of a root
  bool reducing = false;
  int taskloops = 0;  // it is making tasks of
  // Where the waits of its thread lay that came before it.
  size_t syncs_below = 0;
  size_t waits_below = 0;
  // If it is the last one of those that its thread has left together, to go on with them later: all
  // of them, and what they waited for.
  std::vector<Task*> together;
  std::vector<ompt_sync_region_t> syncs;
  std::vector<ompt_sync_region_t> waits;
};

struct Thread {
  std::vector<Task*> tasks;  // the current one last, below it those that it has interrupted
  std::vector<ompt_sync_region_t> syncs;
  std::vector<ompt_sync_region_t> waits;
  ompt_thread_t type;
};

struct Region {
  std::atomic<unsigned> begun{0};
  unsigned requested;
};

ompt_get_thread_data_t get_thread_data;
ompt_get_task_info_t get_task_info;

thread_local Thread* mine;  // as tools keep what belongs to a thread

[[noreturn]] void fail(const char* what) {
  fprintf(stderr, "asserting tool: %s\n", what);
  abort();
}

void expect(bool holds, const char* what) {
  if (!holds) fail(what);
}

Thread& here() {
  ompt_data_t* data = get_thread_data();
  expect(data != nullptr && data->ptr != nullptr, "an event of a thread that has not begun");
  return *static_cast<Thread*>(data->ptr);
}

Task& of(ompt_data_t* data) {
  expect(data != nullptr && data->ptr != nullptr, "an event of a task that was not created");
  return *static_cast<Task*>(data->ptr);
}

// The runtime's idea of the current task agrees with what the events say.
void check_current(const Thread& thread) {
  int flags = 0;
  ompt_data_t* task = nullptr;
  ompt_frame_t* frame = nullptr;
  ompt_data_t* region = nullptr;
  int num = -1;
  expect(get_task_info(0, &flags, &task, &frame, &region, &num) == 2, "no current task");
  expect(!thread.tasks.empty() && task->ptr == thread.tasks.back(), "another task is current");
  expect(frame != nullptr && num >= 0, "no frame or thread number");
}

void on_thread_begin(ompt_thread_t type, ompt_data_t* data) {
  expect(data->ptr == nullptr, "a thread begins twice");
  expect(get_thread_data() == data, "the data of another thread");
  auto* thread = new Thread;
  thread->type = type;
  data->ptr = mine = thread;
  threads++;
}

void on_thread_end(ompt_data_t* data) {
  expect(data->ptr != nullptr, "a thread ends that has not begun");
  expect(get_thread_data() == data, "the data of another thread");
  auto* thread = static_cast<Thread*>(data->ptr);
  expect(thread == mine, "a thread ends with another one's thread-local storage");
  expect(thread->waits.empty() && thread->syncs.empty(), "a thread ends while it waits");
  delete thread;
  data->ptr = nullptr;
  threads--;
}

void on_parallel_begin(ompt_data_t* encountering, const ompt_frame_t* frame, ompt_data_t* data,
                       unsigned requested, int, const void*) {
  Thread& thread = here();
  expect(&of(encountering) == thread.tasks.back(), "a region of another task");
  expect(frame != nullptr && data->ptr == nullptr, "a region begins twice");
  auto* region = new Region;
  region->requested = requested;
  data->ptr = region;
  regions++;
}

void on_parallel_end(ompt_data_t* data, ompt_data_t* encountering, int, const void*) {
  Thread& thread = here();
  expect(&of(encountering) == thread.tasks.back(), "a region ends in another task");
  auto* region = static_cast<Region*>(data->ptr);
  expect(region != nullptr && region->begun != 0, "a region ends in which no thread has begun");
  delete region;
  regions--;
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region_data,
                      ompt_data_t* task_data, unsigned parallelism, unsigned index, int flags) {
  Thread& thread = here();
  const bool initial = (flags & ompt_task_initial) != 0;
  if (endpoint == ompt_scope_begin) {
    expect(task_data->ptr == nullptr, "an implicit task begins twice");
    // The initial task of a root has a region of which the tool was not told.
    const bool of_root = initial && region_data->ptr == nullptr;
    if (!of_root) {
      auto* region = static_cast<Region*>(region_data->ptr);
      expect(region != nullptr, "an implicit task without a region");
      region->begun++;
      expect(index < parallelism, "a thread number out of range");
    }
    auto* task = new Task;
    task->state = Task::Running;
    task->flags = flags;
    task->of_root = of_root;
    task_data->ptr = task;
    thread.tasks.push_back(task);
    implicit_tasks++;
    check_current(thread);
    return;
  }
  Task& task = of(task_data);
  expect(!task.of_root || region_data != nullptr, "a root's initial task ends without a region");
  expect(thread.tasks.back() == &task, "an implicit task ends inside another task");
  expect(!task.reducing, "a reduction has not ended");
  expect(task.state == Task::Running, "an implicit task ends twice");
  thread.tasks.pop_back();
  delete &task;
  task_data->ptr = nullptr;
  implicit_tasks--;
}

void on_task_create(ompt_data_t* encountering, const ompt_frame_t* frame, ompt_data_t* data,
                    int flags, int, const void*) {
  Thread& thread = here();
  expect(&of(encountering) == thread.tasks.back(), "a task is created by another task");
  expect(frame != nullptr && data->ptr == nullptr, "a task is created twice");
  auto* task = new Task;
  task->flags = flags;
  data->ptr = task;
  created++;
}

template <class T>
std::vector<T> cut(std::vector<T>& all, size_t begin) {
  expect(begin <= all.size(), "a wait has ended outside of its task");
  std::vector<T> end(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end());
  all.resize(begin);
  return end;
}

template <class T>
void append(std::vector<T>& all, std::vector<T>& end) {
  all.insert(all.end(), end.begin(), end.end());
  end.clear();
}

// The thread leaves the current task, and those that it has interrupted, for one further below.
void leave(Thread& thread, Task& current, Task& below) {
  size_t begin = thread.tasks.size();
  while (begin > 0 && thread.tasks[begin - 1] != &below) begin--;
  expect(begin > 0 && begin < thread.tasks.size(), "a thread leaves a task for one elsewhere");
  const Task& outermost = *thread.tasks[begin];
  current.syncs = cut(thread.syncs, outermost.syncs_below);
  current.waits = cut(thread.waits, outermost.waits_below);
  current.together = cut(thread.tasks, begin);
  current.state = Task::Left;
}

void go_on(Thread& thread, Task& current) {
  Task& outermost = *current.together.front();
  outermost.syncs_below = thread.syncs.size();
  outermost.waits_below = thread.waits.size();
  append(thread.tasks, current.together);
  append(thread.syncs, current.syncs);
  append(thread.waits, current.waits);
  current.state = Task::Running;
}

void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) return;
  Task& left = of(prior);
  if (status == ompt_taskwait_complete) {
    expect((left.flags & ompt_task_taskwait) != 0, "a wait that is none");
    ended++, begun++;
    delete &left;
    return;
  }
  Thread& thread = here();
  expect(thread.tasks.back() == &left, "a thread leaves a task that it is not in");
  Task& entered = of(next);
  if (status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach) {
    expect(left.state == Task::Running, "a task ends that does not run");
    left.state = Task::Ended;
    ended++;
    thread.tasks.pop_back();
    expect(thread.tasks.back() == &entered, "a thread returns to another task than it left");
    return;
  }
  expect(status == ompt_task_switch || status == ompt_task_yield, "an unknown status");
  if (entered.state == Task::Running) {
    leave(thread, left, entered);
  } else if (entered.state == Task::Left) {
    go_on(thread, entered);
  } else {
    expect(entered.state == Task::Created, "a task begins after its end");
    entered.state = Task::Running;
    entered.syncs_below = thread.syncs.size();
    entered.waits_below = thread.waits.size();
    begun++;
    thread.tasks.push_back(&entered);
  }
  check_current(thread);
}

void on_cancel(ompt_data_t* data, int flags, const void*) {
  Task& task = of(data);
  if ((flags & ompt_cancel_discarded_task) == 0) return;
  expect(task.state == Task::Created, "a task is discarded that has begun");
  task.state = Task::Ended;
  discarded++;
}

void match(std::vector<ompt_sync_region_t>& open, ompt_sync_region_t kind,
           ompt_scope_endpoint_t endpoint, const char* what) {
  if (endpoint == ompt_scope_begin) {
    open.push_back(kind);
    return;
  }
  expect(!open.empty() && open.back() == kind, what);
  open.pop_back();
}

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                    ompt_data_t* task, const void*) {
  Thread& thread = here();
  expect(&of(task) == thread.tasks.back(), "another task waits");
  // A taskgroup that is cancelled by leaving the region has no end.
  if (kind == ompt_sync_region_taskgroup) {
    expect(of(task).taskloops == 0, "a taskgroup begins or ends in a taskloop");
    return;
  }
  match(thread.syncs, kind, endpoint, "a synchronisation ends that has not begun");
}

void on_sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                  ompt_data_t*, const void*) {
  match(here().waits, kind, endpoint, "a wait ends that has not begun");
}

void on_reduction(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                  ompt_data_t* data, const void*) {
  Task& task = of(data);
  expect(&task == here().tasks.back(), "another task reduces");
  expect(task.reducing == (endpoint == ompt_scope_end), "a reduction begins or ends twice");
  task.reducing = !task.reducing;
}

void on_work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
             uint64_t, const void*) {
  expect(&of(task) == here().tasks.back(), "another task has work");
  if (type == ompt_work_taskloop) of(task).taskloops += endpoint == ompt_scope_begin ? 1 : -1;
}

void on_dispatch(ompt_data_t*, ompt_data_t* task, ompt_dispatch_t, ompt_data_t) {
  expect(&of(task) == here().tasks.back(), "another task has iterations");
}

std::mutex held_lock;
std::map<ompt_wait_id_t, long> held;  // mutexes that have been acquired

void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void*) {
  if (kind == ompt_mutex_ordered) return;
  const std::lock_guard<std::mutex> guard(held_lock);
  held[id]++;
}

// The event comes after the release, so another thread may have acquired the mutex before it.
void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void*) {
  if (kind == ompt_mutex_ordered) return;
  const std::lock_guard<std::mutex> guard(held_lock);
  expect(held[id]-- > 0, "a mutex is released that was not acquired");
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  get_thread_data = reinterpret_cast<ompt_get_thread_data_t>(lookup("ompt_get_thread_data"));
  get_task_info = reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"));
  auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  auto on = [&](ompt_callbacks_t event, auto* callback) {
    expect(set(event, reinterpret_cast<ompt_callback_t>(callback)) == ompt_set_always,
           "an event that is not told always");
  };
  on(ompt_callback_thread_begin, on_thread_begin);
  on(ompt_callback_thread_end, on_thread_end);
  on(ompt_callback_parallel_begin, on_parallel_begin);
  on(ompt_callback_parallel_end, on_parallel_end);
  on(ompt_callback_implicit_task, on_implicit_task);
  on(ompt_callback_task_create, on_task_create);
  on(ompt_callback_task_schedule, on_task_schedule);
  on(ompt_callback_cancel, on_cancel);
  on(ompt_callback_sync_region, on_sync_region);
  on(ompt_callback_sync_region_wait, on_sync_wait);
  on(ompt_callback_reduction, on_reduction);
  on(ompt_callback_work, on_work);
  on(ompt_callback_dispatch, on_dispatch);
  on(ompt_callback_mutex_acquired, on_mutex_acquired);
  on(ompt_callback_mutex_released, on_mutex_released);
  return 1;
}

void finalize(ompt_data_t*) {
  expect(begun == ended, "a task has begun and not ended");
  expect(created == begun + discarded, "a task was created and has not begun");
  expect(regions == 0, "a region has not ended");
  if (getenv("ASSERTING_TOOL_COUNTS") != nullptr) {
    printf("asserting tool: %ld tasks\n", created.load());
  }
}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char*) {
  static ompt_start_tool_result_t result{initialize, finalize, {0}};
  expect(version >= 201811, "an old version");
  return &result;
}
