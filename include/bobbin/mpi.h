/* SPDX-License-Identifier: Apache-2.0 */
/* The layer for MPI (docs/mpi.md): detached tasks that complete when requests have. The functions
 * are in the library that `bobbin run --mpi` loads. */
#pragma once

#include <mpi.h>
#include <omp.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Binds an event to a request, so that communication takes part in dependences without a blocked
 * task:
 *
 *   omp_event_handle_t event;
 *   #pragma omp task detach(event) depend(out: *data)
 *   {
 *     MPI_Request request;
 *     MPI_Irecv(data, count, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &request);
 *     bobbin_mpi_iwait(&request, MPI_STATUS_IGNORE, event);
 *   }
 *
 * The request is taken over: *request is MPI_REQUEST_NULL afterwards. When it is complete, it is
 * freed as by MPI_Test, and the event is fulfilled. `status` is set before that, and must exist
 * until then; its MPI_ERROR is set, too. An error in the operation goes to the error handler that
 * MPI_Test would call, on some thread.
 *
 * Returns MPI_SUCCESS, or an error: MPI_ERR_REQUEST if there is no such thing to wait for, and
 * MPI_ERR_OTHER if the layer is not at work (see docs/mpi.md) or memory is lacking. Then nothing
 * has happened.
 */
int bobbin_mpi_iwait(MPI_Request* request, MPI_Status* status, omp_event_handle_t event);

/* The same for all requests of an array, which may have ended its life when the event is fulfilled.
 * `statuses` is MPI_STATUSES_IGNORE or an array of as many. */
int bobbin_mpi_iwaitall(int count, MPI_Request requests[], MPI_Status statuses[],
                        omp_event_handle_t event);

/*
 * In Fortran, with `use mpi` or mpif.h, as external subroutines:
 *
 *   call bobbin_mpi_iwait(request, status, event, ierror)
 *   call bobbin_mpi_iwaitall(count, requests, statuses, event, ierror)
 *
 * integer request, requests(count), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, count),
 * count, ierror; integer(omp_event_handle_kind) event. MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE
 * are possible.
 */

#ifdef __cplusplus
}
#endif
