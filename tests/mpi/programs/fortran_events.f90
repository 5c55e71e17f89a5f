! SPDX-License-Identifier: Apache-2.0
! Events of detached tasks that are bound to requests.
program events
  use mpi
  use omp_lib
  implicit none
  integer, parameter :: tasks = 20
  integer :: rank, ranks, to, from, error, i, wrong, got(tasks), sent(tasks), twice(tasks)
  integer :: requests(2), statuses(MPI_STATUS_SIZE, 2, tasks)
  integer(omp_event_handle_kind) :: event

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  to = mod(rank + 1, ranks)
  from = mod(rank + ranks - 1, ranks)
  !$omp parallel
  !$omp single
  do i = 1, tasks
    !$omp task firstprivate(i) private(error, requests) detach(event) depend(out: got(i))
    sent(i) = 100 * rank + i
    call MPI_Irecv(got(i), 1, MPI_INTEGER, from, i, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(sent(i), 1, MPI_INTEGER, to, i, MPI_COMM_WORLD, requests(2), error)
    call bobbin_mpi_iwaitall(2, requests, statuses(:, :, i), event, error)
    if (error /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 2, error)
    !$omp end task
    !$omp task firstprivate(i) depend(in: got(i))
    twice(i) = 2 * got(i)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  wrong = 0
  do i = 1, tasks
    if (twice(i) /= 2 * (100 * from + i)) wrong = wrong + 1
    if (statuses(MPI_TAG, 1, i) /= i .or. statuses(MPI_SOURCE, 1, i) /= from) wrong = wrong + 1
  end do
  call MPI_Finalize(error)
  if (wrong /= 0) then
    print *, 'rank', rank, ':', wrong, 'are wrong'
    stop 1
  end if
end program events
