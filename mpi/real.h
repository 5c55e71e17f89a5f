// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <mpi.h>

// Open MPI's constants are objects of its library. Where the library is missing they are null.
#pragma weak ompi_mpi_packed
#pragma weak ompi_request_null

// The MPI library's own functions. The layer defines both names of each wrapped function, MPI_ and
// PMPI_, because Open MPI's Fortran bindings call the second one. So it asks the dynamic linker for
// the next function of that name. A program without MPI, such as a shell that the program starts,
// has none.
namespace bobbin::mpi::real {

template <class Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Set when the layer is loaded. NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define BOBBIN_MPI_REAL(name) inline const auto name = find<decltype(&PMPI_##name)>("PMPI_" #name)

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
BOBBIN_MPI_REAL(Test);
BOBBIN_MPI_REAL(Testall);
BOBBIN_MPI_REAL(Testany);
BOBBIN_MPI_REAL(Testsome);
BOBBIN_MPI_REAL(Wait);
BOBBIN_MPI_REAL(Waitall);
BOBBIN_MPI_REAL(Waitany);
BOBBIN_MPI_REAL(Waitsome);

#undef BOBBIN_MPI_REAL

}  // namespace bobbin::mpi::real
