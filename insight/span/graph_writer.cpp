// SPDX-License-Identifier: Apache-2.0
#include "insight/span/graph_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "insight/record/layout.h"

namespace bobbin::insight {

bool GraphWriter::Stream::open(const char* recording, const char* suffix) {
  char path[PATH_MAX];
  const size_t stem = strlen(recording) - strlen(kFileSuffix);
  const int length =
      snprintf(path, sizeof path, "%.*s%s", static_cast<int>(stem), recording, suffix);
  if (length < 0 || static_cast<size_t>(length) >= sizeof path) return false;
  file = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  is_open = file >= 0;
  return is_open;
}

bool GraphWriter::Stream::flush() {
  size_t done = 0;
  while (done < used) {
    const ssize_t more = ::write(file, buffer + done, used - done);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    done += static_cast<size_t>(more);
  }
  used = 0;
  return true;
}

bool GraphWriter::Stream::add(const void* from, size_t bytes) {
  const char* next = static_cast<const char*>(from);
  while (bytes != 0) {
    if (used == kBuffer && !flush()) return false;
    const size_t part = std::min(bytes, kBuffer - used);
    memcpy(buffer + used, next, part);
    used += part;
    next += part;
    bytes -= part;
  }
  return true;
}

void GraphWriter::Stream::close() {
  if (is_open) ::close(file);
  is_open = false;
}

bool GraphWriter::open(const char* recording) {
  if (nodes_.open(recording, kNodesSuffix) && edges_.open(recording, kEdgesSuffix)) return true;
  give_up();
  return false;
}

void GraphWriter::give_up() {
  char line[256];
  const int length =
      snprintf(line, sizeof line, "bobbin: the task graph is not complete: %s\n", strerror(errno));
  if (length > 0) {
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, line, std::min(static_cast<size_t>(length), sizeof line - 1));
  }
  forget();
}

uint32_t GraphWriter::write(const GraphNode& node, const GraphEdge* edges) {
  // The edges go first, so that those of each node in the file are there.
  if (!edges_.add(edges, node.edges * sizeof *edges) || !nodes_.add(&node, sizeof node)) {
    give_up();
    return 0;
  }
  return ++written_;
}

void GraphWriter::close() {
  if (is_open() && !(edges_.flush() && nodes_.flush())) give_up();
  forget();
}

void GraphWriter::forget() {
  nodes_.close();
  edges_.close();
}

}  // namespace bobbin::insight
