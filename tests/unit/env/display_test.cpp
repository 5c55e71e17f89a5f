// SPDX-License-Identifier: Apache-2.0
#include "env_fixture.h"

namespace bobbin {
namespace {

struct Row {
  std::string name, value, source, detail;
};

void collect(void* user, const char* name, const char* value, const char* source,
             const char* detail) {
  static_cast<std::vector<Row>*>(user)->push_back({name, value, source, detail});
}

class DisplayTest : public EnvTest {
 protected:
  std::string display(EnvDetail detail) {
    Text<16384> text;
    print_env(settings_, detail, text);
    return text.c_str();
  }
  Row row(const std::string& name) {
    std::vector<Row> rows;
    report_settings(settings_, collect, &rows);
    for (const Row& found : rows) {
      if (found.name == name) return found;
    }
    ADD_FAILURE() << "no row " << name;
    return {};
  }
};

TEST_F(DisplayTest, FormOfTheSpecification) {
  parse({"OMP_NUM_THREADS=4,3,2", "OMP_SCHEDULE=guided,4", "OMP_DYNAMIC=true"});
  const std::string text = display(EnvDetail::Standard);
  EXPECT_EQ(text.find("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP='202111'\n"), 0u);
  EXPECT_NE(text.find("  [host] OMP_NUM_THREADS='4,3,2'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_SCHEDULE='GUIDED,4'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_DYNAMIC='TRUE'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_AFFINITY_FORMAT='level %L thread %i affinity %A'\n"),
            std::string::npos);
  EXPECT_NE(text.find("  [host] OMP_TOOL_VERBOSE_INIT='disabled'\n"), std::string::npos);
  EXPECT_EQ(text.find("BOBBIN_"), std::string::npos);
  EXPECT_EQ(text.find("GOMP_"), std::string::npos);
  const std::string end = "OPENMP DISPLAY ENVIRONMENT END\n";
  EXPECT_EQ(text.rfind(end), text.size() - end.size());
}

TEST_F(DisplayTest, VerboseAddsVendorsAndTheMachine) {
  machine_.processors = {16, 3};
  parse({"GOMP_SPINCOUNT=5k"});
  note_provider("fiber", "");
  const std::string text = display(EnvDetail::Verbose);
  EXPECT_NE(text.find("  [host] GOMP_SPINCOUNT='5000'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] BOBBIN_WORKERS='3'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] affinity mask='16'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] cgroup quota='3'\n"), std::string::npos);
  EXPECT_NE(text.find("  [host] provider='fiber'\n"), std::string::npos);
}

TEST_F(DisplayTest, EveryVariableIsListed) {
  parse({});
  const std::string text = display(EnvDetail::Verbose);
  for (const Variable& variable : variable_table()) {
    EXPECT_NE(text.find(" " + std::string(variable.name) + "='"), std::string::npos)
        << variable.name;
  }
}

TEST_F(DisplayTest, ReportTellsTheSource) {
  machine_.processors = {16, 3};
  parse({"OMP_SCHEDULE_ALL=static", "OMP_DYNAMIC=perhaps", "OMP_STACKSIZE=1b", "OMP_NESTED=true",
         "OMP_PLACES=cores"});
  EXPECT_EQ(row("nthreads-var").value, "3");
  EXPECT_EQ(row("nthreads-var").source, "default");
  EXPECT_EQ(row("nthreads-var").detail, "processors of the cgroup quota");
  EXPECT_EQ(row("run-sched-var").source, "OMP_SCHEDULE_ALL");
  EXPECT_EQ(row("dyn-var").source, "default");
  EXPECT_EQ(row("dyn-var").detail, "OMP_DYNAMIC='perhaps' was not understood");
  EXPECT_EQ(row("stacksize-var").source, "OMP_STACKSIZE");
  EXPECT_EQ(row("stacksize-var").value, "16K");
  EXPECT_EQ(row("max-active-levels-var").detail, "OMP_NESTED");
  EXPECT_EQ(row("bind-var").value, "TRUE");
  EXPECT_EQ(row("bind-var").detail, "OMP_PLACES");
  EXPECT_EQ(row("processors").source, "cgroup quota");
  EXPECT_EQ(row("BOBBIN_SHARE").value, "FULL");
}

TEST_F(DisplayTest, ValuesPrintedAreValuesRead) {
  // What OMP_DISPLAY_ENV shows can be given back.
  const std::vector<std::string> environment = {
      "OMP_NUM_THREADS=4,3",
      "OMP_SCHEDULE=monotonic:dynamic,7",
      "OMP_STACKSIZE=3m",
      "OMP_PROC_BIND=spread,primary",
      "GOMP_SPINCOUNT=infinite",
      "KMP_BLOCKTIME=3ms",
      "BOBBIN_TASK_MEMORY=1g",
      "BOBBIN_TASK_POLICY=queue=combining,order=lifo,steal=lifo,cutoff=level:7",
      "OMP_WAIT_POLICY=active",
      "OMP_ALLOCATOR=omp_const_mem_space:partition=nearest"};
  parse(environment);
  std::vector<std::string> again;
  for (const Variable& variable : variable_table()) {
    Text<4096> value;
    variable.print(settings_, value);
    again.push_back(std::string(variable.name) + "=" + value.c_str());
  }
  const std::string before = display(EnvDetail::Verbose);
  captured_lines.clear();
  parse(again);
  // "0" is how an unset number of teams shows, and no number of teams.
  EXPECT_EQ(captured_lines.size(), 2u);
  EXPECT_EQ(display(EnvDetail::Verbose), before);
}

}  // namespace
}  // namespace bobbin
