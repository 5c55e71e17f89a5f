! SPDX-License-Identifier: Apache-2.0
! Tasks from Fortran: recursion, dependences, taskloop, taskgroup, detach, final, cancellation
! constructs, critical, target on the host.
program f_tasks
  use omp_lib
  use check
  use iso_c_binding, only: c_intptr_t
  implicit none
  integer :: result, i
  call begin_case('fibonacci')
  !$omp parallel
  !$omp single
  call fibonacci(13, result)
  !$omp end single
  !$omp end parallel
  call expect_equal(result, 233, 'fib(13)')
  call dependences()
  call loops()
  call detached()
  call clauses()
  ! This order is needed: GCC 12's own runtime may hang in teams after target regions.
  call teams()
  call devices()
  call finish()

contains

  recursive subroutine fibonacci(k, value)
    integer, intent(in) :: k
    integer, intent(out) :: value
    integer :: left, right
    if (k < 2) then
      value = k
      return
    end if
    !$omp task shared(left) firstprivate(k)
    call fibonacci(k - 1, left)
    !$omp end task
    !$omp task shared(right) firstprivate(k)
    call fibonacci(k - 2, right)
    !$omp end task
    !$omp taskwait
    value = left + right
  end subroutine fibonacci

  subroutine dependences()
    integer :: value, cells(11), k, readers
    integer(omp_depend_kind) :: object
    call begin_case('dependences')
    value = 0
    cells = 0
    readers = 0
    !$omp parallel
    !$omp single
    do k = 1, 50
#ifndef GAP_task_firstprivate
      !$omp task depend(inout: value) firstprivate(k) shared(value)
      call expect_equal(value, k - 1, 'chain')
      value = k
      !$omp end task
#else
      !$omp task depend(inout: value) shared(value)
      value = value + 1
      !$omp end task
#endif
    end do
    do k = 1, 10
#ifndef GAP_depend_element
      !$omp task depend(in: value) depend(out: cells(k)) firstprivate(k) &
      !$omp& shared(value, cells, readers)
      cells(k) = k
#else
      !$omp task depend(in: value) shared(value, readers)
#endif
      call expect_equal(value, 50, 'reader')
      !$omp atomic
      readers = readers + 1
      !$omp end task
    end do
#ifndef GAP_depend_iterator
    ! Compilers differ on whether the range includes its end.
    !$omp task depend(iterator(k = 1:11), in: cells(k)) shared(cells)
    call expect_equal(sum(cells), 55, 'iterator')
    !$omp end task
#endif
#ifndef GAP_mutexinoutset
    !$omp task depend(mutexinoutset: value) shared(value)
#else
    !$omp task depend(inout: value) shared(value)
#endif
    value = value + 1
    !$omp end task
#ifndef GAP_mutexinoutset
    !$omp task depend(mutexinoutset: value) shared(value)
#else
    !$omp task depend(inout: value) shared(value)
#endif
    value = value + 1
    !$omp end task
#ifndef GAP_taskwait_depend
    !$omp taskwait depend(in: value)
#else
    !$omp taskwait
#endif
    call expect_equal(value, 52, 'taskwait depend')
    call expect_equal(readers, 10, 'readers')
#ifndef GAP_depobj
    !$omp depobj(object) depend(inout: value)
    !$omp task depend(depobj: object) shared(value)
    value = value + 1
    !$omp end task
    !$omp task depend(depobj: object) shared(value)
    call expect_equal(value, 53, 'depobj')
    !$omp end task
    !$omp taskwait
    !$omp depobj(object) destroy
#endif
    !$omp end single
    !$omp end parallel
  end subroutine dependences

  subroutine loops()
    integer :: hits(200), k, j, last
    call begin_case('taskloop')
    hits = 0
#ifndef GAP_taskloop
    !$omp parallel
    !$omp single
    !$omp taskloop grainsize(7) lastprivate(last)
    do k = 1, 200
      hits(k) = hits(k) + 1
      last = k
    end do
    !$omp end taskloop
    call expect_equal(last, 200, 'lastprivate')
    !$omp taskloop num_tasks(5) collapse(2)
    do k = 0, 19
      do j = 10, 1, -1
        hits(k * 10 + j) = hits(k * 10 + j) + 1
      end do
    end do
    !$omp taskgroup
    !$omp taskloop nogroup untied
    do k = 1, 200
      hits(k) = hits(k) + 1
    end do
    !$omp end taskgroup
    call expect(all(hits == 3), 'every iteration')
    !$omp end single
    !$omp end parallel
    !$omp parallel masked taskloop
    do k = 1, 200
      hits(k) = hits(k) + 1
    end do
    call expect(all(hits == 4), 'parallel masked taskloop')
#endif
  end subroutine loops

  subroutine detached()
    integer(omp_event_handle_kind) :: event
    integer :: value, k
    call begin_case('detached')
#ifndef GAP_detached
    value = 0
    do k = 1, 5
      !$omp parallel
      !$omp single
      !$omp task detach(event) depend(out: value) shared(value)
      value = value + 1
      !$omp end task
      !$omp task depend(in: value) shared(value) firstprivate(k)
      call expect_equal(value, k, 'after the event')
      !$omp end task
      !$omp task firstprivate(event)
      call omp_fulfill_event(event)
      !$omp end task
      !$omp taskwait
      !$omp end single
      !$omp end parallel
    end do
#endif
  end subroutine detached

  subroutine clauses()
    integer :: ran, k
    logical :: in_final
    integer, allocatable :: array(:)
    call begin_case('clauses')
    ran = 0
    allocate (array(30))
    array = 6
    !$omp parallel
    !$omp single
    do k = 1, 20
      !$omp task if(.false.) shared(ran)
      ran = ran + 1
      !$omp end task
      call expect_equal(ran, k, 'undeferred')
    end do
    !$omp task final(.true.) shared(in_final)
    in_final = omp_in_final()
    !$omp end task
    !$omp taskwait
    call expect(in_final, 'final')
    do k = 1, 20
#ifndef GAP_mergeable_and_priority
      !$omp task firstprivate(array, k) mergeable priority(k) shared(ran)
#else
      !$omp task firstprivate(array, k) shared(ran)
#endif
      call expect(all(array == 6), 'firstprivate allocatable')
      array = k
      !$omp atomic
      ran = ran + 1
      !$omp taskyield
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    call expect_equal(ran, 40, 'ran')
    ran = 0
    !$omp parallel
    !$omp do
    do k = 1, 50
#ifndef GAP_cancel
      !$omp cancel do if (.false.)
#endif
      !$omp critical (name)
      ran = ran + 1
      !$omp end critical (name)
#ifndef GAP_cancel
      !$omp cancellation point do
#endif
    end do
    !$omp critical
    ran = ran + 1
    !$omp end critical
    !$omp barrier
#ifndef GAP_scope
    !$omp scope reduction(+:ran)
    ran = ran + 1
    !$omp end scope
#else
    !$omp atomic
    ran = ran + 1
#endif
    !$omp end parallel
    call expect_equal(ran, 50 + 2 * omp_get_max_threads(), 'critical')
  end subroutine clauses

  subroutine devices()
    integer :: a(20), b(20), k, flag
    call begin_case('devices')
#ifndef GAP_devices
    a = [(k, k=1, 20)]
    !$omp target data map(to: a) map(from: b)
    !$omp target
    b = a * 2
    !$omp end target
    !$omp target update from(b)
    !$omp end target data
    call expect(all(b == 2 * a), 'target')
    flag = 0
    !$omp target parallel do map(tofrom: b)
    do k = 1, 20
      b(k) = b(k) + 1
    end do
    !$omp target enter data map(to: flag)
    !$omp target nowait depend(inout: flag) map(tofrom: flag)
    flag = flag + 1
    !$omp end target
    !$omp task depend(inout: flag) shared(flag)
    flag = flag + 1
    !$omp end task
    !$omp taskwait
    !$omp target exit data map(from: flag)
    call expect_equal(flag, 2, 'nowait')
    call expect(all(b == 2 * a + 1), 'target parallel do')
    call expect(omp_is_initial_device(), 'initial device')
#endif
  end subroutine devices

  subroutine teams()
    integer :: count, hits(60), k
    call begin_case('teams')
    count = 0
    hits = 0
#ifndef GAP_teams_reduction
    !$omp teams num_teams(3) thread_limit(2) reduction(+:count)
    count = count + 1
    !$omp end teams
#else
    !$omp teams num_teams(3) thread_limit(2) shared(count)
    !$omp atomic
    count = count + 1
    !$omp end teams
#endif
    call expect(count >= 1 .and. count <= 3, 'league')
#ifndef GAP_distribute
    !$omp teams distribute parallel do num_teams(2)
    do k = 1, 60
      hits(k) = hits(k) + 1
    end do
    call expect(all(hits == 1), 'distribute')
#endif
#ifndef GAP_loop
    hits = 1
    !$omp parallel
    !$omp loop
    do k = 1, 60
      hits(k) = hits(k) + 1
    end do
    !$omp end parallel
    call expect(all(hits == 2), 'loop')
#endif
  end subroutine teams

end program f_tasks
