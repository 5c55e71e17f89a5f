// SPDX-License-Identifier: Apache-2.0
#include "insight/report/spans/graph.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "insight/report/json.h"
#include "insight/report/site_keys.h"
#include "insight/span/graph_layout.h"

namespace bobbin::insight {

namespace fs = std::filesystem;

namespace {

constexpr size_t kAtOnce = size_t{1} << 16;  // nodes or edges
constexpr size_t kAlignment = 16;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

fs::path nodes_of(const SpanFigures& process) {
  return fs::path(process.recording).replace_extension(kNodesSuffix);
}
fs::path edges_of(const SpanFigures& process) {
  return fs::path(process.recording).replace_extension(kEdgesSuffix);
}

File open_for_reading(const fs::path& path) { return File(std::fopen(path.c_str(), "rbe")); }

// Calls take(items, count) for blocks of at most `most` items in all.
template <class Item, class Take>
bool each_block(const fs::path& path, uint64_t most, Take&& take) {
  const File file = open_for_reading(path);
  if (file == nullptr) return false;
  std::vector<Item> block(kAtOnce);
  while (most != 0) {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(most, kAtOnce));
    const size_t count = std::fread(block.data(), sizeof(Item), wanted, file.get());
    if (!take(block.data(), count)) return false;
    if (count < wanted) break;
    most -= count;
  }
  return std::ferror(file.get()) == 0;
}

// How much of the graph is whole. If the process was killed, one of the files may be ahead.
GraphSize size_of(const SpanFigures& process) {
  std::error_code error;
  const uint64_t edges = fs::file_size(edges_of(process), error) / sizeof(GraphEdge);
  GraphSize size;
  if (error) return size;
  each_block<GraphNode>(nodes_of(process), ~uint64_t{0}, [&](const GraphNode* nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
      if (size.edges + nodes[i].edges > edges) return false;
      size.edges += nodes[i].edges;
      size.nodes++;
    }
    return true;
  });
  return size;
}

std::string head_of(const SpanFigures& process, const GraphSize& size) {
  Json sites = Json::object();
  for (const SpanSite& site : process.sites) {
    Json one = {{"what", name_of(site.kind)}};
    if (site.known) add_place(one, site.place);
    sites[std::to_string(site.number)] = one;
  }
  const Json head = {{"bobbin_graph", kGraphVersion},
                     {"process", process.process},
                     {"command", process.command},
                     {"runtime", process.runtime},
                     {"nodes", size.nodes},
                     {"edges", size.edges},
                     {"tasks", process.tasks},
                     {"work_seconds", process.work},
                     {"span_seconds", process.span},
                     {"hand_over_seconds", process.hand_over},
                     {"sites", sites}};
  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append(kAlignment - 1 - text.size() % kAlignment, ' ');
  return text + "\n";
}

}  // namespace

const SpanFigures* process_with_graph(const std::vector<SpanFigures>& processes) {
  const SpanFigures* most = nullptr;
  for (const SpanFigures& process : processes) {
    std::error_code error;
    if (!fs::exists(nodes_of(process), error)) continue;
    if (most == nullptr || process.work > most->work) most = &process;
  }
  return most;
}

bool write_graph(const SpanFigures& process, std::FILE* to, GraphSize& size) {
  size = size_of(process);
  const std::string head = head_of(process, size);
  if (std::fwrite(head.data(), 1, head.size(), to) != head.size()) return false;
  const auto rate = static_cast<float>(process.ticks_per_ns);
  const auto write_nodes = [&](GraphNode* nodes, size_t count) {
    for (size_t i = 0; i < count; i++) nodes[i].work /= rate;
    return std::fwrite(nodes, sizeof *nodes, count, to) == count;
  };
  const auto write_edges = [&](const GraphEdge* edges, size_t count) {
    return std::fwrite(edges, sizeof *edges, count, to) == count;
  };
  return each_block<GraphNode>(nodes_of(process), size.nodes, write_nodes) &&
         each_block<GraphEdge>(edges_of(process), size.edges, write_edges);
}

}  // namespace bobbin::insight
