// SPDX-License-Identifier: Apache-2.0
#include "measure/recorded_run.h"

#include "insight/report/recording_file.h"
#include "insight/trace/events.h"
#include "measure/instruments.h"

namespace bobbin::cli {
namespace {

// Of each thread. A page with all events of a long run would be too large for a browser.
constexpr const char* kTraceBufferKib = "256";

}  // namespace

RecordedRun::RecordedRun(const Launch& launch, const std::vector<std::string>& command,
                         insight::Instrument instrument) {
  const TimedRuns runs(launch.program, command, output_.path());
  Variables variables = instrument_variables(launch.installation, instrument, folder_.path());
  variables.emplace_back("LD_PRELOAD", launch.preload());
  if (instrument == insight::Instrument::Trace) {
    variables.emplace_back(insight::kBufferVariable, kTraceBufferKib);
  }
  run_ = runs.run(variables);
  insight::note_end_of_process(folder_.path(), run_.process);
}

}  // namespace bobbin::cli
