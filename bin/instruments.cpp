// SPDX-License-Identifier: Apache-2.0
#include "instruments.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "child.h"
#include "exit_codes.h"
#include "insight/record/layout.h"
#include "insight/report/profile.h"
#include "insight/report/profile_json.h"
#include "insight/report/profile_text.h"
#include "insight/report/recording_file.h"
#include "insight/report/span.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProfileLibrary = "libbobbin-profile.so";
constexpr const char* kSpanLibrary = "libbobbin-span.so";

// A folder of its own for the recordings of one run, which is removed with them.
class RecordingFolder {
 public:
  RecordingFolder() {
    std::error_code error;
    std::string name = fs::temp_directory_path(error) / "bobbin-XXXXXX";
    if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
  }
  RecordingFolder(const RecordingFolder&) = delete;
  RecordingFolder& operator=(const RecordingFolder&) = delete;
  ~RecordingFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }

  const std::string& path() const { return path_; }  // empty: it could not be made

 private:
  std::string path_;
};

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return true;
  std::fprintf(stderr, "bobbin: cannot write %s: %s\n", path.c_str(), std::strerror(errno));
  return false;
}

void say_nothing_recorded() {
  std::fputs(
      "bobbin: nothing was recorded: no process used OpenMP, or another tool took the place "
      "(OMP_TOOL_VERBOSE_INIT=stderr tells)\n",
      stderr);
}

// False: something could not be written.
template <class Figures>
bool report(const std::vector<Figures>& processes, std::string (*text)(const Figures&),
            std::string (*as_json)(const std::vector<Figures>&), const std::string& json,
            std::FILE* to) {
  if (processes.empty()) say_nothing_recorded();
  for (const Figures& process : processes) std::fputs(text(process).c_str(), to);
  return json.empty() || write_file(json, as_json(processes));
}

bool report_profile(const fs::path& folder, int main, const std::string& json, std::FILE* to) {
  return report(insight::read_profiles(folder, main), insight::profile_text, insight::profile_json,
                json, to);
}

bool report_span(const fs::path& folder, int main, const std::string& json, std::FILE* to) {
  return report(insight::read_spans(folder, main), insight::span_text, insight::span_json, json,
                to);
}

CLI::Option* add_json_option(CLI::App& command, std::string& json) {
  return command.add_option("--json", json, "write all figures to a file, too")->type_name("FILE");
}

}  // namespace

void Instruments::add_to(CLI::App& command) {
  const char* group = "Observation";
  command
      .add_flag("--profile", profile_,
                "tell on stderr, when the program has ended, where its threads' time went")
      ->group(group);
  command
      .add_flag("--span", span_,
                "run it on one processor, and tell its work, its span, and the speed-ups to expect")
      ->group(group);
  add_json_option(command, json_)->group(group);
}

std::string Instruments::problem() const {
  if (profile_ && span_) return "--profile and --span are of two runs";
  return !json_.empty() && !wanted() ? "--json needs --profile or --span" : "";
}

std::vector<std::pair<std::string, std::string>> Instruments::variables(
    const Installation& installation, const std::string& folder) const {
  std::string libraries = installation.names / (span_ ? kSpanLibrary : kProfileLibrary);
  // The first tool that starts is the only one. The user's is for programs without ours.
  if (const char* present = std::getenv("OMP_TOOL_LIBRARIES"); present != nullptr && *present)
    libraries += std::string(":") + present;
  std::vector<std::pair<std::string, std::string>> variables = {{"OMP_TOOL", "enabled"},
                                                                {"OMP_TOOL_LIBRARIES", libraries},
                                                                {insight::kFolderVariable, folder}};
  if (span_) variables.emplace_back("BOBBIN_WORKERS", "1");
  return variables;
}

int Instruments::observe(const Installation& installation, const std::string& program,
                         const std::function<int()>& execute) const {
  const RecordingFolder folder;
  if (folder.path().empty()) {
    std::fprintf(stderr, "bobbin run: cannot make a folder for the records: %s\n",
                 std::strerror(errno));
    return kOwnFailure;
  }
  for (const auto& [name, value] : variables(installation, folder.path()))
    setenv(name.c_str(), value.c_str(), 1);
  const ChildEnd end = run_as_child(execute);
  if (end.start_error != 0) {
    std::fprintf(stderr, "bobbin run: cannot start %s: %s\n", program.c_str(),
                 std::strerror(end.start_error));
    return end.start_error == ENOENT ? kProgramMissing : kCannotRun;
  }
  insight::note_end_of_process(folder.path(), end.process);
  (span_ ? report_span : report_profile)(folder.path(), end.process, json_, stderr);
  return exit_code_of(end.wait_status);
}

void ProfileCommand::add_to(CLI::App& command) {
  command.add_option("folder", folder_, "where libbobbin-profile.so has recorded")
      ->required()
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""));
  add_json_option(command, json_);
}

int ProfileCommand::execute() const {
  return report_profile(folder_, 0, json_, stdout) ? kSuccess : kOwnFailure;
}

}  // namespace bobbin::cli
