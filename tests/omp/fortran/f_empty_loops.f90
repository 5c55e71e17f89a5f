! SPDX-License-Identifier: Apache-2.0
! Loops that have no iterations, in every schedule and kind of loop variable.
program f_empty_loops
  use omp_lib
  use check
  implicit none
  integer, volatile :: lower = 5, upper = 4
  integer :: ran
  ran = 0
  call of_default_kind(lower, upper)
  call of_long_kind(int(lower, 8), int(upper, 8))
  call of_short_kind(int(lower, 2), int(upper, 2))
  call collapsed(lower, upper)
#ifndef GAP_distributed
  call distributed(lower, upper)
#endif
  call expect_equal(ran, 0, 'iterations')
  call finish()

contains

  subroutine count_iteration()
    !$omp atomic
    ran = ran + 1
  end subroutine count_iteration

  subroutine of_default_kind(from, to)
    integer, intent(in) :: from, to
    integer :: i
    call begin_case('of_default_kind')
    !$omp parallel do
    do i = from, to
      call count_iteration()
    end do
    !$omp parallel do schedule(static, 2)
    do i = from, to
      call count_iteration()
    end do
    !$omp parallel do schedule(dynamic)
    do i = from, to
      call count_iteration()
    end do
    !$omp parallel do schedule(guided)
    do i = from, to
      call count_iteration()
    end do
    !$omp parallel do schedule(runtime)
    do i = from, to
      call count_iteration()
    end do
#ifndef GAP_ordered
    !$omp parallel do ordered
    do i = from, to
      !$omp ordered
      call count_iteration()
      !$omp end ordered
    end do
#endif
    !$omp parallel do
    do i = to, from, -1
      if (i < from .and. i > to) call count_iteration()
    end do
    ! It is private, because GCC makes all threads write the variable of a simd loop without
    ! iterations.
    !$omp parallel private(i)
    !$omp do simd reduction(+:ran)
    do i = from, to
      ran = ran + 1
    end do
    !$omp end parallel
  end subroutine of_default_kind

  subroutine of_long_kind(from, to)
    integer(8), intent(in) :: from, to
    integer(8) :: i
    call begin_case('of_long_kind')
    !$omp parallel do
    do i = from, to
      call count_iteration()
    end do
    !$omp parallel do schedule(dynamic)
    do i = from, to
      call count_iteration()
    end do
    !$omp parallel do schedule(runtime)
    do i = from, to, 3
      call count_iteration()
    end do
    !$omp parallel do schedule(static, 2)
    do i = from, to
      call count_iteration()
    end do
  end subroutine of_long_kind

  subroutine of_short_kind(from, to)
    integer(2), intent(in) :: from, to
    integer(2) :: i
    call begin_case('of_short_kind')
    !$omp parallel do
    do i = from, to
      call count_iteration()
    end do
  end subroutine of_short_kind

  subroutine collapsed(from, to)
    integer, intent(in) :: from, to
    integer :: i, j
    integer(8) :: k
    call begin_case('collapsed')
    !$omp parallel do collapse(2)
    do i = 1, 10
      do j = from, to
        call count_iteration()
      end do
    end do
    !$omp parallel do collapse(2) schedule(static, 3)
    do i = from, to
      do j = 1, 10
        call count_iteration()
      end do
    end do
    !$omp parallel do collapse(2)
    do k = int(from, 8), int(to, 8)
      do j = 1, 10
        call count_iteration()
      end do
    end do
  end subroutine collapsed

#ifndef GAP_distributed
  subroutine distributed(from, to)
    integer, intent(in) :: from, to
    integer :: i
    call begin_case('distributed')
    !$omp teams distribute num_teams(2)
    do i = from, to
      call count_iteration()
    end do
    !$omp teams distribute parallel do num_teams(2)
    do i = from, to
      call count_iteration()
    end do
  end subroutine distributed
#endif

end program f_empty_loops
