// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/temporary_folder.h"
#include "insight/record/layout.h"
#include "launch/launch.h"
#include "measure/timed_run.h"

namespace bobbin::cli {

// One run of the program on Bobbin, and what an instrument has recorded of it.
class RecordedRun {
 public:
  RecordedRun(const Launch& launch, const std::vector<std::string>& command,
              insight::Instrument instrument);

  const std::string& problem() const { return run_.problem; }
  int process() const { return run_.process; }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  TemporaryFolder output_;
  TimedRun run_;
};

}  // namespace bobbin::cli
