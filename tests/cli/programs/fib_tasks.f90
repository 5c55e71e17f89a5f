! SPDX-License-Identifier: Apache-2.0
! fib with two tasks a call.
program main
  implicit none
  integer :: answer
  !$omp parallel
  !$omp single
  !$omp task shared(answer)
  answer = fib(20)
  !$omp end task
  !$omp end single
  !$omp end parallel
  print '("fib ", i0)', answer
contains
  recursive function fib(n) result(answer)
    integer, intent(in) :: n
    integer :: answer, a, b
    if (n < 2) then
      answer = n
      return
    end if
    !$omp task shared(a)
    a = fib(n - 1)
    !$omp end task
    !$omp task shared(b)
    b = fib(n - 2)
    !$omp end task
    !$omp taskwait
    answer = a + b
  end function fib
end program main
