! SPDX-License-Identifier: Apache-2.0
! The calls of Fortran programs: F08 is defined for `use mpi_f08`, MPIF_H for mpif.h. There are more
! tasks that wait than threads, so it ends only if the calls of this binding are wrapped.
program calls
#if defined(F08)
  use mpi_f08
#elif !defined(MPIF_H)
  use mpi
#endif
  implicit none
#if defined(MPIF_H)
  include 'mpif.h'
#endif
#if defined(F08)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Request) :: requests(2)
#else
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
  integer :: requests(2)
#endif
  integer, parameter :: tasks = 50
  integer :: rank, ranks, to, from, error, provided, i, sum, wrong, got(tasks), sent(tasks), seen

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  to = mod(rank + 1, ranks)
  from = mod(rank + ranks - 1, ranks)
  wrong = 0

  !$omp parallel
  !$omp single
  do i = 1, tasks
    !$omp task firstprivate(i) private(error, status, seen)
    if (mod(i, 2) == 0) call MPI_Probe(from, i, MPI_COMM_WORLD, status, error)
    call MPI_Recv(got(i), 1, MPI_INTEGER, from, i, MPI_COMM_WORLD, status, error)
#if defined(F08)
    seen = status%MPI_TAG
#else
    seen = status(MPI_TAG)
#endif
    if (seen /= i .or. error /= MPI_SUCCESS) then
      !$omp atomic
      wrong = wrong + 1
    end if
    !$omp end task
  end do
  do i = tasks, 1, -1
    !$omp task firstprivate(i) private(error)
    sent(i) = 1000 * rank + i
    call MPI_Ssend(sent(i), 1, MPI_INTEGER, to, i, MPI_COMM_WORLD, error)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  do i = 1, tasks
    if (got(i) /= 1000 * from + i) wrong = wrong + 1
  end do

  !$omp parallel num_threads(2) private(error)
  !$omp single
  !$omp task private(error)
  call MPI_Irecv(got(1), 1, MPI_INTEGER, from, 1, MPI_COMM_WORLD, requests(1), error)
  call MPI_Isend(sent(2), 1, MPI_INTEGER, to, 1, MPI_COMM_WORLD, requests(2), error)
  call MPI_Waitall(2, requests, statuses, error)
  !$omp end task
  !$omp taskwait
  !$omp task private(error)
  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  !$omp end task
  !$omp taskwait
  !$omp task private(error)
  seen = rank
  call MPI_Bcast(seen, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
  call MPI_Sendrecv(sent(3), 1, MPI_INTEGER, to, 9, got(3), 1, MPI_INTEGER, from, 9, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
  !$omp end task
  !$omp end single
  !$omp end parallel
  if (got(1) /= 1000 * from + 2 .or. got(3) /= 1000 * from + 3) wrong = wrong + 1
  if (sum /= ranks * (ranks - 1) / 2 .or. seen /= ranks - 1) wrong = wrong + 1

  call MPI_Finalize(error)
  if (wrong /= 0) then
    print *, 'rank', rank, ':', wrong, 'are wrong'
    stop 1
  end if
end program calls
