// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <atomic>

#include "library.h"

// The MPI library's own functions. The layer defines both names of each wrapped function, MPI_ and
// PMPI_, because Open MPI's Fortran bindings call the second one. So it looks for the library's.
// They are not there when the layer is loaded: a program may load MPI later, and in a program
// without MPI, such as a shell that the program starts, they never are.
namespace bobbin::mpi::real {

// Something in the library, looked for when it is first used.
template <void* find(const char* name)>
class InLibrary {
 public:
  constexpr explicit InLibrary(const char* name) : name_(name) {}

  void* address() {
    void* found = address_.load(std::memory_order_relaxed);
    if (found == nullptr) [[unlikely]]
      address_.store(found = find(name_), std::memory_order_relaxed);
    return found;
  }

 private:
  const char* name_;
  std::atomic<void*> address_{nullptr};
};

template <class Type>
class Function : InLibrary<function_of_library> {
 public:
  using InLibrary::InLibrary;

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return reinterpret_cast<Type*>(address())(arguments...);
  }
};

using Object = InLibrary<object_of_library>;

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define BOBBIN_MPI_REAL(name) inline constinit Function<decltype(PMPI_##name)> name("PMPI_" #name)

BOBBIN_MPI_REAL(Allgather);
BOBBIN_MPI_REAL(Allgatherv);
BOBBIN_MPI_REAL(Allreduce);
BOBBIN_MPI_REAL(Alltoall);
BOBBIN_MPI_REAL(Alltoallv);
BOBBIN_MPI_REAL(Alltoallw);
BOBBIN_MPI_REAL(Barrier);
BOBBIN_MPI_REAL(Bcast);
BOBBIN_MPI_REAL(Cancel);
BOBBIN_MPI_REAL(Comm_call_errhandler);
BOBBIN_MPI_REAL(Exscan);
BOBBIN_MPI_REAL(Finalize);
BOBBIN_MPI_REAL(Gather);
BOBBIN_MPI_REAL(Gatherv);
BOBBIN_MPI_REAL(Iallgather);
BOBBIN_MPI_REAL(Iallgatherv);
BOBBIN_MPI_REAL(Iallreduce);
BOBBIN_MPI_REAL(Ialltoall);
BOBBIN_MPI_REAL(Ialltoallv);
BOBBIN_MPI_REAL(Ialltoallw);
BOBBIN_MPI_REAL(Ibarrier);
BOBBIN_MPI_REAL(Ibcast);
BOBBIN_MPI_REAL(Iexscan);
BOBBIN_MPI_REAL(Igather);
BOBBIN_MPI_REAL(Igatherv);
BOBBIN_MPI_REAL(Improbe);
BOBBIN_MPI_REAL(Imrecv);
BOBBIN_MPI_REAL(Init);
BOBBIN_MPI_REAL(Init_thread);
BOBBIN_MPI_REAL(Iprobe);
BOBBIN_MPI_REAL(Irecv);
BOBBIN_MPI_REAL(Ireduce);
BOBBIN_MPI_REAL(Ireduce_scatter);
BOBBIN_MPI_REAL(Ireduce_scatter_block);
BOBBIN_MPI_REAL(Irsend);
BOBBIN_MPI_REAL(Iscan);
BOBBIN_MPI_REAL(Iscatter);
BOBBIN_MPI_REAL(Iscatterv);
BOBBIN_MPI_REAL(Isend);
BOBBIN_MPI_REAL(Issend);
BOBBIN_MPI_REAL(Mprobe);
BOBBIN_MPI_REAL(Mrecv);
BOBBIN_MPI_REAL(Pack);
BOBBIN_MPI_REAL(Pack_size);
BOBBIN_MPI_REAL(Probe);
BOBBIN_MPI_REAL(Recv);
BOBBIN_MPI_REAL(Reduce);
BOBBIN_MPI_REAL(Reduce_scatter);
BOBBIN_MPI_REAL(Reduce_scatter_block);
BOBBIN_MPI_REAL(Request_free);
BOBBIN_MPI_REAL(Request_get_status);
BOBBIN_MPI_REAL(Rsend);
BOBBIN_MPI_REAL(Scan);
BOBBIN_MPI_REAL(Scatter);
BOBBIN_MPI_REAL(Scatterv);
BOBBIN_MPI_REAL(Send);
BOBBIN_MPI_REAL(Sendrecv);
BOBBIN_MPI_REAL(Sendrecv_replace);
BOBBIN_MPI_REAL(Ssend);
BOBBIN_MPI_REAL(Status_c2f);
BOBBIN_MPI_REAL(Test);
BOBBIN_MPI_REAL(Testall);
BOBBIN_MPI_REAL(Testany);
BOBBIN_MPI_REAL(Testsome);
BOBBIN_MPI_REAL(Wait);
BOBBIN_MPI_REAL(Waitall);
BOBBIN_MPI_REAL(Waitany);
BOBBIN_MPI_REAL(Waitsome);

// What is a macro or a constant in MPICH. Open MPI's constants are objects of its library.
#ifdef OPEN_MPI
BOBBIN_MPI_REAL(Request_c2f);
BOBBIN_MPI_REAL(Request_f2c);
inline constinit Object request_null_object("ompi_request_null");
inline constinit Object packed_object("ompi_mpi_packed");
inline MPI_Request request_null() {
  return static_cast<MPI_Request>(request_null_object.address());
}
inline MPI_Datatype packed() { return static_cast<MPI_Datatype>(packed_object.address()); }
#else
inline MPI_Fint Request_c2f(MPI_Request request) { return MPI_Request_c2f(request); }
inline MPI_Request Request_f2c(MPI_Fint request) { return MPI_Request_f2c(request); }
inline MPI_Request request_null() { return MPI_REQUEST_NULL; }
inline MPI_Datatype packed() { return MPI_PACKED; }
#endif

inline constinit Object f_status_ignore("MPI_F_STATUS_IGNORE");
inline constinit Object f_statuses_ignore("MPI_F_STATUSES_IGNORE");

#undef BOBBIN_MPI_REAL

}  // namespace bobbin::mpi::real
