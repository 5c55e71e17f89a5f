! SPDX-License-Identifier: Apache-2.0
! Regions, loops, sections, workshare and data clauses as Fortran programs use them.
program f_regions
  use omp_lib
  use check
  implicit none
  integer :: n
  n = omp_get_max_threads()
  call teams_of_threads()
  call loops()
  call sections_and_single()
  call workshare()
  call allocatables()
  call ordered_loops()
  call nested()
  call finish()

contains

  subroutine teams_of_threads()
    integer :: seen(0:512), i, size
    call begin_case('teams_of_threads')
    do size = 1, min(n, 5) + 1
      seen = 0
      !$omp parallel num_threads(size) default(none) shared(seen, size)
      !$omp atomic
      seen(omp_get_thread_num()) = seen(omp_get_thread_num()) + 1
      call expect_equal(omp_get_num_threads(), size, 'team size')
      !$omp end parallel
      do i = 0, 512
        call expect_equal(seen(i), merge(1, 0, i < size), 'thread seen')
      end do
    end do
    i = 0
    !$omp parallel if (.false.)
    i = i + omp_get_num_threads()
    !$omp end parallel
    call expect_equal(i, 1, 'if clause')
  end subroutine teams_of_threads

  subroutine loops()
    integer :: hits(1000), i, j, k, last
    integer(8) :: l, big
    call begin_case('loops')
    hits = 0
    !$omp parallel do schedule(static)
    do i = 1, 1000
      hits(i) = hits(i) + 1
    end do
    !$omp end parallel do
    !$omp parallel
    !$omp do schedule(dynamic, 7)
    do i = 1000, 1, -1
      hits(i) = hits(i) + 1
    end do
    !$omp end do nowait
    !$omp end parallel
    !$omp parallel do schedule(guided) lastprivate(last)
    do i = 1, 1999, 2
      hits((i + 1) / 2) = hits((i + 1) / 2) + 1
      last = i
    end do
    call expect_equal(last, 1999, 'lastprivate')
    big = 8000000000_8
    !$omp parallel do schedule(dynamic, 3)
    do l = big, big + 999
      hits(int(l - big) + 1) = hits(int(l - big) + 1) + 1
    end do
    !$omp parallel do collapse(3) schedule(static, 5)
    do i = 0, 9
      do j = 9, 0, -1
        do k = 1, 10
          hits(i * 100 + j * 10 + k) = hits(i * 100 + j * 10 + k) + 1
        end do
      end do
    end do
    !$omp parallel do schedule(runtime)
    do i = 1, 1000
      hits(i) = hits(i) + 1
    end do
    call expect(all(hits == 6), 'every iteration once a loop')
    k = 0
    !$omp parallel do reduction(+:k)
    do i = 5, 4
      k = k + 1
    end do
    call expect_equal(k, 0, 'empty loop')
  end subroutine loops

  subroutine sections_and_single()
    integer :: ran(4), singles, values(20)
    real(8) :: copied
    integer, allocatable :: table(:)
    integer, pointer :: pointed
    integer, target :: somewhere
    call begin_case('sections_and_single')
    ran = 0
    singles = 0
    somewhere = 9
    !$omp parallel private(copied, values, pointed)
    !$omp sections
    !$omp section
    ran(1) = ran(1) + 1
    !$omp section
    ran(2) = ran(2) + 1
    !$omp section
    ran(3) = ran(3) + 1
    !$omp section
    ran(4) = ran(4) + 1
    !$omp end sections
    call expect(all(ran == 1), 'sections')
    !$omp single
    singles = singles + 1
    copied = 2.5d0
    values = 7
    pointed => somewhere
    !$omp end single copyprivate(copied, values, pointed)
    call expect(copied == 2.5d0, 'copyprivate scalar')
    call expect(all(values == 7), 'copyprivate array')
    call expect_equal(pointed, 9, 'copyprivate pointer')
    !$omp single
    !$omp atomic
    singles = singles + 1
    !$omp end single nowait
    !$omp masked
    !$omp atomic
    singles = singles + 1
    !$omp end masked
    !$omp end parallel
    call expect_equal(singles, 3, 'single')
    !$omp parallel private(table)
    allocate (table(5))
    !$omp single
    table = 3
    !$omp end single copyprivate(table)
    call expect(all(table == 3), 'copyprivate allocatable')
    deallocate (table)
    !$omp end parallel
    !$omp parallel sections
    !$omp section
    ran(1) = ran(1) + 1
    !$omp section
    ran(2) = ran(2) + 1
    !$omp end parallel sections
    call expect_equal(sum(ran), 6, 'parallel sections')
  end subroutine sections_and_single

  subroutine workshare()
    integer, parameter :: size = 300
    real(8) :: a(size), b(size), c(size), total
    integer :: i
    call begin_case('workshare')
    a = [(real(i, 8), i=1, size)]
    !$omp parallel
    !$omp workshare
    b = a * 2
    c = a + b
    where (c > 300) c = 0
    total = sum(a)
    forall (i = 1:size) b(i) = b(i) + 1
    !$omp end workshare
    !$omp end parallel
    call expect(all(b == a * 2 + 1), 'array assignment')
    call expect(all(c == merge(0d0, a * 3, a * 3 > 300)), 'where')
    call expect(total == size * (size + 1) / 2, 'sum')
    !$omp parallel workshare
    a = b - 1
    !$omp end parallel workshare
    call expect(all(a == b - 1), 'parallel workshare')
  end subroutine workshare

  subroutine allocatables()
    integer, allocatable :: mine(:), first(:), last(:), sums(:), never(:)
    character(len=4), allocatable :: text
    integer :: i
    call begin_case('allocatables')
    allocate (first(10), last(4), sums(8))
    first = 5
    sums = 0
    text = 'heap'
    !$omp parallel private(mine, never) firstprivate(first, text)
    call expect(.not. allocated(mine), 'private starts unallocated')
    allocate (mine(100 + omp_get_thread_num()))
    mine = omp_get_thread_num()
    call expect(all(first == 5), 'firstprivate')
    call expect(text == 'heap', 'firstprivate text')
    first = omp_get_thread_num()
    !$omp barrier
    call expect(all(mine == omp_get_thread_num()), 'own array')
    call expect(all(first == omp_get_thread_num()), 'own copy')
    call expect_equal(size(mine), 100 + omp_get_thread_num(), 'own size')
    !$omp end parallel
    call expect(all(first == 5), 'original')
    call expect(.not. allocated(mine), 'original stays unallocated')
    !$omp parallel do lastprivate(last) reduction(+:sums)
    do i = 1, 80
      last = i
      sums(mod(i, 8) + 1) = sums(mod(i, 8) + 1) + 1
    end do
    call expect(all(last == 80), 'lastprivate')
    call expect(all(sums == 10), 'reduction')
  end subroutine allocatables

  subroutine ordered_loops()
    integer :: next, i, j, done(0:40, 0:10)
    call begin_case('ordered_loops')
#ifndef GAP_ordered_loops
    next = 1
    !$omp parallel do ordered schedule(dynamic)
    do i = 1, 60
      !$omp ordered
      call expect_equal(next, i, 'order')
      next = next + 1
      !$omp end ordered
    end do
    call expect_equal(next, 61, 'all ordered')
    done = 0
    done(0, :) = 1
    done(:, 0) = 1
    !$omp parallel do ordered(2) schedule(dynamic)
    do i = 1, 40
      do j = 1, 10
        !$omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)
        call expect(done(i - 1, j) == 1 .and. done(i, j - 1) == 1, 'sinks')
        done(i, j) = 1
        !$omp ordered depend(source)
      end do
    end do
    call expect(all(done == 1), 'doacross')
#endif
  end subroutine ordered_loops

  subroutine nested()
    integer :: total, outer
    call begin_case('nested')
    total = 0
    outer = min(n, 4)
    call omp_set_max_active_levels(2)
    !$omp parallel num_threads(outer) reduction(+:total)
    !$omp parallel num_threads(3) reduction(+:total)
    call expect_equal(omp_get_level(), 2, 'level')
    call expect_equal(omp_get_team_size(2), 3, 'team size')
    total = total + 1
    !$omp end parallel
    !$omp end parallel
    call expect_equal(total, 3 * outer, 'threads')
  end subroutine nested

end program f_regions
