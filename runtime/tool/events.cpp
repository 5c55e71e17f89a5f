// SPDX-License-Identifier: Apache-2.0
#include "tool/events.h"

namespace bobbin::tool {
namespace {

// Calls visit(field) for the event's callback. False: there is no such event on the host.
template <class Visit>
bool visit_callback(ompt_callbacks_t event, Visit&& visit) {
  switch (event) {
#define BOBBIN_CASE(name, ...) \
  case ompt_callback_##name:   \
    visit(callbacks.name);     \
    return true;
    BOBBIN_TOOL_EVENTS(BOBBIN_CASE)
    BOBBIN_TOOL_EVENTS_OF_TYPE(BOBBIN_CASE)
#undef BOBBIN_CASE
    default:
      return false;
  }
}

}  // namespace

ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
  const bool known = visit_callback(
      event, [&]<class Type>(Relaxed<Type>& field) { field = reinterpret_cast<Type>(callback); });
  if (known) return ompt_set_always;
  // Those of devices: there are none.
  const bool exists = event >= ompt_callback_thread_begin && event <= ompt_callback_error;
  return exists ? ompt_set_never : ompt_set_error;
}

bool get_callback(ompt_callbacks_t event, ompt_callback_t& callback) {
  callback = nullptr;
  visit_callback(event, [&]<class Type>(const Relaxed<Type>& field) {
    callback = reinterpret_cast<ompt_callback_t>(static_cast<Type>(field));
  });
  return callback != nullptr;
}

void forget_callbacks() {
  for (int event = ompt_callback_thread_begin; event <= ompt_callback_error; event++) {
    set_callback(static_cast<ompt_callbacks_t>(event), nullptr);
  }
}

}  // namespace bobbin::tool
