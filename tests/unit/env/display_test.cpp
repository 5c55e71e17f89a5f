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

using Lines = std::vector<std::string>;

const char* expected_of(const char* name) {
  return variable_table().rows[variable_index(name)].expected;
}

class DisplayTest : public EnvTest {
 protected:
  std::string display(EnvDetail detail) {
    Text<16384> text;
    print_env(settings_, detail, text);
    return text.c_str();
  }
  std::vector<Row> rows() {
    std::vector<const char*> environment;
    for (const std::string& entry : environment_) environment.push_back(entry.c_str());
    environment.push_back(nullptr);
    std::vector<Row> rows;
    report_settings(settings_, environment.data(), collect, &rows);
    return rows;
  }
  Row row(const std::string& name) {
    for (const Row& found : rows()) {
      if (found.name == name && found.source != "no effect") return found;
    }
    ADD_FAILURE() << "no row " << name;
    return {};
  }
  std::string setting(const std::string& name) {
    const Row found = row(name);
    return found.value + " from " + found.source;
  }
  // Settings without effect, and the reasons.
  std::vector<std::string> in_vain() {
    std::vector<std::string> found;
    for (const Row& row : rows()) {
      if (row.source == "no effect")
        found.push_back(row.name + "=" + row.value + ": " + row.detail);
    }
    return found;
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
  EXPECT_EQ(row("OMP_NUM_THREADS").value, "3");
  EXPECT_EQ(row("OMP_NUM_THREADS").source, "default");
  EXPECT_EQ(row("OMP_NUM_THREADS").detail, "processors of the cgroup quota");
  EXPECT_EQ(row("OMP_SCHEDULE").source, "OMP_SCHEDULE_ALL");
  EXPECT_EQ(row("OMP_DYNAMIC").source, "default");
  EXPECT_EQ(in_vain(), Lines{"OMP_DYNAMIC=perhaps: it is not understood; expected " +
                             std::string(expected_of("OMP_DYNAMIC"))});
  EXPECT_EQ(row("OMP_STACKSIZE").source, "OMP_STACKSIZE");
  EXPECT_EQ(row("OMP_STACKSIZE").value, "16K");
  EXPECT_EQ(row("OMP_MAX_ACTIVE_LEVELS").source, "OMP_NESTED");
  EXPECT_EQ(row("OMP_PROC_BIND").value, "TRUE");
  EXPECT_EQ(row("OMP_PROC_BIND").source, "OMP_PLACES");
  EXPECT_EQ(row("processors").source, "cgroup quota");
  EXPECT_EQ(row("BOBBIN_SHARE").value, "FULL");
}

TEST_F(DisplayTest, OfSeveralVariablesTheOneThatCountsIsNamed) {
  parse({"OMP_STACKSIZE=4m", "GOMP_STACKSIZE=8m", "OMP_NESTED=1", "OMP_MAX_ACTIVE_LEVELS=3"});
  EXPECT_EQ(setting("OMP_STACKSIZE"), "4M from OMP_STACKSIZE");
  EXPECT_EQ(setting("OMP_MAX_ACTIVE_LEVELS"), "3 from OMP_MAX_ACTIVE_LEVELS");
  EXPECT_EQ(in_vain(), (Lines{"OMP_NESTED=1: OMP_MAX_ACTIVE_LEVELS comes before it",
                              "GOMP_STACKSIZE=8m: OMP_STACKSIZE comes before it"}));

  parse({"GOMP_STACKSIZE=8m", "KMP_STACKSIZE=2m", "OMP_NUM_THREADS=2,2"});
  EXPECT_EQ(setting("OMP_STACKSIZE"), "2M from KMP_STACKSIZE");
  EXPECT_EQ(setting("OMP_MAX_ACTIVE_LEVELS"), "255 from OMP_NUM_THREADS");
  EXPECT_EQ(in_vain(), Lines{"GOMP_STACKSIZE=8m: KMP_STACKSIZE comes before it"});

  parse(
      {"KMP_BLOCKTIME=0", "GOMP_SPINCOUNT=9", "KMP_LIBRARY=turnaround", "OMP_WAIT_POLICY=active"});
  EXPECT_EQ(setting("KMP_BLOCKTIME"), "0ns from KMP_BLOCKTIME");
  EXPECT_EQ(setting("GOMP_SPINCOUNT"), " from KMP_BLOCKTIME");
  EXPECT_EQ(setting("OMP_WAIT_POLICY"), " from KMP_BLOCKTIME");
  EXPECT_EQ(in_vain().size(), 3u);
  parse({"KMP_LIBRARY=turnaround", "OMP_WAIT_POLICY=passive"});
  EXPECT_EQ(setting("OMP_WAIT_POLICY"), "ACTIVE from KMP_LIBRARY");
  EXPECT_EQ(in_vain(), Lines{"OMP_WAIT_POLICY=passive: KMP_LIBRARY comes before it"});
  parse({"KMP_LIBRARY=serial", "KMP_BLOCKTIME=0", "OMP_THREAD_LIMIT=8"});
  EXPECT_EQ(setting("OMP_THREAD_LIMIT"), "1 from KMP_LIBRARY");
  EXPECT_EQ(in_vain(), Lines{"OMP_THREAD_LIMIT=8: KMP_LIBRARY comes before it"});

  parse({"KMP_ALL_THREADS=5", "KMP_DEVICE_THREAD_LIMIT=7", "OMP_THREAD_LIMIT=9"});
  EXPECT_EQ(setting("OMP_THREAD_LIMIT"), "7 from KMP_DEVICE_THREAD_LIMIT");
  parse({"KMP_ALL_THREADS=5", "OMP_THREAD_LIMIT=3"});
  EXPECT_EQ(setting("OMP_THREAD_LIMIT"), "3 from OMP_THREAD_LIMIT");
  EXPECT_EQ(in_vain(), Lines{"KMP_ALL_THREADS=5: OMP_THREAD_LIMIT comes before it"});

  parse({"KMP_SETTINGS=1", "OMP_DISPLAY_ENV=false"});
  EXPECT_EQ(setting("OMP_DISPLAY_ENV"), "FALSE from OMP_DISPLAY_ENV");
  EXPECT_EQ(in_vain(), Lines{"KMP_SETTINGS=1: OMP_DISPLAY_ENV comes before it"});
}

TEST_F(DisplayTest, WhatBindsIsNamed) {
  parse({"KMP_AFFINITY=compact", "OMP_PROC_BIND=spread", "OMP_PLACES=cores"});
  EXPECT_EQ(setting("OMP_PROC_BIND"), "CLOSE from KMP_AFFINITY");
  EXPECT_EQ(setting("OMP_PLACES"), " from KMP_AFFINITY");
  EXPECT_EQ(in_vain().size(), 2u);
  parse({"GOMP_CPU_AFFINITY=0-3"});
  EXPECT_EQ(setting("OMP_PROC_BIND"), "TRUE from GOMP_CPU_AFFINITY");
  parse({"OMP_PLACES=cores", "GOMP_CPU_AFFINITY=0-3", "OMP_PROC_BIND=false"});
  EXPECT_EQ(setting("OMP_PLACES"), " from default");
  EXPECT_EQ(in_vain(), (Lines{"OMP_PLACES=cores: with OMP_PROC_BIND=false no thread is bound to a "
                              "place",
                              "GOMP_CPU_AFFINITY=0-3: OMP_PLACES comes before it"}));
}

TEST_F(DisplayTest, WhatNothingHeedsIsListed) {
  machine_.hw_subset_problem = "it asks for more than there is";
  parse({"KMP_HW_SUBSET=99s", "GOMP_DEBUG=1", "OMP_NUM_THREAD=4", "KMP_TASKING=1",
         "OMP_DEBUGGER=", "BOBBIN_LAB_PYTHON=python3", "HOME=/", "OMP_DYNAMIC_ALL=true"});
  EXPECT_EQ(setting("KMP_HW_SUBSET"), " from default");
  EXPECT_EQ(setting("OMP_DYNAMIC"), "TRUE from OMP_DYNAMIC_ALL");
  EXPECT_EQ(
      in_vain(),
      (Lines{"GOMP_DEBUG=1: Bobbin has none of libgomp's debugging messages",
             "KMP_HW_SUBSET=99s: it asks for more than there is",
             "OMP_NUM_THREAD=4: there is no such variable in Bobbin",
             "KMP_TASKING=1: it tunes LLVM's and Intel's runtimes, and has nothing to act on"}));
}

TEST_F(DisplayTest, AProviderThatCannotBeHadIsNotInForce) {
  note_provider("kernel", "threads are to be bound");
  parse({"BOBBIN_PROVIDER=fiber"});
  EXPECT_EQ(setting("provider"), "kernel from start-up");
  EXPECT_EQ(in_vain(), Lines{"BOBBIN_PROVIDER=fiber: threads are to be bound"});
  note_provider("fiber", "");
  EXPECT_EQ(setting("provider"), "fiber from BOBBIN_PROVIDER");
}

TEST_F(DisplayTest, ValuesPrintedAreValuesRead) {
  // The output of OMP_DISPLAY_ENV can be used as input.
  const std::vector<std::string> environment = {
      "OMP_NUM_THREADS=4,3",
      "OMP_SCHEDULE=monotonic:dynamic,7",
      "OMP_STACKSIZE=3m",
      "OMP_PROC_BIND=spread,primary",
      "GOMP_SPINCOUNT=infinite",
      "KMP_BLOCKTIME=3ms",
      "BOBBIN_TASK_MEMORY=1g",
      "BOBBIN_TASK_POLICY=queue=combining:24,order=lifo,steal=lifo,cutoff=level:7",
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
  // "0" is the output for an unset number of teams, and is not a valid number of teams.
  EXPECT_EQ(captured_lines.size(), 2u);
  EXPECT_EQ(display(EnvDetail::Verbose), before);
}

}  // namespace
}  // namespace bobbin
