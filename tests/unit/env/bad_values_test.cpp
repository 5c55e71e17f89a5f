// SPDX-License-Identifier: Apache-2.0
//
// A bad value: the settings are as if the value had not been given. One line reports it, and names
// the variable, the value and what is used instead.
#include <climits>

#include "env_fixture.h"

namespace bobbin {
namespace {

struct BadValue {
  const char* name;
  const char* value;
  const char* used;  // the quoted word after "using"; null: "ignoring it"
};

class BadValueTest : public EnvTest, public ::testing::WithParamInterface<BadValue> {};

TEST_P(BadValueTest, OneLineAndTheDefault) {
  const BadValue& bad = GetParam();
  parse({});
  const std::string before = value_of(bad.name);
  parse({std::string(bad.name) + "=" + bad.value});
  EXPECT_EQ(value_of(bad.name), before);
  ASSERT_EQ(captured_lines.size(), 1u) << bad.name << "=" << bad.value;
  const std::string& line = captured_lines[0];
  EXPECT_EQ(line.find(std::string("bobbin: ") + bad.name + "='" + bad.value + "'"), 0u) << line;
  EXPECT_EQ(line.back(), '\n');
  if (bad.used != nullptr) {
    EXPECT_NE(line.find(std::string("using '") + bad.used + "'"), std::string::npos) << line;
  } else {
    EXPECT_NE(line.find("ignoring it"), std::string::npos) << line;
  }
}

constexpr const char* kUsualPolicy =
    "creation=adaptive,order=lifo,steal=fifo,amount=adaptive,cutoff=none,queue=deque";

constexpr BadValue kBadValues[] = {
    {"OMP_NUM_THREADS", "0", "8"},
    {"OMP_NUM_THREADS", "-1", "8"},
    {"OMP_NUM_THREADS", "abc", "8"},
    {"OMP_NUM_THREADS", "4,", "8"},
    {"OMP_NUM_THREADS", ",4", "8"},
    {"OMP_NUM_THREADS", "4,,2", "8"},
    {"OMP_NUM_THREADS", "4 2", "8"},
    {"OMP_NUM_THREADS", "4x", "8"},
    {"OMP_NUM_THREADS", "1.5", "8"},
    {"OMP_NUM_THREADS", "99999999999999999999999", "8"},
    {"OMP_NUM_THREADS", "1,2,3,4,5,6,7,8,9,x", "8"},
    {"OMP_SCHEDULE", "statik", "DYNAMIC"},
    {"OMP_SCHEDULE", "static,", "DYNAMIC"},
    {"OMP_SCHEDULE", "static,-1", "DYNAMIC"},
    {"OMP_SCHEDULE", "static,4,4", "DYNAMIC"},
    {"OMP_SCHEDULE", "static,99999999999", "DYNAMIC"},
    {"OMP_SCHEDULE", "maybe:static", "DYNAMIC"},
    {"OMP_SCHEDULE", "monotonic:", "DYNAMIC"},
    {"OMP_SCHEDULE", ":static", "DYNAMIC"},
    {"OMP_DYNAMIC", "maybe", "FALSE"},
    {"OMP_DYNAMIC", "2", "FALSE"},
    {"OMP_NESTED", "deeply", "FALSE"},
    {"OMP_PROC_BIND", "near", "FALSE"},
    {"OMP_PROC_BIND", "close,true", "FALSE"},
    {"OMP_PROC_BIND", "close,", "FALSE"},
    {"OMP_PROC_BIND", "close spread", "FALSE"},
    {"OMP_PLACES", "corez", nullptr},
    {"OMP_PLACES", "cores(", nullptr},
    {"OMP_PLACES", "cores(0)", nullptr},
    {"OMP_PLACES", "cores(-2)", nullptr},
    {"OMP_PLACES", "cores(2", nullptr},
    {"OMP_PLACES", "cores(2)x", nullptr},
    {"OMP_PLACES", "{", nullptr},
    {"OMP_PLACES", "{}", nullptr},
    {"OMP_PLACES", "{0", nullptr},
    {"OMP_PLACES", "{0},", nullptr},
    {"OMP_PLACES", "{0}}", nullptr},
    {"OMP_PLACES", "{0:}", nullptr},
    {"OMP_PLACES", "{0:0}", nullptr},
    {"OMP_PLACES", "{0:4:}", nullptr},
    {"OMP_PLACES", "{0:4:-1}", nullptr},
    {"OMP_PLACES", "{-1}", nullptr},
    {"OMP_PLACES", "{0}:4:-1", nullptr},
    {"OMP_PLACES", "{99999}", nullptr},
    {"OMP_PLACES", "{0}:99999", nullptr},
    {"OMP_PLACES", "!", nullptr},
    {"OMP_STACKSIZE", "lots", "8M"},
    {"OMP_STACKSIZE", "4q", "8M"},
    {"OMP_STACKSIZE", "-4m", "8M"},
    {"OMP_STACKSIZE", "4 m m", "8M"},
    {"OMP_STACKSIZE", "4mm", "8M"},
    {"OMP_STACKSIZE", "99999999999999g", "8M"},
    {"OMP_WAIT_POLICY", "sometimes", "DEFAULT"},
    {"OMP_THREAD_LIMIT", "0", "2147483647"},
    {"OMP_THREAD_LIMIT", "four", "2147483647"},
    {"OMP_THREADS_RESERVE", "some", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "-1", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "4,5", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "free_agent(", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "free_agent()", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "free_agent(2", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "free_agent(2),", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "free_agent(2),free_agent(2)", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "structured,free_agent(2)", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "structured(2),free_agent", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_THREADS_RESERVE", "structured(2) free_agent(2)", "STRUCTURED(1),FREE_AGENT(0)"},
    {"OMP_MAX_ACTIVE_LEVELS", "-1", "1"},
    {"OMP_CANCELLATION", "tr", "FALSE"},
    {"OMP_DISPLAY_ENV", "loud", "FALSE"},
    {"OMP_DISPLAY_AFFINITY", "show", "FALSE"},
    {"OMP_DEFAULT_DEVICE", "-1", "0"},
    {"OMP_MAX_TASK_PRIORITY", "-1", "0"},
    {"OMP_TARGET_OFFLOAD", "always", "DEFAULT"},
    {"OMP_TOOL", "on", "ENABLED"},
    {"OMP_DEBUG", "loud", "DISABLED"},
    {"OMP_NUM_TEAMS", "0", nullptr},
    {"OMP_NUM_TEAMS", "-1", "0"},
    {"OMP_TEAMS_THREAD_LIMIT", "0", nullptr},
    {"OMP_ALLOCATOR", "omp_best_mem_alloc", "omp_default_mem_alloc"},
    {"OMP_ALLOCATOR", "omp_default_mem_alloc:alignment=8", "omp_default_mem_alloc"},
    {"OMP_ALLOCATOR", "omp_default_mem_space:", "omp_default_mem_alloc"},
    {"OMP_ALLOCATOR", "omp_default_mem_space:alignment=3", "omp_default_mem_alloc"},
    {"OMP_ALLOCATOR", "omp_default_mem_space:alignment", "omp_default_mem_alloc"},
    {"OMP_ALLOCATOR", "omp_default_mem_space:pool_size=0", "omp_default_mem_alloc"},
    {"OMP_ALLOCATOR", "omp_default_mem_space:pinned=maybe", "omp_default_mem_alloc"},
    {"OMP_ALLOCATOR", "omp_default_mem_space:fallback=all", "omp_default_mem_alloc"},
    {"GOMP_SPINCOUNT", "many", nullptr},
    {"GOMP_SPINCOUNT", "99999999999999999999t", nullptr},
    {"GOMP_CPU_AFFINITY", "a-b", nullptr},
    {"GOMP_CPU_AFFINITY", "3-1", nullptr},
    {"GOMP_CPU_AFFINITY", "0x", nullptr},
    {"GOMP_CPU_AFFINITY", "0-3:0", nullptr},
    {"GOMP_CPU_AFFINITY", "0-99999", nullptr},
    {"KMP_BLOCKTIME", "soon", nullptr},
    {"BOBBIN_PROVIDER", "green", "AUTO"},
    {"BOBBIN_WORKERS", "0", "8"},
    {"BOBBIN_BIND", "loose", "STRICT"},
    {"BOBBIN_DYNAMIC", "descending", "BATCHES"},
    {"BOBBIN_SHARE", "unfair", "FULL"},
    {"BOBBIN_TASK_MEMORY", "0", "256M"},
    {"BOBBIN_TASK_POLICY", "adaptive", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "creation", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "creation=", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "creation=eager", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "create=adaptive", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "order=fifo,", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "order=fifo amount=half", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "order=fifo,steal=random", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "cutoff=tasks", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "cutoff=tasks:0", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "cutoff=level:-1", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "cutoff=level:99999999999", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "cutoff=none:3", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "steal=lifo", kUsualPolicy},
    {"BOBBIN_TASK_POLICY", "steal=lifo,queue=deque", kUsualPolicy},
};

INSTANTIATE_TEST_SUITE_P(All, BadValueTest, ::testing::ValuesIn(kBadValues));

TEST_F(EnvTest, OutOfRangeIsAdjustedWithALine) {
  EXPECT_EQ(parse({"OMP_STACKSIZE=1b"}).icvs.stack_size, std::size_t{16} << 10);
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_EQ(captured_lines[0], "bobbin: OMP_STACKSIZE='1b' is out of range; using '16K'\n");
  captured_lines.clear();
  EXPECT_EQ(parse({"OMP_THREAD_LIMIT=4294967296"}).icvs.initial.thread_limit, kNoThreadLimit);
  EXPECT_EQ(captured_lines.size(), 1u);
  captured_lines.clear();
  EXPECT_EQ(parse({"OMP_THREADS_RESERVE=free_agent(64)"}).icvs.free_agents, 63u);
  EXPECT_EQ(captured_lines.size(), 1u);
  captured_lines.clear();
  EXPECT_EQ(parse({"BOBBIN_WORKERS=100000"}).icvs.workers, 4096u);
  EXPECT_EQ(captured_lines.size(), 1u);
  captured_lines.clear();
  EXPECT_EQ(parse({"OMP_NUM_THREADS=4294967296,2"}).icvs.initial.nthreads, unsigned{INT_MAX});
  EXPECT_EQ(captured_lines.size(), 1u);
}

// By default the list is empty.
TEST_F(EnvTest, TuningOfUnknownNamesIsIgnored) {
  for (const char* value : {"apart", "apart:sometimes", "aparts:off"}) {
    captured_lines.clear();
    EXPECT_EQ(parse({std::string("BOBBIN_TUNING=") + value}).icvs.heuristics_off, 0u);
    ASSERT_EQ(captured_lines.size(), 1u);
    EXPECT_NE(captured_lines[0].find("is not understood"), std::string::npos);
  }
}

TEST_F(EnvTest, UnknownOwnVariableGetsASuggestion) {
  parse({"BOBBIN_PROVDER=fiber", "OMP_UNHEARD_OF=1", "KMP_AFFINITY=compact", "GOMP_NEW=1"});
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_EQ(captured_lines[0],
            "bobbin: there is no variable BOBBIN_PROVDER; the nearest is BOBBIN_PROVIDER\n");
  captured_lines.clear();
  parse({"BOBBIN_=1", "BOBBIN_" + std::string(300, 'X') + "=1"});
  EXPECT_EQ(captured_lines.size(), 2u);
}

TEST_F(EnvTest, MisspeltVariableOfOthersGetsASuggestion) {
  const std::pair<const char*, const char*> slips[] = {{"OMP_NUM_THREAD", "OMP_NUM_THREADS"},
                                                       {"OMP_NUM_THRAEDS", "OMP_NUM_THREADS"},
                                                       {"OMP_PROC_BINDING", ""},
                                                       {"GOMP_CPU_AFINITY", "GOMP_CPU_AFFINITY"},
                                                       {"KMP_BLOCK_TIME", "KMP_BLOCKTIME"},
                                                       {"KMP_NUM_THREADS", "OMP_NUM_THREADS"},
                                                       {"OMP_TOOLS", "OMP_TOOL"},
                                                       {"OMP_FOO", ""},
                                                       {"OMP_NUM_THREADS_DEV", ""}};
  for (const auto& [name, meant] : slips) {
    captured_lines.clear();
    parse({std::string(name) + "=4"});
    std::vector<std::string> expected;
    if (meant[0] != '\0') {
      expected.push_back(std::string("bobbin: there is no variable ") + name + "; the nearest is " +
                         meant + "\n");
    }
    EXPECT_EQ(captured_lines, expected) << name;
  }
  captured_lines.clear();
  parse({"OMP_NUM_THREAD=4", "KMP_WARNINGS=0"});
  EXPECT_TRUE(captured_lines.empty());
}

TEST_F(EnvTest, TwoBadValuesTwoLines) {
  parse({"OMP_NUM_THREADS=x", "OMP_SCHEDULE=y"});
  EXPECT_EQ(captured_lines.size(), 2u);
}

TEST_F(EnvTest, AValueCannotBreakTheLine) {
  parse({"OMP_NUM_THREADS=a\nb\tc"});
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_EQ(captured_lines[0].find('\n'), captured_lines[0].size() - 1);
  captured_lines.clear();
  parse({"OMP_NUM_THREADS=" + std::string(5000, 'x')});
  ASSERT_EQ(captured_lines.size(), 1u);
  EXPECT_LE(captured_lines[0].size(), 1024u);
}

}  // namespace
}  // namespace bobbin
