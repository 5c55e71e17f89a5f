! SPDX-License-Identifier: Apache-2.0
! As ordered_accesses.c, with a barrier.
module shared_value
  integer :: value = 1
contains
  subroutine meet()
    !$omp barrier
  end subroutine
end module
program ordered_accesses
  use omp_lib
  use shared_value
  integer :: before(0:1), after(0:1), me
  !$omp parallel num_threads(2) private(me)
  me = omp_get_thread_num()
  before(me) = value
  call meet()
  if (me == 0) value = 0
  call meet()
  after(me) = value
  !$omp end parallel
  print '(i0,1x,i0)', before(1), after(1)
end program
