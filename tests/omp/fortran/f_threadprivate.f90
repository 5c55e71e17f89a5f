! SPDX-License-Identifier: Apache-2.0
! threadprivate module variables, arrays, allocatables, derived types and common blocks: they
! persist from region to region and copyin sets them.
module state
  implicit none
  type :: record
    integer :: number = 4
    real(8) :: weights(5) = 1d0
  end type record
  integer, save :: counter = 3
  real(8), save :: table(40)
  integer, allocatable, save :: dynamic(:)
  integer, pointer, save :: pointed => null()
  type(record), save :: rec
  !$omp threadprivate(counter, table, dynamic, pointed, rec)
contains
  subroutine bump()
    counter = counter + 1
  end subroutine bump
end module state

program f_threadprivate
  use omp_lib
  use check
  use state
  implicit none
  integer :: first, second
  real(8) :: third(6)
  common /block/ first, second, third
  !$omp threadprivate(/block/)
  integer, save :: local = 11
  !$omp threadprivate(local)
  integer :: n, round
  integer, target :: goal

  call omp_set_dynamic(.false.)
  n = omp_get_max_threads()

  call begin_case('initial')
  !$omp parallel
  call expect_equal(counter, 3, 'module variable')
  call expect_equal(local, 11, 'local variable')
  call expect_equal(rec%number, 4, 'derived type')
  call expect(.not. allocated(dynamic), 'allocatable')
  call expect(.not. associated(pointed), 'pointer')
  !$omp end parallel

  call begin_case('persistence')
  !$omp parallel
  counter = 100 * omp_get_thread_num()
  table = omp_get_thread_num() + 0.5d0
  allocate (dynamic(3 + omp_get_thread_num()))
  dynamic = omp_get_thread_num()
  rec%number = omp_get_thread_num()
  local = -omp_get_thread_num()
  first = omp_get_thread_num()
  third = omp_get_thread_num()
  !$omp end parallel
  do round = 0, 4
    !$omp parallel
    call expect_equal(counter, 100 * omp_get_thread_num() + round, 'module variable')
    call expect(all(table == omp_get_thread_num() + 0.5d0), 'array')
    call expect_equal(size(dynamic), 3 + omp_get_thread_num(), 'allocatable size')
    call expect(all(dynamic == omp_get_thread_num()), 'allocatable')
    call expect_equal(rec%number, omp_get_thread_num(), 'derived type')
    call expect_equal(local, -omp_get_thread_num(), 'local')
    call expect_equal(first, omp_get_thread_num(), 'common block')
    call expect(all(third == omp_get_thread_num()), 'common block array')
    !$omp barrier
    call bump()
    !$omp end parallel
  end do

  call begin_case('copyin')
  counter = 77
  table = 3d0
  first = 5
  second = 6
  third = 7d0
  rec%weights = 8d0
  goal = 123
  pointed => goal
  deallocate (dynamic)
  allocate (dynamic(10))
  dynamic = 55
  do round = 1, 3
#ifndef GAP_copyin_allocatable
    !$omp parallel copyin(counter, table, /block/, rec, dynamic, pointed)
#else
    !$omp parallel copyin(counter, table, rec, /block/)
#endif
    call expect_equal(counter, 77, 'module variable')
    call expect(all(table == 3d0), 'array')
    call expect_equal(first + second, 11, 'common block')
    call expect(all(third == 7d0), 'common block array')
    call expect(all(rec%weights == 8d0), 'derived type')
#ifndef GAP_copyin_allocatable
    call expect_equal(size(dynamic), 10, 'allocatable size')
    call expect(all(dynamic == 55), 'allocatable')
    call expect_equal(pointed, 123, 'pointer')
#endif
    !$omp barrier
    if (omp_get_thread_num() > 0) then
      counter = -1
      first = -1
      dynamic = -1
    end if
    !$omp end parallel
  end do

#ifndef GAP_in_tasks
  call begin_case('in_tasks')
  !$omp parallel
  counter = omp_get_thread_num()
  !$omp barrier
  !$omp do
  do round = 1, 40
    !$omp task
    call expect_equal(counter, omp_get_thread_num(), 'the running thread''s')
    !$omp end task
  end do
  !$omp end parallel
#endif
  call finish()
end program f_threadprivate
