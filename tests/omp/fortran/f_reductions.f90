! SPDX-License-Identifier: Apache-2.0
! Every reduction operator of Fortran, arrays, declared reductions, scans, task reductions, atomics.
module pairs
  implicit none
  type :: pair
    integer :: low = huge(1)
    integer :: high = -huge(1)
  end type pair
  interface operator(.join.)
    module procedure join
  end interface
#ifndef GAP_declared
  !$omp declare reduction(.join.:pair:omp_out = omp_out .join. omp_in)
#endif
contains
  elemental function join(a, b) result(c)
    type(pair), intent(in) :: a, b
    type(pair) :: c
    c%low = min(a%low, b%low)
    c%high = max(a%high, b%high)
  end function join
end module pairs

program f_reductions
  use omp_lib
  use check
  use pairs
  implicit none
  ! Quadruple precision if the compiler has it; otherwise the function is negative.
  integer, parameter :: widest = max(selected_real_kind(33), selected_real_kind(15))
  call operators()
  call arrays()
  call declared()
  call scans()
  call tasks()
  call atomics()
  call finish()

contains

  subroutine operators()
    integer :: plus, times, minus, i, least, most, all_bits, any_bits, odd_bits
    logical :: conj, disj, same, differ
    real(8) :: rsum, rmax
    complex(8) :: csum
    real(widest) :: qsum
    integer(1) :: tiny_sum
    call begin_case('operators')
    plus = 1
    times = 1
    minus = 5
    least = 100
    most = -100
    all_bits = not(0)
    any_bits = 0
    odd_bits = 0
    conj = .true.
    disj = .false.
    same = .true.
    differ = .false.
    rsum = 0
    rmax = -1
    csum = 0
    qsum = 0
    tiny_sum = 0
    !$omp parallel do reduction(+:plus, rsum, csum, qsum, tiny_sum) reduction(*:times) &
    !$omp& reduction(min:least) reduction(max:most, rmax) &
    !$omp& reduction(iand:all_bits) reduction(ior:any_bits) reduction(ieor:odd_bits) &
    !$omp& reduction(.and.:conj) reduction(.or.:disj) reduction(.eqv.:same) &
    !$omp& reduction(.neqv.:differ)
    do i = 1, 30
      plus = plus + i
      if (i < 5) times = times * i
      least = min(least, i)
      most = max(most, i)
      all_bits = iand(all_bits, not(ibset(0, i)))
      any_bits = ior(any_bits, ibset(0, i))
      odd_bits = ieor(odd_bits, 7)
      conj = conj .and. i < 31
      disj = disj .or. i == 17
      same = same .eqv. i /= 4
      differ = differ .neqv. .true.
      rsum = rsum + 0.5d0
      rmax = max(rmax, real(i, 8))
      csum = csum + (1d0, 2d0)
      qsum = qsum + 1
      tiny_sum = tiny_sum + 1_1
    end do
    call expect_equal(plus, 466, '+')
    call expect_equal(times, 24, '*')
#ifndef GAP_reduction_minus
    !$omp parallel do reduction(-:minus)
    do i = 1, 30
      minus = minus - 1
    end do
    call expect_equal(minus, -25, '-')
#endif
    call expect_equal(least, 1, 'min')
    call expect_equal(most, 30, 'max')
    call expect_equal(all_bits, ibset(ibset(0, 0), 31), 'iand')
    call expect_equal(any_bits, not(ibset(ibset(0, 0), 31)), 'ior')
    call expect_equal(odd_bits, 0, 'ieor')
    call expect(conj, '.and.')
    call expect(disj, '.or.')
    call expect(.not. same, '.eqv.')
    call expect(.not. differ, '.neqv.')
    call expect(rsum == 15d0 .and. rmax == 30d0, 'real')
    call expect(csum == (30d0, 60d0), 'complex')
    call expect(qsum == 30, 'quad')
    call expect_equal(int(tiny_sum), 30, 'integer(1)')
  end subroutine operators

  subroutine arrays()
#ifndef GAP_reduction_lower_bound
    integer :: fixed(0:9), i
#else
    integer :: fixed(10), i
#endif
    integer, allocatable :: heap(:, :)
    real :: assumed(50)
    integer :: bin
    call begin_case('arrays')
    fixed = 0
    allocate (heap(4, 5))
    heap = 1
    !$omp parallel do reduction(+:fixed) reduction(max:heap) schedule(dynamic) private(bin)
    do i = 0, 199
      bin = lbound(fixed, 1) + mod(i, 10)
      fixed(bin) = fixed(bin) + i
      heap(mod(i, 4) + 1, mod(i, 5) + 1) = max(heap(mod(i, 4) + 1, mod(i, 5) + 1), i)
    end do
    do i = 0, 9
      call expect_equal(fixed(lbound(fixed, 1) + i), 20 * i + 1900, 'fixed')
    end do
    call expect_equal(minval(heap), 180, 'heap least')
    call expect_equal(maxval(heap), 199, 'heap most')
    assumed = 0
    call add_up(assumed, 50)
    call expect(all(assumed == 4), 'dummy argument')
  end subroutine arrays

  subroutine add_up(values, size)
    integer, intent(in) :: size
    real, intent(inout) :: values(size)
    integer :: i
    !$omp parallel do reduction(+:values)
    do i = 0, 4 * size - 1
      values(mod(i, size) + 1) = values(mod(i, size) + 1) + 1
    end do
  end subroutine add_up

  subroutine declared()
#ifndef GAP_declared
    !$omp declare reduction(longest:integer:omp_out = max(omp_out, omp_in)) &
    !$omp& initializer(omp_priv = -1)
    type(pair) :: range, ranges(3)
    integer :: i, length
    call begin_case('declared')
    length = 0
    !$omp parallel do reduction(.join.:range, ranges) reduction(longest:length)
    do i = 1, 90
      range = range .join. pair(i, i)
      ranges(mod(i, 3) + 1) = ranges(mod(i, 3) + 1) .join. pair(i, i)
      length = max(length, mod(i * 7, 50))
    end do
    call expect_equal(range%low, 1, 'low')
    call expect_equal(range%high, 90, 'high')
    call expect_equal(ranges(1)%low, 3, 'array low')
    call expect_equal(ranges(3)%high, 89, 'array high')
    call expect_equal(length, 49, 'longest')
#endif
  end subroutine declared

  subroutine scans()
    integer :: i, total, prefix(200), before(200)
    call begin_case('scans')
#ifndef GAP_scans
    total = 0
    !$omp parallel do reduction(inscan, +:total)
    do i = 1, 200
      total = total + i
      !$omp scan inclusive(total)
      prefix(i) = total
    end do
    call expect_equal(total, 20100, 'total')
    total = 0
    !$omp parallel do reduction(inscan, +:total)
    do i = 1, 200
      before(i) = total
      !$omp scan exclusive(total)
      total = total + i
    end do
    do i = 1, 200
      call expect_equal(prefix(i), i * (i + 1) / 2, 'inclusive')
      call expect_equal(before(i), i * (i - 1) / 2, 'exclusive')
    end do
#endif
  end subroutine scans

  subroutine tasks()
    integer :: total, i, loop_total
    integer :: table(6)
    call begin_case('tasks')
#ifndef GAP_task_reductions
    total = 0
    loop_total = 0
    table = 0
    !$omp parallel
    !$omp single
    !$omp taskgroup task_reduction(+:total, table)
    do i = 1, 60
      !$omp task in_reduction(+:total, table) firstprivate(i)
      total = total + i
      table(mod(i, 6) + 1) = table(mod(i, 6) + 1) + 1
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp taskloop reduction(+:loop_total) grainsize(4)
    do i = 1, 100
      loop_total = loop_total + i
    end do
    !$omp end single
    !$omp end parallel
    call expect_equal(total, 1830, 'taskgroup')
    call expect(all(table == 10), 'array')
    call expect_equal(loop_total, 5050, 'taskloop')
    total = 0
    !$omp parallel reduction(task, +:total)
    !$omp task in_reduction(+:total)
    total = total + 2
    !$omp end task
    total = total + 1
    !$omp end parallel
    call expect_equal(total, 3 * omp_get_max_threads(), 'parallel')
#endif
  end subroutine tasks

  subroutine atomics()
    integer :: number, before, largest
    real(widest) :: quad
    complex(8) :: wide
    logical :: flag
    call begin_case('atomics')
    number = 0
    quad = 0
    wide = 0
    flag = .true.
    largest = 0
    !$omp parallel private(before)
    !$omp atomic
    number = number + 1
    !$omp atomic update
    quad = quad + 0.5_widest
#ifndef GAP_atomic_complex
    !$omp atomic update seq_cst
    wide = wide + (1d0, -1d0)
#endif
    !$omp atomic
    flag = flag .and. .true.
    !$omp atomic
    largest = max(largest, omp_get_thread_num())
    !$omp atomic capture
    before = number
    number = number + 10
    !$omp end atomic
    call expect(before >= 1, 'capture')
    !$omp atomic read
    before = number
    !$omp end parallel
    call expect_equal(number, 11 * omp_get_max_threads(), 'integer')
    call expect(quad == 0.5_widest * omp_get_max_threads(), 'quad')
#ifndef GAP_atomic_complex
    call expect(wide == (1d0, -1d0) * omp_get_max_threads(), 'complex')
#endif
    call expect(flag, 'logical')
    call expect_equal(largest, omp_get_max_threads() - 1, 'max')
    !$omp parallel
    !$omp atomic write
    number = 5
    !$omp end parallel
    call expect_equal(number, 5, 'write')
  end subroutine atomics

end program f_reductions
