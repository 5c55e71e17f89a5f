! SPDX-License-Identifier: Apache-2.0
! The whole API from Fortran, with default and with 8-byte integers and logicals, for which there
! are separate entry points.
program f_api
  use omp_lib
  use check
  use iso_c_binding
  implicit none
  call settings()
  call settings_of_eight_bytes()
  call levels()
  call locks()
  call places()
  call formats()
  call memory()
  call devices_and_pauses()
  call events()
  call clocks()
  call finish()

contains

  subroutine settings()
    integer :: n, chunk
    integer(omp_sched_kind) :: kind
    call begin_case('settings')
    n = omp_get_max_threads()
    call omp_set_num_threads(n + 2)
    call expect_equal(omp_get_max_threads(), n + 2, 'num_threads')
    call omp_set_num_threads(n)
    call omp_set_dynamic(.true.)
    call expect(omp_get_dynamic(), 'dynamic')
    call omp_set_dynamic(.false.)
    call expect(.not. omp_get_dynamic(), 'not dynamic')
    call omp_set_schedule(omp_sched_guided, 6)
    call omp_get_schedule(kind, chunk)
    call expect(iand(int(kind), 255) == int(omp_sched_guided), 'schedule kind')
    call expect_equal(chunk, 6, 'schedule chunk')
    call omp_set_max_active_levels(4)
    call expect_equal(omp_get_max_active_levels(), 4, 'max_active_levels')
    call omp_set_nested(.false.)
    call expect(.not. omp_get_nested(), 'nested')
    call omp_set_nested(.true.)
    call expect(omp_get_nested(), 'nested')
    call omp_set_num_teams(3)
    call expect_equal(omp_get_max_teams(), 3, 'num_teams')
    call omp_set_teams_thread_limit(5)
    call expect_equal(omp_get_teams_thread_limit(), 5, 'teams_thread_limit')
    call expect(omp_get_thread_limit() > 0, 'thread_limit')
    call expect(omp_get_num_procs() > 0, 'num_procs')
    call expect(omp_get_supported_active_levels() >= 4, 'supported levels')
    call expect(omp_get_max_task_priority() >= 0, 'priority')
#ifndef GAP_get_cancellation
    call expect(.not. omp_get_cancellation(), 'cancellation')
#endif
    call expect_equal(omp_get_num_teams(), 1, 'num_teams')
    call expect_equal(omp_get_team_num(), 0, 'team_num')
  end subroutine settings

  subroutine settings_of_eight_bytes()
    integer(8) :: n, chunk
    integer(omp_sched_kind) :: kind
    logical(8) :: yes, no
    call begin_case('settings_of_eight_bytes')
#ifndef GAP_eight_bytes
    yes = .true.
    no = .false.
    n = omp_get_max_threads()
    call omp_set_num_threads(n + 3_8)
    call expect_equal(omp_get_max_threads(), int(n) + 3, 'num_threads')
    call omp_set_num_threads(n)
    call omp_set_dynamic(yes)
    call expect(omp_get_dynamic(), 'dynamic')
    call omp_set_dynamic(no)
    call expect(.not. omp_get_dynamic(), 'not dynamic')
    call omp_set_nested(yes)
    call expect(omp_get_nested(), 'nested')
    call omp_set_schedule(omp_sched_dynamic, 11_8)
    call omp_get_schedule(kind, chunk)
    call expect(iand(int(kind), 255) == int(omp_sched_dynamic), 'schedule kind')
    call expect(chunk == 11_8, 'schedule chunk')
    call omp_set_max_active_levels(3_8)
    call expect_equal(omp_get_max_active_levels(), 3, 'max_active_levels')
    call omp_set_num_teams(2_8)
    call expect_equal(omp_get_max_teams(), 2, 'num_teams')
    call omp_set_teams_thread_limit(7_8)
    call expect_equal(omp_get_teams_thread_limit(), 7, 'teams_thread_limit')
    call omp_set_default_device(0_8)
    call expect_equal(omp_get_default_device(), 0, 'default_device')
    call expect_equal(omp_get_ancestor_thread_num(0_8), 0, 'ancestor')
    call expect_equal(omp_get_team_size(0_8), 1, 'team size')
#endif
  end subroutine settings_of_eight_bytes

  subroutine levels()
    call begin_case('levels')
    call omp_set_max_active_levels(2)
    call expect(.not. omp_in_parallel(), 'outside')
    !$omp parallel num_threads(2)
    call expect(omp_in_parallel(), 'inside')
    !$omp parallel num_threads(2)
    call expect_equal(omp_get_level(), 2, 'level')
    call expect_equal(omp_get_active_level(), 2, 'active level')
    call expect_equal(omp_get_team_size(1), 2, 'team size')
    call expect_equal(omp_get_ancestor_thread_num(2), omp_get_thread_num(), 'ancestor')
    call expect_equal(omp_get_num_threads(), 2, 'num_threads')
    call expect(.not. omp_in_final(), 'final')
    !$omp end parallel
    !$omp end parallel
  end subroutine levels

  subroutine locks()
    integer(omp_lock_kind) :: simple
    integer(omp_nest_lock_kind) :: nest
    integer :: count, i
    call begin_case('locks')
    count = 0
    call omp_init_lock(simple)
    call omp_init_nest_lock(nest)
    call expect(omp_test_lock(simple), 'free')
    call expect(.not. omp_test_lock(simple), 'taken')
    call omp_unset_lock(simple)
    !$omp parallel private(i)
    do i = 1, 20
      call omp_set_lock(simple)
      count = count + 1
      call omp_unset_lock(simple)
      call omp_set_nest_lock(nest)
      call expect_equal(omp_test_nest_lock(nest), 2, 'nesting count')
      call omp_unset_nest_lock(nest)
      call omp_unset_nest_lock(nest)
    end do
    !$omp end parallel
    call expect_equal(count, 20 * omp_get_max_threads(), 'exclusion')
    call omp_destroy_lock(simple)
    call omp_destroy_nest_lock(nest)
  end subroutine locks

  subroutine places()
    integer :: count, i, procs, ids(1024), numbers(1024)
    integer(8) :: place, ids8(1024), numbers8(1024)
    call begin_case('places')
    count = omp_get_num_places()
    call expect(count >= 0, 'num_places')
    do i = 0, count - 1
      place = i
      procs = omp_get_place_num_procs(i)
      call expect(procs > 0 .and. procs <= 1024, 'place_num_procs')
#ifndef GAP_eight_bytes
      call expect_equal(omp_get_place_num_procs(place), procs, 'place_num_procs of 8 bytes')
#endif
      call omp_get_place_proc_ids(i, ids)
#ifndef GAP_eight_bytes
      call omp_get_place_proc_ids(place, ids8)
      call expect(all(ids(1:procs) == ids8(1:procs)), 'place_proc_ids')
#endif
    end do
    call expect(omp_get_place_num() < max(count, 1), 'place_num')
    procs = omp_get_partition_num_places()
    call expect(procs <= count, 'partition')
    call omp_get_partition_place_nums(numbers)
#ifndef GAP_eight_bytes
    call omp_get_partition_place_nums(numbers8)
    call expect(all(numbers(1:procs) == numbers8(1:procs)), 'partition_place_nums')
#endif
    call expect(omp_get_proc_bind() >= omp_proc_bind_false, 'proc_bind')
  end subroutine places

  subroutine formats()
    character(len=30) :: text
    integer :: length
    call begin_case('formats')
    call omp_set_affinity_format('n%n of %N')
    length = omp_get_affinity_format(text)
    call expect_equal(length, 9, 'length of the format')
    call expect(text == 'n%n of %N', 'format')
    length = int(omp_capture_affinity(text, ''))
    call expect(text == 'n0 of 1', 'captured')
    length = int(omp_capture_affinity(text, 'L%L'))
    call expect(text == 'L0', 'captured with its own format')
    call expect_equal(length, 2, 'length of what was captured')
    call omp_display_affinity('%n')
    call omp_display_env(.false.)
    call omp_display_env(.true._8)
  end subroutine formats

  subroutine memory()
    integer(omp_allocator_handle_kind) :: mine, before
    type(omp_alloctrait) :: traits(2)
    type(c_ptr) :: block
    integer(8) :: two
    call begin_case('memory')
    traits(1) = omp_alloctrait(omp_atk_alignment, 128)
    traits(2) = omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)
    mine = omp_init_allocator(omp_default_mem_space, 2, traits)
    call expect(mine /= omp_null_allocator, 'init_allocator')
    before = omp_get_default_allocator()
    call omp_set_default_allocator(mine)
    call expect(omp_get_default_allocator() == mine, 'default allocator')
    block = omp_alloc(100_c_size_t, mine)
    call expect(c_associated(block), 'alloc')
    call expect(mod(transfer(block, 0_c_intptr_t), 128_c_intptr_t) == 0, 'alignment')
    block = omp_realloc(block, 5000_c_size_t, mine, mine)
    call expect(c_associated(block), 'realloc')
    call omp_free(block, mine)
    block = omp_aligned_alloc(256_c_size_t, 512_c_size_t, mine)
    call expect(mod(transfer(block, 0_c_intptr_t), 256_c_intptr_t) == 0, 'aligned_alloc')
    call omp_free(block, mine)
    block = omp_calloc(10_c_size_t, 10_c_size_t, omp_default_mem_alloc)
    call expect(c_associated(block), 'calloc')
    call omp_free(block, omp_default_mem_alloc)
    block = omp_aligned_calloc(64_c_size_t, 4_c_size_t, 64_c_size_t, omp_default_mem_alloc)
    call expect(c_associated(block), 'aligned_calloc')
    call omp_free(block, omp_null_allocator)
    call omp_set_default_allocator(before)
    call omp_destroy_allocator(mine)
#ifndef GAP_eight_bytes
    two = 2
    mine = omp_init_allocator(omp_default_mem_space, two, traits)
    call expect(mine /= omp_null_allocator, 'init_allocator of 8 bytes')
    call omp_destroy_allocator(mine)
#endif
  end subroutine memory

  subroutine devices_and_pauses()
    integer :: host
    call begin_case('devices_and_pauses')
    host = omp_get_initial_device()
    call expect_equal(omp_get_num_devices(), 0, 'num_devices')
    call expect_equal(omp_get_device_num(), host, 'device_num')
    call expect(omp_is_initial_device(), 'initial device')
    call omp_set_default_device(0)
    call expect_equal(omp_get_default_device(), 0, 'default_device')
    call expect_equal(omp_pause_resource(omp_pause_soft, host), 0, 'pause')
    call expect_equal(omp_pause_resource_all(omp_pause_hard), 0, 'pause all')
    !$omp parallel
    call expect(omp_get_thread_num() < omp_get_num_threads(), 'after the pause')
    !$omp end parallel
  end subroutine devices_and_pauses

  subroutine events()
    integer(omp_event_handle_kind) :: event
    integer :: ran
    call begin_case('events')
#ifndef GAP_events
    ran = 0
    !$omp parallel
    !$omp single
    !$omp task detach(event) shared(ran)
    ran = ran + 1
    !$omp end task
    call omp_fulfill_event(event)
    !$omp taskwait
    call expect_equal(ran, 1, 'detached task')
    !$omp end single
    !$omp end parallel
#endif
  end subroutine events

  subroutine clocks()
    real(8) :: start
    call begin_case('clocks')
    start = omp_get_wtime()
    call expect(omp_get_wtick() > 0, 'wtick')
    call expect(omp_get_wtime() >= start, 'wtime')
  end subroutine clocks

end program f_api
