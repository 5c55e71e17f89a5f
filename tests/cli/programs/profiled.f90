! SPDX-License-Identifier: Apache-2.0
program profiled
  implicit none
  integer :: i
  real(8) :: total
  total = 0
  !$omp parallel do reduction(+:total) schedule(dynamic, 10)
  do i = 1, 1000
    total = total + i
  end do
  !$omp end parallel do
  if (total /= 500500) stop 1
end program profiled
