// SPDX-License-Identifier: Apache-2.0
#include "lower/calls/call_graph.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lower/translation/translation.h"

namespace bobbin::translate {
namespace {

bool contains_any(Extent extent, const std::vector<size_t>& offsets) {
  return std::any_of(offsets.begin(), offsets.end(),
                     [&](size_t offset) { return extent.contains(offset); });
}

}  // namespace

CallGraph::CallGraph(const Translation& translation) : translation_(translation) {
  const Program& program = translation.program;
  for (const Function& one : program.functions) defined_[one.first_declared] = &one;
  for (const Directive& directive : translation.directives) {
    if (directive.row->leaves.front() != Leaf::Threadprivate) continue;
    for (const Item& item : directive.items) {
      const auto named = program.globals.find(
          translation.source.text().substr(item.base.begin, item.base.end - item.base.begin));
      if (named == program.globals.end()) continue;
      threadprivate_.insert(named->second.begin(), named->second.end());
    }
  }
}

const Function* CallGraph::around(size_t offset) const {
  const std::vector<Function>& all = translation_.program.functions;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Function& one) { return one.all.contains(offset); });
  return found != all.end() ? &*found : nullptr;
}

const Function* CallGraph::callee(size_t first_declared) const {
  const auto found = defined_.find(first_declared);
  return found != defined_.end() ? found->second : nullptr;
}

bool CallGraph::uses_thread_local(Extent extent) const {
  const std::vector<const Reference*> names = translation_.references_in(extent);
  return std::any_of(names.begin(), names.end(), [&](const Reference* one) {
    return one->variable->is_thread_local || threadprivate_.contains(one->variable);
  });
}

bool CallGraph::calls_pointer(const Function& function, Extent extent) const {
  return contains_any(extent, function.indirect_calls);
}

bool CallGraph::accesses_volatile(const Function& function, Extent extent) const {
  return contains_any(extent, function.volatile_accesses);
}

// From those that do it themselves to those that call them.
Effect::Effect(const CallGraph& graph, Own own, Library library)
    : graph_(graph), own_(std::move(own)), library_(std::move(library)) {
  const Translation& translation = graph.translation();
  std::map<const Function*, std::vector<const Function*>> callers;
  std::vector<const Function*> found;
  for (const Function& one : translation.program.functions) {
    bool does = own_(one, one.body);
    for (const Call& call : translation.calls_in(one.body)) {
      const Function* callee = graph.callee(call.function);
      if (callee != nullptr) callers[callee].push_back(&one);
      does = does || of_call(call);
    }
    if (does && functions_.insert(&one).second) found.push_back(&one);
  }
  while (!found.empty()) {
    const Function* last = found.back();
    found.pop_back();
    for (const Function* caller : callers[last]) {
      if (functions_.insert(caller).second) found.push_back(caller);
    }
  }
}

bool Effect::of_call(const Call& call) const {
  const Translation& translation = graph_.translation();
  const std::string_view name = translation.word_at(call.begin);
  if (name == kProbeName) return false;
  if (translation.edits.contains(call.begin)) return true;  // of a variant, for instance
  const Function* callee = graph_.callee(call.function);
  if (callee != nullptr) return functions_.contains(callee);
  const size_t declared = translation.probe.to_source(call.function);
  return !translation.source.in_system_header(declared) || library_(name);
}

bool Effect::of(const Function& function, Extent extent) const {
  const std::vector<Call> calls = graph_.translation().calls_in(extent);
  return own_(function, extent) ||
         std::any_of(calls.begin(), calls.end(), [&](const Call& call) { return of_call(call); });
}

}  // namespace bobbin::translate
