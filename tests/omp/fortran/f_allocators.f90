! SPDX-License-Identifier: Apache-2.0
! The allocators construct and the allocate directive, for variables on the stack and for
! allocatable ones. Assignments reallocate what they have allocated, and it is freed without another
! directive.
program f_allocators
  use omp_lib
  use check
  implicit none
  integer, parameter :: address = omp_allocator_handle_kind  ! wide enough
  call on_the_stack()
  call of_allocatables()
  call construct()
  call growth()
  call in_every_thread()
  call finish()

contains

  logical function aligned(where, bytes)
    integer(address), intent(in) :: where
    integer, intent(in) :: bytes
    aligned = mod(where, int(bytes, address)) == 0
  end function aligned

  subroutine on_the_stack()
    integer :: few(8)
    !$omp allocate(few) align(256)
    call begin_case('on_the_stack')
    few = 1
    call expect(aligned(loc(few), 256), 'aligned')
    call expect_equal(sum(few), 8, 'values')
  end subroutine on_the_stack

  subroutine of_allocatables()
    integer, allocatable :: some(:), one
    call begin_case('of_allocatables')
    !$omp allocate(some) align(128) allocator(omp_large_cap_mem_alloc)
    !$omp allocate(one) align(64)
    allocate(some(10), one)
    some = 2
    one = 3
    call expect(aligned(loc(some), 128), 'array aligned')
    call expect(aligned(loc(one), 64), 'scalar aligned')
    call expect_equal(sum(some) + one, 23, 'values')
    deallocate(some)
    allocate(some(3))
    some = 5
    call expect_equal(sum(some), 15, 'without the directive')
  end subroutine of_allocatables

  subroutine construct()
    integer, allocatable :: list(:), matrix(:, :)
    integer(omp_allocator_handle_kind) :: mine
    type(omp_alloctrait) :: traits(2)
    call begin_case('construct')
    traits(1) = omp_alloctrait(omp_atk_pool_size, 100000)
    traits(2) = omp_alloctrait(omp_atk_alignment, 256)
    mine = omp_init_allocator(omp_default_mem_space, 2, traits)
    !$omp allocators allocate(allocator(mine): list, matrix)
    allocate(list(100), matrix(5, 5))
    call expect(aligned(loc(list), 256) .and. aligned(loc(matrix), 256), 'aligned')
    list = 1
    matrix = 2
    list = [list, list]
    call expect_equal(size(list), 200, 'reallocated')
    call expect_equal(sum(list) + sum(matrix), 250, 'values')
    deallocate(list, matrix)
    call omp_destroy_allocator(mine)
  end subroutine construct

  subroutine growth()
    integer, allocatable :: list(:)
    integer :: i
    call begin_case('growth')
    !$omp allocators allocate(align(64): list)
    allocate(list(1))
    list = 1
    do i = 2, 1000
      list = [list, i]
    end do
    call expect_equal(sum(list), 500500, 'values')
  end subroutine growth

  subroutine in_every_thread()
    integer :: total
    call begin_case('in_every_thread')
    total = 0
    !$omp parallel reduction(+:total)
    block
      integer, allocatable :: own(:)
      !$omp allocators allocate(own)
      allocate(own(100))
      own = omp_get_thread_num()
      !$omp barrier
      total = total + sum(own)
    end block
    !$omp end parallel
    call expect_equal(total, 50 * omp_get_max_threads() * (omp_get_max_threads() - 1), 'values')
  end subroutine in_every_thread

end program f_allocators
