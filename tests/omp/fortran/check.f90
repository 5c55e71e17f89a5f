! SPDX-License-Identifier: Apache-2.0
!
! Shared by all Fortran programs: counts failures without any OpenMP construct under test except a
! critical of its own name, and names the case.
module check
  use omp_lib
  implicit none
  private
  integer, save :: failures = 0
  character(len=40), save :: case_name = 'start-up'
  public :: begin_case, expect, expect_equal, finish

contains

  subroutine begin_case(name)
    character(len=*), intent(in) :: name
    case_name = name
  end subroutine begin_case

  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    !$omp critical (check_failure)
    failures = failures + 1
    if (failures <= 20) then
      write (0, '(5a,i0,a,i0)') 'case ', trim(case_name), ': ', what, ', thread ', &
          omp_get_thread_num(), ' of ', omp_get_num_threads()
    end if
    !$omp end critical (check_failure)
  end subroutine expect

  subroutine expect_equal(got, want, what)
    integer, intent(in) :: got, want
    character(len=*), intent(in) :: what
    character(len=80) :: text
    if (got == want) return
    write (text, '(2a,i0,a,i0)') what, ': got ', got, ', want ', want
    call expect(.false., trim(text))
  end subroutine expect_equal

  subroutine finish()
    if (failures > 0) then
      write (0, '(i0,a)') failures, ' failures'
      stop 1
    end if
  end subroutine finish

end module check
