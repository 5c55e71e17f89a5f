// SPDX-License-Identifier: Apache-2.0
//
// Random and mutated values through every parser, from a fixed seed. No value may cause a crash, an
// overrun (under the sanitizers), a long run time, or settings that break the promises of icv.h.
#include <random>

#include "env/affinity_format.h"
#include "env/syntax/place_syntax.h"
#include "env_fixture.h"

namespace bobbin {
namespace {

constexpr const char* kSeeds[] = {
    "4,2,1",
    "5 ,10",
    "monotonic:dynamic,4",
    "nonmonotonic : guided , 2",
    "true",
    "FALSE",
    "spread,close,primary",
    "{0:4}:8:4",
    "{0,1,!3},!{2,3}:2",
    "cores(4)",
    "threads",
    "numa_domains",
    "400m",
    "3000 k ",
    "2147483647",
    "4294967296",
    "18446744073709551615",
    "infinite",
    "300k",
    "0 3 1-2 4-15:2",
    "verbose,granularity=fine,compact,1,0",
    "proclist=[3,0,{4,5},6-7:2],explicit",
    "*s@1,4c@2,1t",
    "omp_default_mem_alloc",
    "omp_large_cap_mem_space:alignment=64,pool_size=1m,fallback=allocator_fb",
    "verbose",
    "active",
    "%t %0.5n %{thread_num} %.8H %%",
    "5us",
    "enabled",
    "kernel",
    "fair",
    "creation=work-first,order=fifo,steal=parent",
    "cutoff=tasks:64,amount=half, queue = locked",
    "queue=combining:24,steal=lifo,creation=breadth-first,cutoff=level:3",
    "-1",
    "",
    " ",
    "{",
    "!",
    "{0}:8192",
    "{0:8192:1}",
    "8191-8191",
    "0-8191:8191"};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string next() {
    std::string text = kSeeds[below(sizeof kSeeds / sizeof kSeeds[0])];
    const unsigned edits = below(6);
    for (unsigned i = 0; i < edits; ++i) edit(text);
    // A value always ends at the first zero byte.
    return text.substr(0, text.find('\0'));
  }

  unsigned below(std::size_t bound) {
    return static_cast<unsigned>(random_() % static_cast<unsigned>(bound));
  }

 private:
  char interesting() {
    static constexpr char kCharacters[] = "0123456789,:{}()!-+%. \tkKmMgGtxabs_=\x7f\xff";
    return kCharacters[below(sizeof kCharacters - 1)];
  }

  void edit(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0:
        text.insert(at, 1, interesting());
        break;
      case 1:
        if (at < text.size()) text.erase(at, 1 + below(4));
        break;
      case 2:
        if (at < text.size()) text[at] = interesting();
        break;
      case 3:
        text.insert(at, text.substr(at, below(20)));
        break;
      case 4:
        text.insert(at, kSeeds[below(sizeof kSeeds / sizeof kSeeds[0])]);
        break;
      default:
        text.insert(at, std::to_string(random_()));
        break;
    }
    if (text.size() > 2000) text.resize(2000);
  }

  std::mt19937 random_;
};

void check(const Settings& settings) {
  const GlobalIcvs& icvs = settings.icvs;
  ASSERT_GE(icvs.initial.nthreads, 1u);
  ASSERT_GE(icvs.initial.thread_limit, 1u);
  ASSERT_LE(icvs.initial.max_active_levels, kSupportedActiveLevels);
  ASSERT_GE(icvs.workers, 1u);
  ASSERT_LE(icvs.workers, 4096u);
  ASSERT_GE(icvs.stack_size, std::size_t{16} << 10);
  ASSERT_LE(icvs.stack_size, std::size_t{1} << 40);
  ASSERT_GT(icvs.task_memory, 0u);
  ASSERT_GE(icvs.initial.run_sched.chunk, 0);
  ASSERT_GE(icvs.max_task_priority, 0);
  const TaskPolicy& policy = icvs.initial.task_policy;
  const bool bounded = policy.cutoff == Cutoff::Tasks || policy.cutoff == Cutoff::Level;
  ASSERT_EQ(policy.bound != 0, bounded);
  ASSERT_TRUE(policy.steal != StealOrder::Lifo || policy.queue != QueueKind::Deque);
  ASSERT_EQ(policy.steered, policy.steers_creation() || policy.steers_taking());
  for (unsigned i = 0; i < icvs.nthreads.count; ++i) ASSERT_GE(icvs.nthreads[i], 1u);
  for (unsigned i = 0; i < icvs.bind.count; ++i) ASSERT_LE(icvs.bind[i], ProcBind::Spread);
  ASSERT_LE(settings.allocator.trait_count, AllocatorSpec::kMaxTraits);
}

class FuzzTest : public EnvTest {};

TEST_F(FuzzTest, EveryVariable) {
  Mutator mutator(20240607);
  const VariableTable table = variable_table();
  for (int round = 0; round < 40000; ++round) {
    const Variable& variable = table.rows[mutator.below(table.count)];
    parse({std::string(variable.name) + "=" + mutator.next()});
    check(settings_);
    ASSERT_LE(captured_lines.size(), 1u) << environment_[0];
    captured_lines.clear();
    if (round % 50 == 0) {
      Text<16384> text;
      print_env(settings_, EnvDetail::Verbose, text);
      ASSERT_GT(text.length(), 0u);
    }
  }
}

TEST_F(FuzzTest, WholeEnvironments) {
  Mutator mutator(7);
  const VariableTable table = variable_table();
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::string> environment;
    for (const Variable& variable : table) {
      if (mutator.below(2) == 0) continue;
      environment.push_back(std::string(variable.name) + (mutator.below(8) == 0 ? "_ALL" : "") +
                            "=" + mutator.next());
    }
    environment.push_back(mutator.next());
    environment.push_back("BOBBIN_" + mutator.next());
    parse(std::move(environment));
    check(settings_);
    ASSERT_LE(captured_lines.size(), table.count + 1);
    captured_lines.clear();
  }
}

struct CountingVisitor final : PlaceVisitor {
  void add(const CpuSet& place) override {
    ++places;
    empty += place.empty() ? 1 : 0;
  }
  unsigned places = 0;
  unsigned empty = 0;
};

TEST_F(FuzzTest, PlaceLists) {
  Mutator mutator(99);
  for (int round = 0; round < 10000; ++round) {
    const std::string text = mutator.next();
    CountingVisitor visitor;
    parse_explicit_places(text, visitor);
    ASSERT_LE(visitor.places, kMaxPlaces) << text;
    CountingVisitor affinity;
    parse_cpu_affinity(text, affinity);
    ASSERT_LE(affinity.places, kMaxPlaces) << text;
    ASSERT_EQ(affinity.empty, 0u) << text;
  }
}

TEST_F(FuzzTest, AffinityFormats) {
  Mutator mutator(3);
  CpuSet mask;
  mask.add(5);
  const AffinityFields fields{1, 2, 3, 4, 5, -6, 7, &mask};
  for (int round = 0; round < 20000; ++round) {
    const std::string format = mutator.next();
    char small[16];
    TextOut cut(small, sizeof small);
    expand_affinity(format, fields, cut);
    ASSERT_LT(std::strlen(small), sizeof small);
    TextOut counted(nullptr, 0);
    expand_affinity(format, fields, counted);
    ASSERT_EQ(counted.length(), cut.length()) << format;
  }
}

}  // namespace
}  // namespace bobbin
