# SPDX-License-Identifier: Apache-2.0
#
# The programs, by construct.

# Regions and teams
omp_program(c/parallel_basic.c)
omp_program(c/parallel_nested.c)
omp_program(c/parallel_threadprivate.c)
omp_program(c/teams.c)
omp_program(c/distribute.c)
omp_program(c/parallel_share.c NO_LIBGOMP SET BOBBIN_SHARE=fair OMP_NUM_THREADS=8)
omp_program(c/parallel_turns.c NO_LIBGOMP)
omp_program(c/call_places.c NO_LIBGOMP FLAGS -D_GNU_SOURCE "-I${PROJECT_SOURCE_DIR}/include" -rdynamic)
omp_program(c/orphaned.c)
omp_program(c/float_environment.c)
omp_program(c/mixture.c)

# Worksharing
omp_program(c/for_schedules.c)
omp_program(c/for_monotonic.c SET KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=true)
omp_program(c/for_runtime.c)
omp_program(c/for_limits.c)
omp_program(c/for_collapse.c)
omp_program(c/for_ordered.c)
# libgomp spins while it waits for sinks.
omp_program(c/for_doacross.c LIBGOMP_THREADS 1,3)
omp_program(c/for_lastprivate.c)
omp_program(c/for_nowait.c)
omp_program(c/loop_construct.c)
omp_program(c/simd.c)
omp_program(c/sections.c)
omp_program(c/single.c)
omp_program(c/scope.c)

# Reductions
omp_program(c/reduction_ops.c)
omp_program(c/reduction_declared.c)
omp_program(c/reduction_task.c)

# Synchronisation
omp_program(c/critical.c)
omp_program(c/atomic.c)
omp_program(c/barrier.c)
omp_program(c/locks.c)
omp_program(c/cancel.c SET OMP_CANCELLATION=true)
# Many workers: threads come to barriers and to the end of regions by trees (team/model/arrival_tree.h).
omp_tests(barrier_tree barrier GNU_ONLY NO_LIBGOMP SET BOBBIN_WORKERS=72)
omp_tests(cancel_tree cancel GNU_ONLY NO_LIBGOMP SET OMP_CANCELLATION=true BOBBIN_WORKERS=72)
omp_tests(cancel_off cancel)
# Freed memory is overwritten, so that a use after free shows. libgomp has such a use.
omp_tests(cancel_freed cancel NO_LIBGOMP SET OMP_CANCELLATION=true MALLOC_PERTURB_=165)

# Tasks
omp_program(c/task_basic.c)
omp_program(c/task_inlined.c SET OMP_CANCELLATION=true)
omp_program(c/task_unread.c SET OMP_CANCELLATION=true)
omp_program(c/task_wait.c)
omp_tests(task_wait_tree task_wait GNU_ONLY NO_LIBGOMP SET BOBBIN_WORKERS=72)
omp_program(c/task_calls.c)
omp_program(c/task_tied.c)
omp_program(c/task_siblings.c)
# The order among equal priorities is specific to Bobbin.
omp_program(c/task_priority.c NO_LIBGOMP SET OMP_MAX_TASK_PRIORITY=5)
omp_program(c/task_data.c SET BOBBIN_TASK_MEMORY=16M)
omp_program(c/task_memory.c NO_LIBGOMP SET BOBBIN_TASK_MEMORY=512K)
omp_program(c/task_depend.c)
omp_program(c/task_depobj.c)
omp_program(c/task_detach.c)
omp_program(c/task_recursion.c)
omp_program(c/taskloop.c)
omp_program(c/taskloop_ranges.c NO_LIBGOMP SET OMP_MAX_TASK_PRIORITY=1)
omp_tests(taskloop_ranges_continuation taskloop_ranges NO_LIBGOMP
          SET BOBBIN_TASK_POLICY=creation=continuation)
omp_program(c/task_continuation.c SET BOBBIN_TASK_POLICY=creation=continuation)
omp_tests(task_continuation_cancel task_continuation NO_LIBGOMP
          SET BOBBIN_TASK_POLICY=creation=continuation,amount=half,order=fifo OMP_CANCELLATION=true)
omp_tests(task_continuation_workers task_continuation NO_LIBGOMP
          SET BOBBIN_TASK_POLICY=creation=continuation,cutoff=tasks:2,queue=combining
              BOBBIN_WORKERS=8)
# libgomp and libomp do not pass it.
omp_program(c/task_random.c NO_LIBGOMP SET OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5
            FLAGS -pthread -I "${PROJECT_SOURCE_DIR}/include")
omp_program(c/task_policy.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_program(c/task_suspended.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_program(c/task_block.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_program(c/alpi.c NO_LIBGOMP)
omp_program(c/task_scheduler.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_program(c/task_transparent.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_tests(task_transparent_cancel task_transparent NO_LIBGOMP SET OMP_CANCELLATION=true)
omp_tests(task_transparent_continuation task_transparent NO_LIBGOMP
          SET BOBBIN_TASK_POLICY=creation=continuation BOBBIN_WORKERS=8)
# Also linked with Bobbin, because the code of their calls reads one of its variables.
set(on_bobbin NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include" -Wl,--no-as-needed,--allow-shlib-undefined
              -Wl,-rpath,$<TARGET_FILE_DIR:bobbin> $<TARGET_FILE:bobbin>)
omp_program(c/spawn.c ${on_bobbin})
omp_tests(spawn_cancel spawn NO_LIBGOMP SET OMP_CANCELLATION=true)
omp_program(cpp/spawn_objects.cpp ${on_bobbin})
# Tasks are right under any policy. Each list names what the others do not.
set(OMP_TASK_POLICIES
    creation=breadth-first,order=fifo,amount=half,steal=parent
    creation=breadth-first,cutoff=adaptive
    creation=breadth-first,cutoff=level:3
    creation=work-first,amount=half
    creation=continuation
    creation=continuation,cutoff=tasks:3,queue=combining
    cutoff=tasks:2,order=fifo
    queue=combining
    queue=combining,order=lifo,steal=lifo,creation=breadth-first
    queue=locked,steal=lifo,amount=half,creation=breadth-first,cutoff=tasks:16
    queue=data
    queue=data,order=lifo,steal=lifo,amount=half,creation=breadth-first)
omp_policy_tests(PROGRAMS task_basic task_wait task_tied task_depend task_recursion taskloop
                 POLICIES ${OMP_TASK_POLICIES})

# Devices, memory, the API
omp_program(c/target.c)
omp_program(c/allocators.c)
omp_program(c/error_directive.c)
omp_program(c/newer_directives.c)
omp_program(c/api_icv.c)
omp_program(c/api_misc.c)
omp_program(c/api_affinity.c)
omp_program(c/bound_threads.c NO_LIBGOMP SET OMP_PLACES=threads OMP_PROC_BIND=close)
omp_tests(bound_threads_large bound_threads NO_LIBGOMP
          SET OMP_PLACES=sockets OMP_PROC_BIND=spread,close)
omp_program(c/affinity_turns.c LLVM_ONLY SET KMP_AFFINITY=granularity=fine,compact)
omp_tests(affinity_turns_scatter affinity_turns LLVM_ONLY SET KMP_AFFINITY=granularity=fine,scatter)
omp_program(c/bound_busy.c NO_LIBGOMP SET OMP_PLACES=threads OMP_PROC_BIND=spread)
omp_tests(bound_busy_soft bound_busy GNU_ONLY NO_LIBGOMP
          SET OMP_PLACES=threads OMP_PROC_BIND=spread BOBBIN_BIND=soft)
omp_tests(api_affinity_bound api_affinity SET OMP_PROC_BIND=true)
omp_tests(api_affinity_close api_affinity SET OMP_PLACES=threads OMP_PROC_BIND=close)
omp_tests(api_affinity_list api_affinity SET OMP_PLACES={0},{1} OMP_PROC_BIND=spread,close)
omp_tests(api_affinity_master api_affinity SET OMP_PLACES=cores OMP_PROC_BIND=master)

# C++
omp_program(cpp/exceptions.cpp)
omp_program(cpp/task_continuation_exceptions.cpp SET BOBBIN_TASK_POLICY=creation=continuation)
omp_program(cpp/thread_local_objects.cpp)
omp_program(cpp/std_threads.cpp FLAGS -pthread)
omp_program(cpp/class_data.cpp)
# Rivals wait for the events of cancelled tasks.
omp_program(cpp/cancel_objects.cpp NO_LIBGOMP SET OMP_CANCELLATION=true)
omp_program(cpp/iterators.cpp)

# Fortran
omp_program(fortran/f_regions.f90)
omp_program(fortran/f_empty_loops.f90)
omp_program(fortran/f_threadprivate.f90)
omp_program(fortran/f_reductions.f90)
omp_program(fortran/f_tasks.f90)
omp_program(fortran/f_api.f90)
omp_tests(f_api_places f_api SET OMP_PLACES=threads)
omp_program(fortran/f_allocators.f90 GNU_ONLY FLAGS -fopenmp-allocators)

# Entry points that GCC 12 does not emit, but older or newer compilers do. They are called in gcc's
# form, and there is nothing for clang to compile.
omp_program(gomp/gomp_parallel_start.c GNU_ONLY)
omp_program(gomp/gomp_loops.c GNU_ONLY)
omp_program(gomp/gomp_target_old.c GNU_ONLY)
omp_program(gomp/gomp_old_locks.c GNU_ONLY)
omp_program(gomp/gomp_newer.c GNU_ONLY NO_LIBGOMP SET OMP_CANCELLATION=true)

# The same for LLVM's entry points.
omp_program(kmp/kmp_regions.c LLVM_ONLY)
omp_program(kmp/kmp_extensions.c LLVM_ONLY)
omp_tests(kmp_endless_spin kmp_extensions LLVM_ONLY NO_LIBGOMP SET GOMP_SPINCOUNT=infinity)
omp_program(kmp/kmp_memory_spaces.c LLVM_ONLY NO_LIBGOMP)
# libomp 19 crashes in __kmpc_next_section of a team of one.
omp_program(kmp/kmp_loops.c LLVM_ONLY LIBGOMP_THREADS 3,8)
omp_program(kmp/kmp_collapse.c LLVM_ONLY)
omp_program(kmp/kmp_tasks.c LLVM_ONLY)
omp_program(kmp/kmp_free_agents.c LLVM_ONLY NO_LIBGOMP SET OMP_THREADS_RESERVE=free_agent\(2\))
omp_program(kmp/kmp_taskgraph.c LLVM_ONLY NO_LIBGOMP)
omp_program(kmp/kmp_deterministic.c LLVM_ONLY SET KMP_DETERMINISTIC_REDUCTION=true)

# The effect of the environment
omp_program(env/env_probe.c NO_TESTS)
