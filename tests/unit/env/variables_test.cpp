// SPDX-License-Identifier: Apache-2.0
#include <climits>

#include "env_fixture.h"

namespace bobbin {
namespace {

TEST_F(EnvTest, DefaultsFollowTheMachine) {
  machine_.processors = {16, 3};
  const GlobalIcvs& icvs = parse({}).icvs;
  EXPECT_EQ(icvs.processors, 3u);
  EXPECT_EQ(icvs.mask_processors, 16u);
  EXPECT_EQ(icvs.workers, 3u);
  EXPECT_EQ(icvs.initial.nthreads, 3u);
  EXPECT_EQ(icvs.initial.max_active_levels, 1u);
  EXPECT_EQ(icvs.initial.thread_limit, unsigned{INT_MAX});
  EXPECT_EQ(icvs.initial.bind, ProcBind::False);
  EXPECT_EQ(icvs.initial.run_sched.kind, ScheduleKind::Dynamic);
  EXPECT_EQ(icvs.initial.run_sched.chunk, 1);
  EXPECT_EQ(icvs.spin_count, kSpinUnset);
  EXPECT_EQ(icvs.stack_size, std::size_t{8} << 20);
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, QuotaAboveTheMaskDoesNotCount) {
  machine_.processors = {4, 6};
  EXPECT_EQ(parse({}).icvs.processors, 4u);
}

TEST_F(EnvTest, NumThreadsListsPerLevel) {
  const Settings& settings = parse({"OMP_NUM_THREADS= 5 ,10,  2"});
  EXPECT_EQ(settings.icvs.initial.nthreads, 5u);
  ASSERT_EQ(settings.icvs.nthreads.count, 3u);
  EXPECT_EQ(settings.icvs.nthreads[1], 10u);
  EXPECT_EQ(settings.icvs.nthreads[2], 2u);
  EXPECT_EQ(settings.icvs.initial.max_active_levels, kSupportedActiveLevels);
  EXPECT_EQ(value_of("OMP_NUM_THREADS"), "5,10,2");
}

TEST_F(EnvTest, ListsLongerThanTheInlineRoom) {
  const Settings& settings = parse({"OMP_NUM_THREADS=1,2,3,4,5,6,7,8,9,10,11,12",
                                    "OMP_PROC_BIND=close,close,close,close,spread,spread,spread,"
                                    "spread,primary,master"});
  ASSERT_EQ(settings.icvs.nthreads.count, 12u);
  for (unsigned i = 0; i < 12; ++i) EXPECT_EQ(settings.icvs.nthreads[i], i + 1);
  ASSERT_EQ(settings.icvs.bind.count, 10u);
  EXPECT_EQ(settings.icvs.bind[7], ProcBind::Spread);
  EXPECT_EQ(settings.icvs.bind[9], ProcBind::Primary);
}

TEST_F(EnvTest, Schedules) {
  struct Case {
    const char* text;
    ScheduleKind kind;
    ScheduleModifier modifier;
    long chunk;
  };
  const Case cases[] = {
      {"static", ScheduleKind::Static, ScheduleModifier::None, 0},
      {"STATIC,7", ScheduleKind::Static, ScheduleModifier::None, 7},
      {" dynamic ", ScheduleKind::Dynamic, ScheduleModifier::None, 1},
      {"Dynamic , 4", ScheduleKind::Dynamic, ScheduleModifier::None, 4},
      {"guided,2", ScheduleKind::Guided, ScheduleModifier::None, 2},
      {"auto", ScheduleKind::Auto, ScheduleModifier::None, 0},
      {"auto,3", ScheduleKind::Auto, ScheduleModifier::None, 0},
      {"monotonic:dynamic,4", ScheduleKind::Dynamic, ScheduleModifier::Monotonic, 4},
      {"nonmonotonic : guided", ScheduleKind::Guided, ScheduleModifier::Nonmonotonic, 1},
      {"dynamic,0", ScheduleKind::Dynamic, ScheduleModifier::None, 1},
  };
  for (const Case& c : cases) {
    const Schedule& schedule =
        parse({std::string("OMP_SCHEDULE=") + c.text}).icvs.initial.run_sched;
    EXPECT_EQ(schedule.kind, c.kind) << c.text;
    EXPECT_EQ(schedule.modifier, c.modifier) << c.text;
    EXPECT_EQ(schedule.chunk, c.chunk) << c.text;
  }
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, StackSizeUnits) {
  struct Case {
    const char* text;
    std::size_t bytes;
  };
  const Case cases[] = {{"2000", 2000 * 1024},
                        {"400m", std::size_t{400} << 20},
                        {"1g", std::size_t{1} << 30},
                        {" 3000 K ", 3000 * 1024},
                        {"65536B", 65536},
                        {"20000b", 20000}};
  for (const Case& c : cases) {
    EXPECT_EQ(parse({std::string("OMP_STACKSIZE=") + c.text}).icvs.stack_size, c.bytes) << c.text;
    EXPECT_EQ(parse({std::string("GOMP_STACKSIZE=") + c.text}).icvs.stack_size, c.bytes) << c.text;
  }
  EXPECT_EQ(parse({"GOMP_STACKSIZE=1g", "OMP_STACKSIZE=2g"}).icvs.stack_size, std::size_t{2} << 30);
  EXPECT_EQ(parse({"GOMP_STACKSIZE=1g", "OMP_STACKSIZE=bad"}).icvs.stack_size,
            std::size_t{1} << 30);
  EXPECT_EQ(captured_lines.size(), 1u);
}

TEST_F(EnvTest, ProcBind) {
  EXPECT_EQ(parse({"OMP_PROC_BIND=TRUE"}).icvs.initial.bind, ProcBind::True);
  EXPECT_EQ(parse({"OMP_PROC_BIND=false"}).icvs.initial.bind, ProcBind::False);
  EXPECT_EQ(parse({"OMP_PROC_BIND= master"}).icvs.initial.bind, ProcBind::Primary);
  const Settings& settings = parse({"OMP_PROC_BIND=spread, close"});
  EXPECT_EQ(settings.icvs.initial.bind, ProcBind::Spread);
  EXPECT_EQ(settings.icvs.bind[1], ProcBind::Close);
  EXPECT_EQ(settings.icvs.initial.max_active_levels, kSupportedActiveLevels);
  EXPECT_EQ(value_of("OMP_PROC_BIND"), "SPREAD,CLOSE");
}

TEST_F(EnvTest, TaskPolicy) {
  const TaskPolicy& policy = settings_.icvs.initial.task_policy;
  parse({});
  EXPECT_FALSE(policy.steered);
  parse({"BOBBIN_TASK_POLICY= creation=Breadth-First , cutoff=tasks:64,amount=half"});
  EXPECT_EQ(policy.creation, Creation::BreadthFirst);
  EXPECT_EQ(policy.cutoff, Cutoff::Tasks);
  EXPECT_EQ(policy.bound, 64u);
  EXPECT_EQ(policy.amount, StealAmount::Half);
  EXPECT_TRUE(policy.steers_creation());
  EXPECT_TRUE(policy.steers_taking());
  parse({"BOBBIN_TASK_POLICY=creation=adaptive,queue=deque"});
  EXPECT_FALSE(policy.steered);
  // The last setting of an item counts.
  parse({"BOBBIN_TASK_POLICY=cutoff=level:3,cutoff=adaptive"});
  EXPECT_EQ(policy.cutoff, Cutoff::Adaptive);
  EXPECT_EQ(policy.bound, 0u);
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, CombiningQueueBringsItsOrder) {
  const TaskPolicy& policy = settings_.icvs.initial.task_policy;
  parse({"BOBBIN_TASK_POLICY=queue=combining,steal=lifo"});
  EXPECT_EQ(policy.order, LocalOrder::Fifo);
  EXPECT_EQ(policy.steal, StealOrder::Lifo);
  parse({"BOBBIN_TASK_POLICY=order=lifo,queue=combining"});
  EXPECT_EQ(policy.order, LocalOrder::Lifo);
  parse({"BOBBIN_TASK_POLICY=queue=data,steal=lifo"});
  EXPECT_EQ(policy.queue, QueueKind::Data);
  EXPECT_EQ(policy.order, LocalOrder::Fifo);
  EXPECT_EQ(policy.steal, StealOrder::Lifo);
  parse({"BOBBIN_TASK_POLICY=queue=locked"});
  EXPECT_EQ(policy.order, LocalOrder::Lifo);
}

TEST_F(EnvTest, PlacesOfAQueue) {
  const TaskPolicy& policy = settings_.icvs.initial.task_policy;
  parse({"BOBBIN_TASK_POLICY=queue=combining:24"});
  EXPECT_EQ(policy.queue, QueueKind::Combining);
  EXPECT_EQ(policy.places, 24u);
  parse({"BOBBIN_TASK_POLICY=queue=locked:7,queue=locked"});
  EXPECT_EQ(policy.places, kMostPlaces);
  EXPECT_TRUE(captured_lines.empty());
  for (const char* wrong : {"combining:0", "locked:1025", "combining:", "deque:8", "data:8"}) {
    parse({("BOBBIN_TASK_POLICY=queue=" + std::string(wrong)).c_str()});
    EXPECT_FALSE(policy.steered) << wrong;
  }
  EXPECT_EQ(captured_lines.size(), 5u);
}

// A taskgroup may get some of the items, in addition to those in force.
TEST(TaskPolicyText, PartsAndFailures) {
  TaskPolicy policy;
  ASSERT_TRUE(read_task_policy("queue=locked,steal=lifo", PolicyPart::All, policy));
  EXPECT_TRUE(read_task_policy("creation=work-first,cutoff=level:2", PolicyPart::Creation, policy));
  EXPECT_FALSE(read_task_policy("creation=adaptive,order=fifo", PolicyPart::Creation, policy));
  EXPECT_FALSE(read_task_policy("queue=deque", PolicyPart::All, policy));
  EXPECT_EQ(policy.creation, Creation::WorkFirst);
  EXPECT_EQ(policy.queue, QueueKind::Locked);
  Text<256> text;
  print_task_policy(policy, text);
  EXPECT_EQ(
      text.view(),
      "creation=work-first,order=lifo,steal=lifo,amount=adaptive,cutoff=level:2,queue=locked");
}

TEST_F(EnvTest, PlacesAskForBinding) {
  EXPECT_EQ(parse({"OMP_PLACES=cores"}).icvs.initial.bind, ProcBind::True);
  EXPECT_EQ(parse({"GOMP_CPU_AFFINITY=0-3"}).icvs.initial.bind, ProcBind::True);
  EXPECT_EQ(parse({"OMP_PLACES=cores", "OMP_PROC_BIND=false"}).icvs.initial.bind, ProcBind::False);
}

TEST_F(EnvTest, NestingLevels) {
  EXPECT_EQ(parse({"OMP_NESTED=true"}).icvs.initial.max_active_levels, kSupportedActiveLevels);
  EXPECT_EQ(parse({"OMP_NESTED=false", "OMP_NUM_THREADS=2,2"}).icvs.initial.max_active_levels, 1u);
  EXPECT_EQ(parse({"OMP_NESTED=true", "OMP_MAX_ACTIVE_LEVELS=3"}).icvs.initial.max_active_levels,
            3u);
  EXPECT_EQ(parse({"OMP_NESTED=true", "OMP_MAX_ACTIVE_LEVELS=x"}).icvs.initial.max_active_levels,
            kSupportedActiveLevels);
  captured_lines.clear();
  EXPECT_EQ(parse({"OMP_MAX_ACTIVE_LEVELS=2147483647"}).icvs.initial.max_active_levels,
            kSupportedActiveLevels);
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, InheritanceTakesTheLevelsValues) {
  const GlobalIcvs saved = global_icvs();
  detail::global_icvs_storage = parse({"OMP_NUM_THREADS=4,3,2", "OMP_PROC_BIND=spread,close"}).icvs;
  const Icvs outside = initial_icvs();
  const Icvs one = inherit_icvs(outside, 1);
  EXPECT_EQ(one.nthreads, 3u);
  EXPECT_EQ(one.bind, ProcBind::Close);
  Icvs two = inherit_icvs(one, 2);
  EXPECT_EQ(two.nthreads, 2u);
  EXPECT_EQ(two.bind, ProcBind::Close);
  two.nthreads = 9;
  EXPECT_EQ(inherit_icvs(two, 3).nthreads, 9u);
  detail::global_icvs_storage = saved;
}

TEST_F(EnvTest, ReservedThreads) {
  const auto limits = [&](const char* reserve, const char* thread_limit) {
    const GlobalIcvs& icvs =
        parse({std::string("OMP_THREADS_RESERVE=") + reserve, thread_limit}).icvs;
    return std::pair(icvs.structured_thread_limit, icvs.free_agents);
  };
  const char* none = "OMP_DYNAMIC=0";
  const char* six = "OMP_THREAD_LIMIT=6";
  using Pair = std::pair<unsigned, unsigned>;
  EXPECT_EQ(parse({}).icvs.free_agents, 0u);
  EXPECT_EQ(limits("4", none), Pair(kNoThreadLimit, 0));
  EXPECT_EQ(limits(" structured(1) , free_agent( 2 ) ", none), Pair(kNoThreadLimit, 2));
  EXPECT_EQ(limits("Free_Agent(2)", six), Pair(4, 2));
  EXPECT_EQ(limits("free_agent(2),structured(4)", six), Pair(4, 2));
  EXPECT_EQ(limits("structured", six), Pair(6, 0));
  EXPECT_EQ(limits("structured(0)", six), Pair(6, 0));
  EXPECT_EQ(limits("free_agent", six), Pair(1, 5));
  EXPECT_EQ(limits("free_agent(6)", six), Pair(1, 5));
  EXPECT_EQ(limits("free_agent", none), Pair(kNoThreadLimit, 8));  // as many as processors
  EXPECT_TRUE(captured_lines.empty());
  EXPECT_EQ(limits("structured(5),free_agent(2)", six), Pair(kNoThreadLimit, 0));
}

TEST_F(EnvTest, WordsAndNumbers) {
  const Settings& settings = parse({"OMP_DYNAMIC=1",
                                    "OMP_CANCELLATION=Yes",
                                    "OMP_WAIT_POLICY=Passive",
                                    "OMP_THREAD_LIMIT=+12",
                                    "OMP_DISPLAY_AFFINITY=TRUE",
                                    "OMP_DEFAULT_DEVICE=3",
                                    "OMP_MAX_TASK_PRIORITY=9",
                                    "OMP_TARGET_OFFLOAD=disabled",
                                    "OMP_TOOL=disabled",
                                    "OMP_TOOL_LIBRARIES=/a:/b",
                                    "OMP_NUM_TEAMS=4",
                                    "OMP_TEAMS_THREAD_LIMIT=2",
                                    "OMP_DEBUG=enabled",
                                    "BOBBIN_PROVIDER=kernel",
                                    "BOBBIN_BIND=soft",
                                    "BOBBIN_DYNAMIC=ascending",
                                    "BOBBIN_SHARE=fair",
                                    "BOBBIN_WORKERS=3",
                                    "BOBBIN_TASK_MEMORY=64",
                                    "OMP_DISPLAY_ENV=verbose",
                                    "OMP_AFFINITY_FORMAT= %n ",
                                    "GOMP_DEBUG=1"});
  const GlobalIcvs& icvs = settings.icvs;
  EXPECT_TRUE(icvs.initial.dyn);
  EXPECT_TRUE(icvs.cancellation);
  EXPECT_TRUE(icvs.soft_binding);
  EXPECT_EQ(icvs.wait_policy, WaitPolicy::Passive);
  EXPECT_EQ(icvs.initial.thread_limit, 12u);
  EXPECT_TRUE(icvs.display_affinity);
  EXPECT_EQ(icvs.initial.default_device, 3);
  EXPECT_EQ(icvs.max_task_priority, 9);
  EXPECT_EQ(icvs.target_offload, TargetOffload::Disabled);
  EXPECT_EQ(icvs.tool, ToolState::Disabled);
  EXPECT_STREQ(icvs.tool_libraries, "/a:/b");
  EXPECT_EQ(icvs.nteams, 4u);
  EXPECT_EQ(icvs.teams_thread_limit, 2u);
  EXPECT_TRUE(icvs.debug);
  EXPECT_EQ(icvs.provider, ProviderChoice::Kernel);
  EXPECT_EQ(icvs.dynamic_order, DynamicOrder::Ascending);
  EXPECT_EQ(icvs.share, Share::Fair);
  EXPECT_EQ(icvs.workers, 3u);
  EXPECT_EQ(icvs.task_memory, std::size_t{64} << 20);
  EXPECT_EQ(icvs.display_env, DisplayEnv::Verbose);
  EXPECT_STREQ(icvs.affinity_format, " %n ");
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, SpinCounts) {
  EXPECT_EQ(parse({"GOMP_SPINCOUNT=300k"}).icvs.spin_count, 300000u);
  EXPECT_EQ(parse({"GOMP_SPINCOUNT=0"}).icvs.spin_count, 0u);
  EXPECT_EQ(parse({"GOMP_SPINCOUNT=infinity"}).icvs.spin_count, kSpinInfinite);
  EXPECT_EQ(parse({"GOMP_SPINCOUNT= INFINITE "}).icvs.spin_count, kSpinInfinite);
  EXPECT_EQ(parse({"KMP_BLOCKTIME=200"}).icvs.block_time_ns, 200000000u);
  EXPECT_EQ(parse({"KMP_BLOCKTIME=5us"}).icvs.block_time_ns, 5000u);
  EXPECT_EQ(parse({"KMP_BLOCKTIME=0"}).icvs.block_time_ns, 0u);
  EXPECT_EQ(parse({"KMP_BLOCKTIME=infinite"}).icvs.block_time_ns, kSpinInfinite);
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, Allocators) {
  EXPECT_EQ(parse({"OMP_ALLOCATOR=omp_high_bw_mem_alloc"}).icvs.initial.default_allocator, 4u);
  EXPECT_EQ(parse({"OMP_ALLOCATOR=omp_large_cap_mem_space"}).icvs.initial.default_allocator, 2u);
  EXPECT_EQ(parse({"OMP_ALLOCATOR=ompx_gnu_pinned_mem_alloc"}).icvs.initial.default_allocator,
            kPinnedMemAlloc);
  const Settings& settings =
      parse({"OMP_ALLOCATOR= omp_large_cap_mem_space : alignment = 64, pool_size=1m,"
             "fallback=allocator_fb,fb_data=omp_low_lat_mem_alloc,pinned=true"});
  EXPECT_EQ(settings.icvs.initial.default_allocator, kEnvironmentAllocator);
  const AllocatorSpec& spec = settings.allocator;
  EXPECT_EQ(spec.space, MemSpace::LargeCap);
  ASSERT_EQ(spec.trait_count, 5);
  EXPECT_EQ(spec.traits[0].key, AllocTrait::Alignment);
  EXPECT_EQ(spec.traits[0].value, 64u);
  EXPECT_EQ(spec.traits[1].value, std::uintptr_t{1} << 20);
  EXPECT_EQ(spec.traits[3].value, 5u);
  EXPECT_EQ(value_of("OMP_ALLOCATOR"),
            "omp_large_cap_mem_space:alignment=64,pool_size=1048576,fallback=allocator_fb,"
            "fb_data=omp_low_lat_mem_alloc,pinned=true");
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, DeviceVariablesForAll) {
  EXPECT_EQ(parse({"OMP_NUM_THREADS_ALL=3"}).icvs.initial.nthreads, 3u);
  EXPECT_EQ(parse({"OMP_NUM_THREADS_ALL=3", "OMP_NUM_THREADS=4"}).icvs.initial.nthreads, 4u);
  EXPECT_EQ(parse({"OMP_NUM_THREADS=4", "OMP_NUM_THREADS_ALL=3"}).icvs.initial.nthreads, 4u);
  EXPECT_EQ(parse({"OMP_NUM_THREADS_DEV=3"}).icvs.initial.nthreads, 8u);
  EXPECT_TRUE(parse({"OMP_PLACES_ALL=cores"}).icvs.places_given);
  EXPECT_EQ(parse({"OMP_ALLOCATOR_ALL=omp_const_mem_alloc"}).icvs.initial.default_allocator, 3u);
  // It applies to the whole program, so there is none for devices.
  EXPECT_FALSE(parse({"OMP_CANCELLATION_ALL=true"}).icvs.cancellation);
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, FirstOfTwoCountsAndEmptyIsUnset) {
  EXPECT_EQ(parse({"OMP_NUM_THREADS=3", "OMP_NUM_THREADS=5"}).icvs.initial.nthreads, 3u);
  EXPECT_EQ(parse({"OMP_NUM_THREADS="}).icvs.initial.nthreads, 8u);
  EXPECT_EQ(parse({"OMP_NUM_THREADS=   "}).icvs.initial.nthreads, 8u);
  EXPECT_EQ(parse({"OMP_NUM_THREADS"}).icvs.initial.nthreads, 8u);
  EXPECT_EQ(parse({"=x", "", "XOMP_NUM_THREADS=3", "omp_num_threads=3"}).icvs.initial.nthreads, 8u);
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, NullEnvironment) {
  parse_environment(nullptr, machine_, settings_);
  EXPECT_EQ(settings_.icvs.initial.nthreads, 8u);
}

}  // namespace
}  // namespace bobbin
