! SPDX-License-Identifier: Apache-2.0
! A Fortran library of either kind: compiled by gfortran with NAME(x) for gnu_x, by flang for llvm_x.
module f_half
  use omp_lib
  use iso_c_binding
  implicit none
  integer, save :: own = 5
  !$omp threadprivate(own)
contains

  ! The sum of 1 to n, by a region of its own.
  subroutine parallel_sum(threads, n, total) bind(c, name=PARALLEL_SUM)
    integer(c_int), value :: threads, n
    integer(c_long) :: total
    integer(c_long) :: part
    integer :: i
    part = 0
    !$omp parallel do num_threads(threads) reduction(+:part) schedule(dynamic, 3)
    do i = 1, n
      part = part + i
    end do
    total = part
  end subroutine parallel_sum

  ! Shares its iterations among the threads of the caller's region.
  subroutine orphaned_loop(n, hits) bind(c, name=ORPHANED_LOOP)
    integer(c_int), value :: n
    integer(c_int) :: hits(n)
    integer :: i
    !$omp do schedule(guided)
    do i = 1, n
      hits(i) = hits(i) + 1
    end do
    !$omp single
    hits(1) = hits(1) + 10
    !$omp end single
  end subroutine orphaned_loop

  ! A tree of tasks in the caller's region.
  recursive subroutine count_tree(depth, count) bind(c, name=COUNT_TREE)
    integer(c_int), value :: depth
    integer(c_int) :: count
    !$omp atomic
    count = count + 1
    if (depth > 0) then
      !$omp task shared(count, depth)
      call count_tree(depth - 1, count)
      !$omp end task
      !$omp task shared(count, depth)
      call count_tree(depth - 1, count)
      !$omp end task
      !$omp taskwait
    end if
  end subroutine count_tree

  ! With a lock that C++ made.
  subroutine add_locked(lock, value) bind(c, name=ADD_LOCKED)
    integer(omp_lock_kind) :: lock
    integer(c_long) :: value
    call omp_set_lock(lock)
    value = value + 1
    call omp_unset_lock(lock)
  end subroutine add_locked

  function threadprivate_copy() bind(c, name=THREADPRIVATE_COPY) result(address)
    type(c_ptr) :: address
    integer, pointer :: p
    call point_to(p)
    address = c_loc(p)
  end function threadprivate_copy

  subroutine point_to(p)
    integer, pointer :: p
    call associate_with(own, p)
  end subroutine point_to

  subroutine associate_with(variable, p)
    integer, target :: variable
    integer, pointer :: p
    p => variable
  end subroutine associate_with

end module f_half
