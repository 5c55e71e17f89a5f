// SPDX-License-Identifier: Apache-2.0
#include "insight/live/activity.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "insight/live/process/kernel_thread.h"

namespace bobbin::insight {
namespace {

// places_of_calls() looks at the instruction before the address.
uint64_t behind(uint64_t begin_of_function) {
  return begin_of_function != 0 ? begin_of_function + 1 : 0;
}

// The functions that compilers make of tasks and regions.
bool is_made_of_construct(const std::string& function) {
  static constexpr const char* kMarks[] = {"._omp_fn", "omp_outlined", ".omp_task", "..omp_par"};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](const char* mark) { return function.find(mark) != std::string::npos; });
}

}  // namespace

const ElfSymbols& ActivityReader::symbols_of(const LiveModule& module) {
  return symbols_.try_emplace(module.path.string(), module.path).first->second;
}

uint64_t ActivityReader::begin_of_function(uint64_t code) {
  const LiveModule* module = modules_.with_code(code);
  if (module == nullptr) return 0;
  const ElfSymbols& symbols = symbols_of(*module);
  const uint64_t begin = symbols.begin_of_function(symbols.address_of(code - module->base));
  return begin != 0 ? begin - symbols.address_of(0) + module->base : 0;
}

std::string ActivityReader::function_at(uint64_t code) {
  const LiveModule* module = modules_.with_code(code);
  if (module == nullptr) return {};
  const ElfSymbols& symbols = symbols_of(*module);
  return symbols.function_at(symbols.address_of(code - module->base));
}

LiveActivity ActivityReader::of(const LiveThread& thread) {
  using enum SiteKind;
  const uint64_t region = behind(thread.code);
  if (thread.state == LiveState::Unbegun) return {Idle, 0, 0};
  if (thread.state == LiveState::Ended) return {Barrier, region, 0};
  if (thread.state == LiveState::Suspended) return in_runtime(thread, thread.sp);
  const std::optional<Registers> registers = registers_of(process_, thread.kernel_thread);
  if (!registers) return {thread.level == 0 ? Serial : Region, region, 0};
  // It could go on, but others are carried. It is still where it has left its kernel thread.
  const bool is_carried = registers->tls == 0 || registers->tls == thread.tls;
  if (!is_carried && thread.sp != 0) return in_runtime(thread, thread.sp);
  const LiveModule* module = modules_.with_code(registers->pc);
  const bool in_runtime_now =
      module != nullptr &&
      (module->is_runtime || (module->is_c_library && calls_.is_for_runtime(registers->sp)));
  return in_runtime_now ? in_runtime(thread, registers->sp)
                        : at_work(thread, registers->pc, registers->sp);
}

LiveActivity ActivityReader::in_runtime(const LiveThread& thread, uint64_t sp) {
  using enum SiteKind;
  const uint64_t region = behind(thread.code);
  for (const RuntimeCall& call : calls_.of_runtime(sp)) {
    const Entry entry = entry_at(call.entry);
    // A call in which nobody waits has returned before this thread began to wait.
    if (!entry.kind && entry.is_openmp && thread.waits) continue;
    if (!entry.kind)
      return {thread.level == 0 ? Serial : thread.in_task ? Task : Region, region, 0};
    if (thread.level == 0 && *entry.kind == Barrier) return {Fork, call.returns_to, 0};
    return {*entry.kind, call.returns_to, 0};
  }
  if (thread.level == 0) return {Serial, 0, 0};
  return {thread.waits ? Barrier : Fork, region, 0};
}

// Several entry points may be one function, which may also have a name of the runtime's own.
ActivityReader::Entry ActivityReader::entry_at(uint64_t address) {
  const auto [known, is_new] = entries_.try_emplace(address);
  Entry& entry = known->second;
  const LiveModule* module = is_new ? modules_.with_code(address) : nullptr;
  if (module == nullptr) return entry;
  const ElfSymbols& symbols = symbols_of(*module);
  for (const std::string& name : symbols.names_at(symbols.address_of(address - module->base))) {
    for (const char* prefix : {"GOMP_", "__kmpc_", "omp_", "kmp", "GOACC_"}) {
      if (name.starts_with(prefix)) entry.is_openmp = true;
    }
    if (!entry.kind) entry.kind = entry_points_.kind_of(name);
  }
  return entry;
}

LiveActivity ActivityReader::at_work(const LiveThread& thread, uint64_t pc, uint64_t sp) {
  using enum SiteKind;
  const uint64_t function = behind(begin_of_function(pc));
  if (thread.level == 0 && !thread.in_task) return {Serial, 0, function};
  if (!thread.in_task) return {Region, behind(thread.code), function};
  return {Task, behind(function_of_task(pc, sp)), function};
}

// The outermost function since the runtime has called it that a compiler has made of a construct.
// If it has left by a jump: the outermost one.
uint64_t ActivityReader::function_of_task(uint64_t pc, uint64_t sp) {
  std::vector<uint64_t> callers = calls_.of_program(sp);
  callers.insert(callers.begin(), pc);
  const auto found = std::find_if(callers.rbegin(), callers.rend(), [&](uint64_t code) {
    return is_made_of_construct(function_at(code));
  });
  return begin_of_function(found != callers.rend() ? *found : callers.back());
}

}  // namespace bobbin::insight
