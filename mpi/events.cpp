// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>

#include "polling_thread.h"
#include "real.h"
#include "waiting.h"

// bobbin_mpi_iwait and bobbin_mpi_iwaitall: events of detached tasks, fulfilled by the poller. The
// header is not included, because omp_event_handle_t differs between compilers; it is as large as a
// pointer in all of them.

#pragma weak omp_fulfill_event
extern "C" void omp_fulfill_event(uintptr_t event);

using namespace bobbin::mpi;

namespace {

// Requests that belong to an event, in one block of memory.
struct Bound : Pending {
  uintptr_t event;
  int count;
  int complete;          // the first so many
  MPI_Status* statuses;  // nullptr: ignored
  MPI_Fint* fortran_statuses;

  MPI_Request* requests() { return reinterpret_cast<MPI_Request*>(this + 1); }
  bool come();
  void note(const MPI_Status& status);
};

// Sizes of a status in Fortran are the same as in C.
constexpr size_t kFortranStatus = sizeof(MPI_Status) / sizeof(MPI_Fint);

void Bound::note(const MPI_Status& status) {
  if (statuses != nullptr) statuses[complete] = status;
  if (fortran_statuses != nullptr) {
    real::Status_c2f(&status, fortran_statuses + kFortranStatus * static_cast<size_t>(complete));
  }
}

bool Bound::come() {
  for (; complete < count; complete++) {
    MPI_Request& request = requests()[complete];
    if (!is_complete(request)) return false;
    MPI_Status status;
    int done = 0;
    status.MPI_ERROR = MPI_SUCCESS;
    const int error = real::Test(&request, &done, &status);
    status.MPI_ERROR = error;
    note(status);
  }
  return true;
}

void fulfil(Pending& pending) {
  auto& bound = static_cast<Bound&>(pending);
  const uintptr_t event = bound.event;
  free(&bound);
  omp_fulfill_event(event);
}

int bind(int count, MPI_Request* requests, MPI_Status* statuses, MPI_Fint* fortran_statuses,
         uintptr_t event) {
  if (count < 0 || (count > 0 && requests == nullptr)) return MPI_ERR_REQUEST;
  if (!at_work() || omp_fulfill_event == nullptr) return MPI_ERR_OTHER;
  const size_t bytes = sizeof(Bound) + static_cast<size_t>(count) * sizeof(MPI_Request);
  auto* bound = static_cast<Bound*>(malloc(bytes));
  if (bound == nullptr) return MPI_ERR_OTHER;
  bound->has_come = [](Pending& pending) { return static_cast<Bound&>(pending).come(); };
  bound->end = fulfil;
  bound->event = event;
  bound->count = count;
  bound->complete = 0;
  bound->statuses = statuses;
  bound->fortran_statuses = fortran_statuses;
  for (int i = 0; i < count; i++) {
    bound->requests()[i] = requests[i];
    requests[i] = real::request_null();
  }
  look_for(*bound);
  return MPI_SUCCESS;
}

bool is(real::Object& constant, const MPI_Fint* statuses) {
  return statuses == *static_cast<MPI_Fint* const*>(constant.address());
}

int bind_fortran(int count, MPI_Fint* requests, MPI_Fint* statuses, uintptr_t event) {
  if (count < 0) return MPI_ERR_REQUEST;
  auto* handles = static_cast<MPI_Request*>(malloc(sizeof(MPI_Request) * (count > 0 ? count : 1)));
  if (handles == nullptr) return MPI_ERR_OTHER;
  for (int i = 0; i < count; i++) handles[i] = real::Request_f2c(requests[i]);
  const bool ignored = is(real::f_status_ignore, statuses) || is(real::f_statuses_ignore, statuses);
  const int error = bind(count, handles, nullptr, ignored ? nullptr : statuses, event);
  for (int i = 0; i < count && error == MPI_SUCCESS; i++) {
    requests[i] = real::Request_c2f(real::request_null());
  }
  free(handles);
  return error;
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define BOBBIN_MPI_OWN extern "C" [[gnu::visibility("default")]]

BOBBIN_MPI_OWN int bobbin_mpi_iwait(MPI_Request* request, MPI_Status* status, uintptr_t event) {
  return bind(1, request, status == MPI_STATUS_IGNORE ? nullptr : status, nullptr, event);
}

BOBBIN_MPI_OWN int bobbin_mpi_iwaitall(int count, MPI_Request* requests, MPI_Status* statuses,
                                       uintptr_t event) {
  return bind(count, requests, statuses == MPI_STATUSES_IGNORE ? nullptr : statuses, nullptr,
              event);
}

BOBBIN_MPI_OWN void bobbin_mpi_iwait_(MPI_Fint* request, MPI_Fint* status, const uintptr_t* event,
                                      MPI_Fint* error) {
  *error = bind_fortran(1, request, status, *event);
}

BOBBIN_MPI_OWN void bobbin_mpi_iwaitall_(const MPI_Fint* count, MPI_Fint* requests,
                                         MPI_Fint* statuses, const uintptr_t* event,
                                         MPI_Fint* error) {
  *error = bind_fortran(*count, requests, statuses, *event);
}
