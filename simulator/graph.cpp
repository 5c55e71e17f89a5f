// SPDX-License-Identifier: Apache-2.0
#include "simulator/graph.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bobbin::simulator {

using insight::edge_kind;
using insight::GraphEdge;
using insight::GraphNode;
using insight::origin_of;

namespace {

// Tasks are counted when they begin. Of a program that was killed, some have no node yet.
constexpr std::uint32_t kTasksWithoutNodes = 1u << 16;

template <class Record>
std::vector<Record> read(std::ifstream& file, std::uint64_t count, const std::string& path) {
  // Looked at before the memory is taken: a damaged head may tell any number.
  const auto here = file.tellg();
  const auto left = static_cast<std::uint64_t>(file.seekg(0, std::ios::end).tellg() - here);
  if (!file.seekg(here) || count > left / sizeof(Record)) {
    throw std::runtime_error(path + " is damaged: it ends too early");
  }
  std::vector<Record> records(count);
  file.read(reinterpret_cast<char*>(records.data()),
            static_cast<std::streamsize>(count * sizeof(Record)));
  return records;
}

nlohmann::json read_head(std::ifstream& file, const std::string& path) {
  std::string line;
  std::getline(file, line);
  auto head = nlohmann::json::parse(line, nullptr, false);
  if (!head.is_object() || head.value("bobbin_graph", 0) != insight::kGraphVersion) {
    throw std::runtime_error(path + " is no task graph of version " +
                             std::to_string(insight::kGraphVersion));
  }
  return head;
}

}  // namespace

Graph::Graph(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  const nlohmann::json head = read_head(file, path);
  const auto nodes = read<GraphNode>(file, head.at("nodes").get<std::uint64_t>(), path);
  const auto edges = read<GraphEdge>(file, head.at("edges").get<std::uint64_t>(), path);

  const std::size_t count = nodes.size();
  first_.assign(count + 1, 0);
  std::uint64_t edge = 0;
  for (std::size_t n = 0; n < count; n++) {
    if (nodes[n].task > count + kTasksWithoutNodes) {
      throw std::runtime_error(path + " is damaged: it has fewer tasks than one of its numbers");
    }
    work_.push_back(nodes[n].work);
    task_.push_back(nodes[n].task);
    edges_to_.push_back(nodes[n].edges);
    tasks_ = std::max(tasks_, nodes[n].task + 1);
    if (nodes[n].edges > edges.size() - edge) {
      throw std::runtime_error(path + " is damaged: nodes have more edges than there are");
    }
    for (std::uint32_t i = 0; i < nodes[n].edges; i++) {
      const std::uint32_t from = origin_of(edges[edge++]);
      if (from == 0 || from > n) {
        throw std::runtime_error(path + " is damaged: an edge leads from no earlier node");
      }
      first_[from]++;  // numbered from 1 in the file: this is where the next node's begin
    }
  }
  for (std::size_t n = 0; n < count; n++) first_[n + 1] += first_[n];
  successors_.resize(edge);
  is_part_.assign(tasks_, false);
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  edge = 0;
  for (std::size_t n = 0; n < count; n++) {
    for (std::uint32_t i = 0; i < nodes[n].edges; i++, edge++) {
      const std::uint32_t from = origin_of(edges[edge]) - 1;
      const EdgeKind kind = edge_kind(edges[edge]);
      successors_[next[from]++] = {static_cast<std::uint32_t>(n), kind};
      if (kind == EdgeKind::Fork) is_part_[task_[n]] = true;
    }
  }
}

}  // namespace bobbin::simulator
