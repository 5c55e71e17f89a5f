// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace bobbin::cli {

// A folder of its own, which is removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = std::filesystem::temp_directory_path(error) / "bobbin-XXXXXX";
    if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }

  const std::filesystem::path& path() const { return path_; }  // empty: it could not be made

 private:
  std::filesystem::path path_;
};

}  // namespace bobbin::cli
